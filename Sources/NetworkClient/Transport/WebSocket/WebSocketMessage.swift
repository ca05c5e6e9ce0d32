/// A message of a WebSocket (RFC 6455 §5.6), whole: its fragments are joined.
@nonexhaustive
public enum WebSocketMessage: Hashable, Sendable {
    /// A text, which is valid UTF-8 on the wire.
    case text(String)
    /// Any bytes.
    case binary(Data)

    /// The bytes that a message takes; more than its own, so that empty ones are counted, too.
    var size: Int { length + 64 }

    fileprivate var length: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let data): data.count
        }
    }
}

extension WebSocketMessage: OpaqueValue {
    /// The kind and the number of bytes, without the content.
    public var description: String {
        switch self {
        case .text: "a text of \(length) bytes"
        case .binary: "\(length) bytes"
        }
    }
}

/// The messages of a WebSocket so far, in each direction.
struct WebSocketTraffic {
    struct Count {
        private(set) var messages = 0
        private(set) var bytes = 0

        mutating func add(_ message: WebSocketMessage) { (messages, bytes) = (messages + 1, bytes + message.length) }
    }

    var sent = Count()
    /// How many of the sent messages the transport has taken as a whole.
    var taken = 0
    var received = Count()
}

/// Why an end of a WebSocket closed it (RFC 6455 §7.4).
///
/// A number from 1000 to 4999. 3000 to 3999 are registered by libraries and protocols, 4000 to 4999 are free for any
/// application.
public struct WebSocketCloseCode: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// Creates a code from its number.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// 1000: the purpose of the connection has been fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server shuts down, or the client leaves.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the other end broke the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: a message of a kind that the end can't accept, such as binary.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005: a Close without a code; never sent.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// 1007: a text that isn't UTF-8.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// 1008: a message that violates a rule of the application.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message that is too long.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1010: the server did not agree to an extension that the client needs.
    public static let missingExtension = WebSocketCloseCode(rawValue: 1010)
    /// 1011: the server met an unexpected condition.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)
    /// 1012: the server restarts.
    public static let serviceRestart = WebSocketCloseCode(rawValue: 1012)
    /// 1013: the server is overloaded.
    public static let tryAgainLater = WebSocketCloseCode(rawValue: 1013)
    /// 1014: a gateway got an invalid response.
    public static let badGateway = WebSocketCloseCode(rawValue: 1014)

    /// Checks that a client may close a socket with the code.
    ///
    /// - Throws: ``TransportError/Reason/invalidRequest``.
    func checkForClients() throws(TransportError) {
        switch rawValue {
        case 1000, 1001, 1008, 1009, 1011, 3000...4999: return
        default: throw TransportError(.invalidRequest, detail: "a client closes no WebSocket with the code \(self)")
        }
    }

    /// Whether a Close may have been received with the code, or without one.
    var canBeReceived: Bool { isSendable || self == .noStatus }

    /// Whether a Close frame may have the code (§7.4.1, §7.4.2).
    var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

extension WebSocketCloseCode: CustomStringConvertible {
    /// The number.
    public var description: String { "\(rawValue)" }
}

/// The server has closed a WebSocket (RFC 6455 §7.4).
public struct WebSocketClosed: Error, Hashable, Sendable {
    /// The code; ``WebSocketCloseCode/noStatus`` if the server stated none.
    public let code: WebSocketCloseCode
    /// The server's text, which may be empty; it is not shown in the text of the error.
    public let reason: String

    /// Creates the error, for a test.
    public init(code: WebSocketCloseCode, reason: String = "") {
        (self.code, self.reason) = (code, reason)
    }
}

extension WebSocketClosed: DescribedError, OpaqueValue {
    /// A sentence with the code.
    public var description: String { "The server has closed the WebSocket with the code \(code)." }
}
