/// A request as a cache reads it: its place in the cache, its credentials, and its directives.
struct CacheRequest: Sendable {
    let request: URLRequest
    let method: HTTPMethod
    /// The URL without fragment, user and password.
    let key: String
    let partition: CachePartition
    let control: CacheControl
    let hasQuery: Bool
    /// Whether the caller set a condition or a range, so that only the server can respond.
    let isConditional: Bool
    /// Whether a field asks the server to perform another method.
    let overridesMethod: Bool
    /// The statuses with which servers refuse the credentials of the request.
    let refusals: Set<HTTPStatus>
    private let fields: [String: String]
    private let credentialNames: [String]
    private let personFields: [String]
    /// Whether a response that is neither fresh nor can be validated is kept for errors.
    let keepsForErrors: Bool
    /// Whether a stored response may hand the cookies that it sets to another caller.
    let sharesCookies: Bool

    /// Creates the description of a request as it is sent; nil if it has no URL.
    ///
    /// - Parameters:
    ///   - request: The request with its cookies and credentials.
    ///   - persons: The persons of its credentials, with the names of the fields that hold them.
    ///   - refusals: The statuses with which servers refuse the credentials.
    ///   - sensitiveHeaders: The names of further fields that hold credentials.
    ///   - cache: The cache.
    init?(
        _ request: URLRequest,
        persons: [KnownPerson],
        refusals: Set<HTTPStatus>,
        sensitiveHeaders: [String],
        in cache: ResponseCache
    ) {
        guard let url = request.url, let method = request.method else { return nil }
        (self.request, self.method, self.refusals) = (request, method, refusals)
        (keepsForErrors, sharesCookies) = (cache.staleIfError != nil, !cache.separatesCookies)
        fields = request.allHTTPHeaderFields ?? [:]
        let (key, user) = Self.key(of: url)
        self.key = key
        hasQuery = key.utf8.contains(UInt8(ascii: "?"))
        var (control, pragma): (String?, String?)
        var names: [String] = []
        var secrets = user.map { [$0] } ?? []
        var (isConditional, overridesMethod) = (false, false)
        for (name, value) in fields {
            if HeaderField.isSameName(name, "Cache-Control") { control = value }
            if HeaderField.isSameName(name, "Pragma") { pragma = value }
            if Self.conditions.contains(where: { HeaderField.isSameName($0, name) }) { isConditional = true }
            if Self.overrides.contains(where: { HeaderField.isSameName($0, name) }) { overridesMethod = true }
        }
        credentialNames = cache.credentialNames(among: fields.keys, sensitiveHeaders)
        personFields = persons.map(\.field)
        for name in credentialNames where !personFields.contains(where: { HeaderField.isSameName($0, name) }) {
            guard cache.separatesCookies || !HeaderField.isSameName(name, "Cookie") else { continue }
            secrets.append("\(name.lowercased())=\(fields[name] ?? "")")
        }
        if !sensitiveHeaders.isEmpty { names = sensitiveHeaders.map { $0.lowercased() }.sorted() }
        (self.isConditional, self.overridesMethod) = (isConditional, overridesMethod)
        self.control = CacheControl.ofRequest(control, pragma: pragma)
        let digest = secrets.isEmpty ? nil : SecretDigest(of: secrets.sorted())
        partition = CachePartition(persons: persons.map(\.person), digest: digest, sensitiveHeaders: names)
    }

    /// Returns the value of a field, whose name may be in any letter case.
    func value(of name: String) -> String? { fields.first { HeaderField.isSameName($0.key, name) }?.value }

    /// A digest of the fields that may decide what the response is, without the credentials of the partition; nil if
    /// there are none.
    var others: SecretDigest? {
        let names = fields.keys.filter { !isCredential($0) && !isOfPerson($0) && !FieldRoles.choosesNothing($0) }
        guard !names.isEmpty else { return nil }
        return SecretDigest(of: names.map { "\($0.lowercased())=\(fields[$0] ?? "")" }.sorted())
    }

    func isCredential(_ name: String) -> Bool { credentialNames.contains { HeaderField.isSameName($0, name) } }

    /// Returns whether a field holds a token of a person, who is part of the partition.
    func isOfPerson(_ name: String) -> Bool { personFields.contains { HeaderField.isSameName($0, name) } }

    /// The fields of conditions and parts (RFC 9110 §13.1, §14.2).
    private static let conditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]

    private static let overrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]

    /// Returns where the path of a URL without one would be; nil for a URL with a path.
    private static func missingPath(in url: String) -> Int? {
        let end = url.utf8.withContiguousStorageIfAvailable { bytes -> Int? in
            guard let start = URLText.authority(of: bytes) else { return nil }
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
            guard let end else { return bytes.count }
            return bytes[end] == UInt8(ascii: "/") ? nil : end
        }
        return end ?? nil
    }

    /// Whether the text of a URL is a normal form: without an escape and a default port, scheme and host in lowercase.
    private static func isNormal(_ url: String) -> Bool {
        let isNormal = url.utf8.withContiguousStorageIfAvailable { bytes -> Bool in
            guard let start = URLText.authority(of: bytes) else { return false }
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? bytes.count
            let tail = bytes[start..<end].suffix(4)
            let hasDefaultPort =
                tail.last == UInt8(ascii: ":") || tail.suffix(3).elementsEqual(":80".utf8)
                || tail.elementsEqual(":443".utf8)
            let isLowercase = !bytes[..<end].contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            return !hasDefaultPort && isLowercase && !bytes[end...].contains(UInt8(ascii: "%"))
        }
        return isNormal ?? false
    }

    /// Returns the normal form of a URL (RFC 9110 §4.2.3): scheme and host in lowercase, no default port, and no escape
    /// of an unreserved character.
    private static func normalized(_ url: String) -> String {
        guard var parts = URLComponents(string: url) else { return url }
        (parts.scheme, parts.host) = (parts.scheme?.lowercased(), parts.host?.lowercased())
        let isDefault = parts.port == (parts.scheme == "https" ? 443 : 80)
        if isDefault { parts.port = nil }
        parts.percentEncodedPath = unescaped(parts.percentEncodedPath)
        parts.percentEncodedQuery = parts.percentEncodedQuery.map(unescaped)
        return parts.string ?? url
    }

    /// Returns a text without escapes of unreserved characters (RFC 3986 §2.3), the other escapes in capitals.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var (result, rest): ([UInt8], Substring.UTF8View) = ([], text[...].utf8)
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            guard byte == UInt8(ascii: "%"), digits.count == 2,
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
            else {
                result.append(byte)
                continue
            }
            rest.removeFirst(2)
            let isUnreserved = ASCII.isLetter(value) || ASCII.isDigit(value) || "-._~".utf8.contains(value)
            result += isUnreserved ? [value] : Array("%\(String(decoding: digits, as: UTF8.self).uppercased())".utf8)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the text of a URL without fragment, user and password, and the latter two.
    static func key(of url: URL) -> (key: String, user: String?) {
        let text = url.absoluteString
        var key = text.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(text[..<$0]) } ?? text
        key.makeContiguousUTF8()
        if !isNormal(key) { key = normalized(key) }
        // No path is the path `/` (RFC 9110 §4.2.3).
        if let end = missingPath(in: key) { key.insert("/", at: key.utf8.index(key.startIndex, offsetBy: end)) }
        guard key.utf8.contains(UInt8(ascii: "@")), var parts = URLComponents(string: key), let user = parts.user else {
            return (key, nil)
        }
        let password = parts.password ?? ""
        (parts.user, parts.password) = (nil, nil)
        return (parts.string ?? key, "user=\(user):\(password)")
    }
}

/// Whose responses a request may use: those to requests with the same persons and the same other credentials.
struct CachePartition: Hashable, Sendable {
    let persons: [SessionPerson]
    /// The digest of the credentials that no session owns; nil for a request without such credentials.
    let digest: SecretDigest?
    /// The names of fields that the client calls sensitive: clients that differ in them have nothing in common.
    let sensitiveHeaders: [String]

    /// Whether the request has no credentials.
    var isAnonymous: Bool { persons.isEmpty && digest == nil }
}

/// A digest of secrets, which is compared in their place, so that a cache keeps none of them.
///
/// Two hashes with salts of this process; it has no meaning in another one.
struct SecretDigest: Hashable, Sendable {
    private let (first, second): (Int, Int)

    init(of secrets: [String]) {
        (first, second) = (Self.hash(secrets, Self.salts.0), Self.hash(secrets, Self.salts.1))
    }

    private static func hash(_ secrets: [String], _ salt: UInt64) -> Int {
        var hasher = Hasher()
        hasher.combine(salt)
        hasher.combine(secrets)
        return hasher.finalize()
    }

    private static let salts = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
}

/// The names of header fields, each with whether it holds a credential: checking a name against the many names of
/// secrets takes some microseconds.
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
        case person
        case text(String)
        case secret(SecretDigest)
    }

    let name: String
    private let value: Value

    /// Returns the selectors of a response; nil if no later request selects it (`*`, or what isn't a valid name), or if
    /// there are too many.
    static func selectors(_ vary: [String], in request: CacheRequest) -> [CacheSelector]? {
        var selectors: [CacheSelector] = []
        for line in vary {
            for member in line.utf8.split(separator: UInt8(ascii: ",")) {
                let name = String(decoding: ASCII.trimmed(member), as: UTF8.self).lowercased()
                // No field has such a name, so that it would match every request.
                guard !name.isEmpty else { continue }
                guard name != "*", HTTPToken.isValid(name), selectors.count < maxCount else { return nil }
                selectors.append(CacheSelector(name, in: request))
            }
        }
        return selectors
    }

    /// A response that varies by more fields is not stored.
    private static let maxCount = 32

    /// Returns whether a later request selects the response.
    func matches(_ request: CacheRequest) -> Bool { self == CacheSelector(name, in: request) }

    private init(_ name: String, in request: CacheRequest) {
        self.name = name
        guard let value = request.value(of: name), !request.isOfPerson(name) else {
            self.value = request.isOfPerson(name) ? .person : .missing
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
