/// The method of a request (RFC 9110 §9).
///
/// The set is open: ``init(_:)`` accepts any token, such as `PROPFIND`. Methods are case-sensitive and sent verbatim,
/// except that Foundation uppercases `get`, `head`, `post`, `put`, `delete` and `connect`.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The token that is sent.
    public let rawValue: String

    /// Creates a method; nil if the text is not a token (RFC 9110 §5.6.2).
    public init?(rawValue: String) {
        guard HTTPToken.isValid(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    /// Creates a method from a token, such as `PROPFIND`.
    ///
    /// - Throws: ``HTTPMethodError`` if the text is not a token (RFC 9110 §5.6.2).
    public init(_ token: String) throws(HTTPMethodError) {
        guard let method = HTTPMethod(rawValue: token) else { throw HTTPMethodError(token: token) }
        self = method
    }

    private init(known token: String) {
        rawValue = token
    }

    /// Reads a resource (RFC 9110 §9.3.1).
    public static let get = HTTPMethod(known: "GET")

    /// Reads only the header fields of a resource (RFC 9110 §9.3.2).
    public static let head = HTTPMethod(known: "HEAD")

    /// Lets a resource process the body (RFC 9110 §9.3.3).
    public static let post = HTTPMethod(known: "POST")

    /// Replaces a resource with the body (RFC 9110 §9.3.4).
    public static let put = HTTPMethod(known: "PUT")

    /// Removes a resource (RFC 9110 §9.3.5).
    public static let delete = HTTPMethod(known: "DELETE")

    /// Opens a tunnel to a server (RFC 9110 §9.3.6).
    public static let connect = HTTPMethod(known: "CONNECT")

    /// Asks which options a resource or a server supports (RFC 9110 §9.3.7).
    public static let options = HTTPMethod(known: "OPTIONS")

    /// Asks the server to send the request back as a test (RFC 9110 §9.3.8).
    public static let trace = HTTPMethod(known: "TRACE")

    /// Changes a part of a resource (RFC 5789).
    public static let patch = HTTPMethod(known: "PATCH")

    /// Reads the result of a query in the body; safe and idempotent.
    public static let query = HTTPMethod(known: "QUERY")
}

extension HTTPMethod: Codable {
    /// The methods with a static member, in the order of RFC 9110, then PATCH and QUERY.
    ///
    /// Other tokens are methods too, so this is not a conformance to `CaseIterable`.
    public static let known: [HTTPMethod] = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch, .query,
    ]
}

extension HTTPMethod {
    /// Whether several identical requests have the same effect as one (RFC 9110 §9.2.2).
    ///
    /// True for GET, HEAD, PUT, DELETE, OPTIONS, TRACE and QUERY; false for methods that this library does not know.
    public var isIdempotent: Bool { Self.idempotent.contains(self) }

    private static let idempotent: Set<HTTPMethod> = [.get, .head, .put, .delete, .options, .trace, .query]
}

extension HTTPMethod: CustomStringConvertible {
    /// The token.
    public var description: String { rawValue }
}

/// The error for a method that is not a token (RFC 9110 §5.6.2).
public struct HTTPMethodError: Error, Hashable, Sendable, DescribedError {
    /// The invalid text.
    public let token: String

    package init(token: String) {
        self.token = token
    }

    /// One sentence that quotes the text.
    public var description: String {
        "The HTTP method \(token.debugDescription) is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."
    }
}

extension URLRequest {
    /// The name of ``NetworkUtilities/HTTPMethod`` in requests.
    public typealias HTTPMethod = NetworkUtilities.HTTPMethod

    /// The method as a typed value; nil if `httpMethod` is not a token.
    ///
    /// Setting nil restores Foundation's default, GET. Unknown methods are kept, never read as GET.
    public var method: HTTPMethod? {
        get { HTTPMethod(rawValue: httpMethod ?? "GET") }
        set { httpMethod = newValue?.rawValue }
    }
}
