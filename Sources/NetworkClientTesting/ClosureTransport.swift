/// A transport made of a closure, for tests, previews and fixed responses.
///
/// ```swift
/// let transport = ClosureTransport(status: 200, json: #"{"id":1,"name":"a"}"#)
/// let client = NetworkClient(transport: transport)
/// ```
public struct ClosureTransport: Transport {
    private let body: @Sendable (URLRequest, TransportOptions) async throws -> TransportResponse

    /// Creates a transport that calls a closure with each request, as it would be sent, and the limits of the exchange.
    public init(_ body: @escaping @Sendable (URLRequest, TransportOptions) async throws -> TransportResponse) {
        self.body = body
    }

    /// Creates a transport that calls a closure with each request, as it would be sent.
    public init(
        _ respond: @escaping @Sendable (URLRequest) async throws -> (data: Data, response: HTTPURLResponse)
    ) {
        self.init { request, _ in
            let (data, response) = try await respond(request)
            return TransportResponse(response: response, data: data)
        }
    }

    /// Creates a transport that responds to each request with the same JSON text.
    ///
    /// - Parameters:
    ///   - status: The status code, 100…999.
    ///   - json: The body.
    public init(status: Int = 200, json: String) {
        self.init(status: status, headers: ["Content-Type": "application/json"], data: Data(json.utf8))
    }

    /// Creates a transport that responds to each request with the same bytes; the status code is in 100…999.
    public init(status: Int = 200, headers: [String: String] = [:], data: Data = Data()) {
        self.init { request, _ in
            guard
                let url = request.url,
                let response = HTTPURLResponse(
                    url: url,
                    statusCode: status,
                    httpVersion: "HTTP/1.1",
                    headerFields: headers
                )
            else { throw TransportError(.malformedResponse, request: request) }
            return TransportResponse(response: response, data: data)
        }
    }

    /// The name of this transport.
    public var description: String { "ClosureTransport" }

    /// Calls the closure.
    public func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        try await body(request, options)
    }
}
