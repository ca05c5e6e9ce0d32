/// What a request asks of a resource (RFC 9110 §9).
///
/// The set is open: ``init(_:)`` takes any token, such as `PROPFIND`. Methods are case-sensitive and go on the wire
/// exactly as they are spelled here, but for `get`, `head`, `post`, `put`, `delete` and `connect` in small letters,
/// which Foundation writes in capitals.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The token as it stands on the wire.
    public let rawValue: String

    /// Takes a token, or gives nil if it is none.
    ///
    /// - Parameter rawValue: The method's token (RFC 9110 §5.6.2).
    public init?(rawValue: String) {
        guard HTTPToken.isValid(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Takes a token, or says what is wrong with it.
    ///
    /// - Parameter token: The method's token (RFC 9110 §5.6.2), such as `PROPFIND`.
    /// - Throws: ``InvalidHTTPMethod`` if it is empty or holds anything but token characters.
    public init(_ token: String) throws(InvalidHTTPMethod) {
        guard let method = HTTPMethod(rawValue: token) else { throw InvalidHTTPMethod(token: token) }
        self = method
    }

    private init(known token: String) {
        rawValue = token
    }

    /// Reads a resource (RFC 9110 §9.3.1).
    public static let get = HTTPMethod(known: "GET")

    /// Reads a resource's header fields only (RFC 9110 §9.3.2).
    public static let head = HTTPMethod(known: "HEAD")

    /// Has a resource process the body (RFC 9110 §9.3.3).
    public static let post = HTTPMethod(known: "POST")

    /// Replaces a resource by the body (RFC 9110 §9.3.4).
    public static let put = HTTPMethod(known: "PUT")

    /// Removes a resource (RFC 9110 §9.3.5).
    public static let delete = HTTPMethod(known: "DELETE")

    /// Opens a tunnel to a server (RFC 9110 §9.3.6).
    public static let connect = HTTPMethod(known: "CONNECT")

    /// Asks what a resource or a server can do (RFC 9110 §9.3.7).
    public static let options = HTTPMethod(known: "OPTIONS")

    /// Has the request sent back for a test (RFC 9110 §9.3.8).
    public static let trace = HTTPMethod(known: "TRACE")

    /// Changes a resource in part (RFC 5789).
    public static let patch = HTTPMethod(known: "PATCH")

    /// Reads what a query in the body describes; safe and idempotent.
    public static let query = HTTPMethod(known: "QUERY")
}

extension HTTPMethod {
    /// Whether a request may reach the server twice and mean the same as once (RFC 9110 §9.2.2).
    ///
    /// So for GET, HEAD, PUT, DELETE, OPTIONS, TRACE and QUERY; of a method that is not known here, nobody can tell.
    public var isIdempotent: Bool { Self.idempotent.contains(self) }

    private static let idempotent: Set<HTTPMethod> = [.get, .head, .put, .delete, .options, .trace, .query]
}

extension HTTPMethod: CustomStringConvertible {
    /// The token.
    public var description: String { rawValue }
}
