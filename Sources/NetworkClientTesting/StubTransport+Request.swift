extension StubTransport {
    /// A request as it reached a ``StubTransport``: after the interceptors, with the cookies of the store.
    ///
    /// Its text has the method, the path and the query, in which values with secret names are masked.
    public struct Request: Sendable {
        /// The request as it was sent.
        public let urlRequest: URLRequest

        /// The URL.
        public let url: URL

        /// The method.
        public let method: HTTPMethod

        /// All bytes of the body, also of a streamed body, without the coding that `Content-Encoding` names; empty if
        /// there is none.
        ///
        /// If the body can't be decoded, this is ``rawBody``.
        public let body: Data

        /// All bytes of the body as they were sent, such as compressed by `CompressionInterceptor`.
        public let rawBody: Data

        init(_ request: URLRequest, body: Data) throws {
            guard let url = request.url else { throw TransportError(.invalidURL, request: request) }
            guard let method = request.method else {
                throw TransportError(.invalidRequest, request: request, detail: "its method is not a token")
            }
            urlRequest = request
            self.url = url
            self.method = method
            self.body = request.decoded(body, most: .max)?.bytes ?? body
            rawBody = body
        }

        /// The path with its escapes, such as `/users/a%2Fb`; `/` if the URL has none.
        public var path: String { StubTarget(url.absoluteString).path }

        /// The decoded items of the query, in their order.
        public var queryItems: [URLQueryItem] { url.queryItems }

        /// The header fields by name.
        public var headers: [String: String] { urlRequest.allHTTPHeaderFields ?? [:] }

        /// The value of a header field; the name may be in any letter case.
        public subscript(header name: String) -> String? { urlRequest.value(forHTTPHeaderField: name) }

        /// Decodes the body.
        public func decoded<Value: Decodable>(
            as type: Value.Type = Value.self,
            by decoder: any DecoderProtocol = .default
        ) throws -> Value {
            try decoder.decode(data: body)
        }
    }
}

extension StubTransport.Request: OpaqueValue {
    /// The method, the path and the query, as in `GET /users?page=2`.
    public var description: String {
        let query = queryText
        return query.isEmpty ? "\(method) \(shownPath)" : "\(method) \(shownPath)?\(query)"
    }

    /// The path, with masked values of its parameters.
    var shownPath: String { StubTarget(url.shownPlace).path }

    /// The query, with masked values of secret names.
    var queryText: String { StubTarget.masked(queryItems) }
}
