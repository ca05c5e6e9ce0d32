/// The limits of a WebSocket: what waits in memory, and for how long the other end may be silent.
public struct WebSocketOptions: Hashable, Sendable {
    /// The maximum number of bytes of a message of the server, 16 MiB by default.
    ///
    /// A longer one is not received: the socket is closed with the code 1009, and the reader gets a
    /// ``TransportError/Reason/malformedResponse``.
    public var messageLimit = 16 << 20

    /// The number of bytes that may wait to be sent, 64 KiB by default; a sender waits while there are as many.
    ///
    /// At least one message waits, whatever its length is.
    public var sendBuffer = 64 << 10

    /// The number of bytes of received messages that may wait for their reader, 1 MiB by default.
    ///
    /// While there are as many, nothing is received, and the server has to wait. At least one message waits, whatever
    /// its length is.
    public var receiveBuffer = 1 << 20

    /// The seconds without a byte of the server after which it is pinged, 30 by default; nil for never.
    ///
    /// After as many seconds without a byte again, the socket ends with ``TransportError/Reason/timedOut``. Without
    /// pings, a connection that a router has forgotten is never noticed. The time in which messages wait for a slow
    /// reader does not count. A number that is not more than 0 counts as the default.
    public var keepAlive: TimeInterval? = usualKeepAlive

    static let usualKeepAlive: TimeInterval = 30

    /// The seconds that ``WebSocket/close(_:reason:)`` waits for the server's Close, 5 by default.
    public var closeTimeout: TimeInterval = 5

    /// Creates the default limits.
    public init() {}

    /// Creates limits with a closure that sets them: `WebSocketOptions { $0.messageLimit = 1 << 10 }`.
    public init(_ change: (inout WebSocketOptions) -> Void) {
        self.init()
        change(&self)
    }
}

/// What an exchange that opens a WebSocket needs besides its request.
package struct WebSocketOpening: Hashable, Sendable {
    /// The subprotocols that are offered, in the order of preference.
    package var protocols: [String] = []
    package var options = WebSocketOptions()

    package init(protocols: [String] = [], options: WebSocketOptions = WebSocketOptions()) {
        (self.protocols, self.options) = (protocols, options)
    }

    /// Checks a request that is about to be sent (RFC 6455 §4.1): a GET without a body, and without the fields that the
    /// handshake has.
    ///
    /// - Throws: ``TransportError/Reason/invalidRequest``.
    func check(_ request: URLRequest) throws(TransportError) {
        let isGet = (request.httpMethod ?? "GET") == "GET"
        guard isGet, request.httpBody?.isEmpty != false, request.httpBodyStream == nil else {
            throw TransportError(
                .invalidRequest,
                request: request,
                detail: "a WebSocket is opened by a GET without a body"
            )
        }
        if let name = WebSocketHandshake.ownNames.first(where: { request.value(forHTTPHeaderField: $0) != nil }) {
            let detail = "it has the field '\(name)', which the opening of a WebSocket sets"
            throw TransportError(.invalidRequest, request: request, detail: detail)
        }
        _ = try WebSocketHandshake(protocols: protocols, key: [])
    }
}

/// Opaque, since services put tokens among the subprotocols.
extension WebSocketOpening: OpaqueValue {}

extension URL {
    /// The URL with the scheme of HTTP for that of a WebSocket (RFC 6455 §3): `https` for `wss`; itself otherwise.
    var withHTTPScheme: URL? { Self.withHTTPScheme(absoluteString).map { URL(string: $0) } ?? self }

    /// The URL with the scheme of a WebSocket for that of HTTP; itself otherwise.
    var withWebSocketScheme: URL? {
        Self.replacingScheme(of: absoluteString, by: ["http": "ws", "https": "wss"]).map { URL(string: $0) } ?? self
    }

    /// Returns the text of a URL with the scheme of HTTP for that of a WebSocket; nil for another one.
    static func withHTTPScheme(_ text: String) -> String? {
        replacingScheme(of: text, by: ["ws": "http", "wss": "https"])
    }

    private static func replacingScheme(of text: String, by schemes: [String: String]) -> String? {
        guard let colon = text.firstIndex(of: ":"), let new = schemes[text[..<colon].lowercased()] else { return nil }
        return new + text[colon...]
    }
}
