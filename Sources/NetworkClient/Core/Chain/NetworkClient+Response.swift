extension NetworkClient {
    /// An accepted response: the decoded value, the status and the header fields.
    public struct Response<T> {
        /// The decoded value.
        public let item: T

        private let head: ResponseHead
        private let knownJourney: CallJourney?

        /// Creates a response from a value and a head.
        public init(item: T, httpResponse: HTTPURLResponse) {
            self.init(item: item, head: ResponseHead(httpResponse), journey: nil)
        }

        init(item: T, head: ResponseHead, journey: CallJourney?) {
            self.item = item
            self.head = head
            knownJourney = journey
        }

        /// Returns the response with another value, made by a closure that may throw and wait.
        public nonisolated(nonsending) func map<U>(
            _ transform: nonisolated(nonsending) (T) async throws -> U
        ) async rethrows -> Response<U> {
            Response<U>(item: try await transform(item), head: head, journey: knownJourney)
        }

        /// The status and the header fields.
        public var httpResponse: HTTPURLResponse { head.response }

        /// The status code.
        public var statusCode: Int { head.status }

        /// The status, with its name and its class: `response.status == .created`.
        public var status: HTTPStatus { HTTPStatus(rawValue: head.status) }

        /// The times, bytes, HTTP version and redirects of the exchange.
        ///
        /// Nil if an interceptor supplied the response. A response that an interceptor rebuilt has the metrics of the
        /// server's last response if that had the same status, or was a 304.
        public var metrics: TransportMetrics? { head.metrics }

        /// The part that the client's ``ResponseCache`` had in the response.
        ///
        /// Nil if the client has no cache, if the call does not use it, as those that stream, and if an interceptor
        /// supplied the response.
        public var cacheStatus: CacheStatus? { head.cacheStatus }

        /// What happened during the call: attempts, waits, redirects, and the decisions of interceptors.
        public var journey: CallJourney {
            knownJourney ?? CallJourney(status: head.status, total: head.metrics?.total ?? 0)
        }

        /// The header fields as they were received, in their order and with duplicates, as far as the transport knows
        /// them: URLSession joins fields of one name and does not keep their order.
        public var fields: ResponseFields { head.fields }

        /// The trailer fields (RFC 9110 §6.5), which some servers send after the body, such as its digest or the status
        /// of a gRPC call, as they were received.
        ///
        /// Empty until a streamed body was read to its end, on URLSession, which drops them, and for a response from a
        /// cache. A response that an interceptor rebuilt has those of the server's, like ``metrics``. They are never
        /// merged into ``fields``: a `Set-Cookie` or a `Content-Length` among them has no effect.
        public var trailers: ResponseFields { head.trailers }

        /// All header fields by name; fields of one name are joined by `, `.
        ///
        /// The keys of a dictionary are case-sensitive, and servers and transports differ in letter case: use the
        /// subscript of the response to read a field.
        public var allHeaders: [String: String] {
            httpResponse.allHeaderFields.reduce(into: [:]) { $0["\($1.key)"] = "\($1.value)" }
        }

        // Generic, so that `.value` alone is not this method: the compiler then names `item`, in every position.
        /// Returns the value of a header field, whose name may be in any letter case; nil if there is no such field.
        @_disfavoredOverload
        public func value(forHeaderKey key: some StringProtocol) -> String? {
            head.value(of: String(key))
        }

        /// The value of a header field, whose name may be in any letter case; nil if there is no such field.
        public subscript(headerKey: String) -> String? {
            value(forHeaderKey: headerKey)
        }
    }
}

extension NetworkClient.Response: Sendable where T: Sendable {}

extension NetworkClient.Response<Data> {
    /// Decodes the bytes, for a response whose type is known only from its status or its header fields.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder, by default one with default settings: the client's is not known here.
    /// - Returns: The value.
    /// - Throws: The error of the decoder, a `DecodingError`.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        by decoder: any DecoderProtocol = .default
    ) throws -> Value {
        try decoder.decode(data: item, response: httpResponse)
    }
}

extension NetworkClient.Response: CustomStringConvertible, CustomReflectable {
    /// The status and the value, as in `200 OK: Item(id: 7)`, without the URL and the header fields, which may be
    /// secret.
    ///
    /// The value is shown as its type shows itself: a token that is decoded to a `String` is shown.
    public var description: String { "\(status): \(item)" }

    /// A mirror with the status and the value, as in `description`.
    public var customMirror: Mirror {
        Mirror(self, children: ["status": status, "item": item], displayStyle: .struct)
    }
}
