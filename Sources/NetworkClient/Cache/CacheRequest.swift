/// What a cache has to know of a request.
struct CacheRequest: Sendable {
    let request: URLRequest
    let method: HTTPMethod
    /// The URL without fragment, user and password.
    let key: String
    let partition: CachePartition
    let control: CacheControl
    let hasQuery: Bool
    /// Whether the caller asks a condition or for a part, so that only the server can respond.
    let isConditional: Bool
    /// The statuses with which servers refuse the credentials of the request.
    let refusals: Set<Int>
    private let fields: [String: String]
    private let credentialNames: [String]

    /// Creates the description of a request as it is sent; nil if it has no URL.
    ///
    /// - Parameters:
    ///   - request: The request with its cookies and credentials.
    ///   - persons: The persons of its credentials, with the names of the fields that hold them.
    ///   - refusals: The statuses with which servers refuse the credentials.
    ///   - separatesCookies: Whether cookies are credentials.
    ///   - isCredential: Returns whether a field of this name holds a credential.
    init?(
        _ request: URLRequest,
        persons: [(person: CachePartition.Person, field: String)],
        refusals: Set<Int>,
        separatesCookies: Bool,
        isCredential: (String) -> Bool
    ) {
        guard let url = request.url, let method = request.method else { return nil }
        (self.request, self.method, self.refusals) = (request, method, refusals)
        fields = request.allHTTPHeaderFields ?? [:]
        let (key, user) = Self.key(of: url)
        self.key = key
        hasQuery = key.utf8.contains(UInt8(ascii: "?"))
        var (control, pragma): (String?, String?)
        var secrets = user.map { [$0] } ?? []
        var names: [String] = []
        var isConditional = false
        for (name, value) in fields {
            if HeaderField.isSameName(name, "Cache-Control") { control = value }
            if HeaderField.isSameName(name, "Pragma") { pragma = value }
            if Self.conditions.contains(where: { HeaderField.isSameName($0, name) }) { isConditional = true }
            guard isCredential(name) else { continue }
            names.append(name)
            let isCookie = HeaderField.isSameName(name, "Cookie")
            let isOfPerson = persons.contains { HeaderField.isSameName($0.field, name) }
            if !isOfPerson, !isCookie || separatesCookies { secrets.append("\(name.lowercased())=\(value)") }
        }
        credentialNames = names
        self.isConditional = isConditional
        self.control = CacheControl.ofRequest(control, pragma: pragma)
        let isAnonymous = persons.isEmpty && secrets.isEmpty
        let digest = secrets.isEmpty ? nil : SecretDigest(of: secrets.sorted())
        partition = isAnonymous ? .anonymous : CachePartition(persons: persons.map(\.person), digest: digest)
    }

    /// Returns the value of a field, whose name may be in any letter case.
    func value(of name: String) -> String? { fields.first { HeaderField.isSameName($0.key, name) }?.value }

    func isCredential(_ name: String) -> Bool { credentialNames.contains { HeaderField.isSameName($0, name) } }

    /// The fields of conditions and parts (RFC 9110 §13.1, §14.2).
    private static let conditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]

    /// Returns the text of a URL without fragment, user and password, and the latter two.
    static func key(of url: URL) -> (key: String, user: String?) {
        let text = url.absoluteString
        let key = text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
        guard key.utf8.contains(UInt8(ascii: "@")), var parts = URLComponents(string: key), let user = parts.user else {
            return (key, nil)
        }
        let password = parts.password ?? ""
        (parts.user, parts.password) = (nil, nil)
        return (parts.string ?? key, "\(user):\(password)")
    }
}

/// Whose responses a request may use: those to requests with the same persons and the same other credentials.
struct CachePartition: Hashable, Sendable {
    /// A person of a token session, for whom a token stands that changes with each refresh.
    struct Person: Hashable, Sendable {
        let session: UUID
        /// The session's count of changes of person.
        let number: Int
    }

    /// A request without credentials.
    static let anonymous = CachePartition(persons: [], digest: nil)

    let persons: [Person]
    /// The digest of the credentials that no session owns; nil if there are none.
    let digest: SecretDigest?
}

/// A digest of secrets, which is compared in their place, so that a cache keeps none of them.
///
/// 128 bits with salts of this process; it has no meaning in another one.
struct SecretDigest: Hashable, Sendable {
    private let parts: [Int]

    init(of secrets: [String]) {
        parts = Self.salts.map { salt in
            var hasher = Hasher()
            hasher.combine(salt)
            hasher.combine(secrets)
            return hasher.finalize()
        }
    }

    private static let salts = [UInt64.random(in: .min ... .max), .random(in: .min ... .max)]
}

/// Tells which header fields of requests hold credentials, and remembers it, since the names of secrets are many.
struct KnownCredentialNames: Sendable {
    private var known: [String: Bool] = [:]
    private static let limit = 1_000

    mutating func contains(_ name: String) -> Bool {
        if let known = known[name] { return known }
        let isCredential = CredentialFields(sensitiveHeaders: []).contains(name)
        if known.count == Self.limit { known = [:] }
        known[name] = isCredential
        return isCredential
    }
}

/// A field by which the responses of one URL vary (RFC 9111 §4.1), with its value in the request.
struct CacheSelector: Hashable, Sendable {
    private enum Value: Hashable {
        case missing
        case text(String)
        case secret(SecretDigest)
    }

    let name: String
    private let value: Value

    /// Returns the selectors of a response; nil if no later request selects it (`*`).
    static func selectors(_ vary: [String], in request: CacheRequest) -> [CacheSelector]? {
        let names = vary.flatMap { $0.split(separator: ",") }.map { ASCII.trimmed($0.utf8) }
            .map { String(decoding: $0, as: UTF8.self).lowercased() }.filter { !$0.isEmpty }
        guard !names.contains("*") else { return nil }
        return Set(names).sorted().map { CacheSelector($0, in: request) }
    }

    /// Returns whether a later request selects the response.
    func matches(_ request: CacheRequest) -> Bool { self == CacheSelector(name, in: request) }

    private init(_ name: String, in request: CacheRequest) {
        self.name = name
        guard let value = request.value(of: name) else {
            self.value = .missing
            return
        }
        let text = Self.normalized(value, ignoringCase: name == "accept-language" || name == "accept-encoding")
        self.value = request.isCredential(name) ? .secret(SecretDigest(of: [text])) : .text(text)
    }

    /// Removes the white space around commas, unless some may be part of a quoted string.
    private static func normalized(_ value: String, ignoringCase: Bool) -> String {
        let value = ignoringCase ? value.lowercased() : value
        guard value.utf8.contains(UInt8(ascii: ",")), !value.utf8.contains(UInt8(ascii: "\"")) else { return value }
        let members = value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        return members.map { String(decoding: ASCII.trimmed($0), as: UTF8.self) }.joined(separator: ",")
    }
}
