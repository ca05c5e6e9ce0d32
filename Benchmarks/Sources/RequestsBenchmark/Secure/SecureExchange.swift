/// A kind of exchange with TLS.
enum SecureExchange: String, CaseIterable, Sendable {
    /// HTTP/1.1 over kept connections.
    case http1 = "http/1.1"
    /// HTTP/2 over kept connections.
    case http2 = "h2"
    /// HTTP/1.1 with a new connection, and so with a TLS handshake, for each request.
    case handshakes

    /// The title of a part of the report.
    var title: String {
        switch self {
        case .http1: "HTTP/1.1 with TLS"
        case .http2: "HTTP/2 with TLS"
        case .handshakes: "A new connection for each request, HTTP/1.1 with TLS"
        }
    }

    /// The protocols that the server offers, by the names that ALPN has for them.
    ///
    /// No client is told which protocol to use: all of them prefer HTTP/2 where the server offers it.
    var offeredProtocols: [String] {
        switch self {
        case .http1, .handshakes: ["http/1.1"]
        case .http2: ["h2", "http/1.1"]
        }
    }

    /// The path of the requests; the server closes the connection after a response for `/close`.
    var path: String { self == .handshakes ? "close" : "small" }

    /// The numbers of concurrent requests that are measured by default.
    var concurrency: [Int] { self == .handshakes ? [1, 16] : [1, 16, 64, 256] }

    /// Whether requests were made in this way, by the server's counts.
    func wasUsed(_ counts: SecureCounts) -> Bool {
        switch self {
        case .http1: counts.requests1 > 0 && counts.requests2 == 0 && counts.connections < counts.requests1
        case .http2: counts.requests2 > 0 && counts.requests1 == 0 && counts.connections < counts.requests2
        case .handshakes: counts.requests1 > 0 && counts.requests2 == 0 && counts.connections >= counts.requests1
        }
    }
}

/// How many connections and requests the server has accepted: since it was started, or for one variant.
struct SecureCounts: Sendable {
    /// The connections that were accepted.
    var connections = 0
    /// The requests over HTTP/1.1.
    var requests1 = 0
    /// The requests over HTTP/2.
    var requests2 = 0
    /// Nanoseconds of processor time.
    var processor = 0

    var requests: Int { requests1 + requests2 }

    static func + (one: SecureCounts, other: SecureCounts) -> SecureCounts {
        SecureCounts(
            connections: one.connections + other.connections,
            requests1: one.requests1 + other.requests1,
            requests2: one.requests2 + other.requests2,
            processor: one.processor + other.processor
        )
    }

    static func - (one: SecureCounts, other: SecureCounts) -> SecureCounts {
        SecureCounts(
            connections: one.connections - other.connections,
            requests1: one.requests1 - other.requests1,
            requests2: one.requests2 - other.requests2,
            processor: one.processor - other.processor
        )
    }
}
