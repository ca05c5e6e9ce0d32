/// A message of a WebSocket (RFC 6455 §5.6), whole: its fragments are joined.
enum WebSocketMessage: Hashable, Sendable {
    /// A text, which is valid UTF-8 on the wire.
    case text(String)
    /// Any bytes.
    case binary(Data)

    /// The bytes that a message takes; more than its own, so that empty ones are counted, too.
    var size: Int {
        switch self {
        case .text(let text): text.utf8.count + 64
        case .binary(let data): data.count + 64
        }
    }
}

/// Why an end of a WebSocket closed it (RFC 6455 §7.4).
///
/// A number from 1000 to 4999. 3000 to 3999 are registered by libraries and protocols, 4000 to 4999 are free for any
/// application.
struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    let rawValue: UInt16

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// 1000: the purpose of the connection has been fulfilled.
    static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server shuts down, or the client leaves.
    static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the other end broke the protocol.
    static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: a message of a kind that the end can't accept, such as binary.
    static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: a Close without a code; never sent.
    static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// 1007: a text that isn't UTF-8.
    static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// 1008: a message that violates a rule of the application.
    static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message that is too long.
    static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1010: the server did not agree to an extension that the client needs.
    static let missingExtension = WebSocketCloseCode(rawValue: 1010)
    /// 1011: the server met an unexpected condition.
    static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1012: the server restarts.
    static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// 1013: the server is overloaded.
    static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// 1014: a gateway got an invalid response.
    static let badGateway = WebSocketCloseCode(rawValue: 1014)

    /// Whether a Close frame may have the code (§7.4.1, §7.4.2).
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// The server has closed a WebSocket with another code than 1000 (RFC 6455 §7.4).
struct WebSocketClosed: Error, Hashable {
    /// The code; ``WebSocketCloseCode/noStatus`` if the server stated none.
    let code: WebSocketCloseCode
    /// The server's text, which may be empty.
    let reason: String
}
