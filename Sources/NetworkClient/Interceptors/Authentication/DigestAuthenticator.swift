import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Responds to the challenges of Digest authentication (RFC 7616), and uses the nonce of each origin again for later
/// requests.
final class DigestAuthenticator: Sendable {
    /// A header field, and the nonce that it uses.
    struct Authorization: Sendable {
        let field: HeaderField
        let nonce: String
    }

    private struct Session {
        let challenge: DigestChallenge
        let clientNonce: String
        /// How often the nonce was used.
        var count: UInt32 = 0
        /// Whether the server has accepted a use, so that the password is right.
        var isConfirmed = false

        mutating func use() -> DigestUse? {
            guard count < .max else { return nil }
            count += 1
            return DigestUse(challenge: challenge, clientNonce: clientNonce, count: count)
        }
    }

    private let user: String
    private let password: String
    private let makeClientNonce: @Sendable () -> String
    private let sessions = Locked<[Origin: Session]>([:])

    init(
        user: String,
        password: String,
        clientNonce: @escaping @Sendable () -> String = DigestAuthenticator.randomNonce
    ) {
        self.user = user
        self.password = password
        makeClientNonce = clientNonce
    }

    /// Returns the field for a request to an origin whose challenge is known; nil for another origin.
    func authorization(for request: URLRequest) -> Authorization? {
        guard let url = request.url else { return nil }
        let origin = Origin(of: url)
        let use = sessions.withLock { $0[origin]?.use() }
        return use.map { authorization($0, request, url) }
    }

    /// Returns the field for the challenge of a response; nil if the challenge is not supported, or refuses the
    /// password.
    func authorization(
        for request: URLRequest,
        after response: HTTPURLResponse,
        to sent: Authorization?
    ) -> Authorization? {
        guard let url = request.url, let challenge = DigestChallenge.strongest(of: response) else { return nil }
        let origin = Origin(of: url)
        if let sent, !challenge.isStale, !mayBeOutdated(sent, origin, challenge) { return nil }
        let new = Session(challenge: challenge, clientNonce: makeClientNonce())
        let use = sessions.withLock { sessions in
            // Another request has begun to use the nonce, and a count must not be used twice.
            if sessions[origin]?.challenge.nonce != challenge.nonce { sessions[origin] = new }
            return sessions[origin]?.use()
        }
        return use.map { authorization($0, request, url) }
    }

    /// Notes that the server has accepted a use of its nonce.
    func confirm(_ sent: Authorization, for request: URLRequest) {
        guard let url = request.url else { return }
        let origin = Origin(of: url)
        sessions.withLock { sessions in
            if sessions[origin]?.challenge.nonce == sent.nonce { sessions[origin]?.isConfirmed = true }
        }
    }

    /// Whether a refusal without `stale=true` may be about the nonce, which a server forgets when it starts again; else
    /// it is about the user name or the password (RFC 7616 §3.3), and its session ends.
    private func mayBeOutdated(_ sent: Authorization, _ origin: Origin, _ challenge: DigestChallenge) -> Bool {
        sessions.withLock { sessions in
            guard let session = sessions[origin] else { return false }
            // Another request has got a newer nonce in the meantime.
            guard session.challenge.nonce == sent.nonce else { return session.isConfirmed }
            if session.isConfirmed, sent.nonce != challenge.nonce { return true }
            sessions[origin] = nil
            return false
        }
    }

    private func authorization(_ use: DigestUse, _ request: URLRequest, _ url: URL) -> Authorization {
        let value = use.value(user: user, password: password, method: request.httpMethod ?? "GET", url: url)
        return Authorization(field: .authorization(auth: value), nonce: use.challenge.nonce)
    }

    private static func randomNonce() -> String {
        (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    }
}

/// A challenge that is supported.
struct DigestChallenge: Hashable, Sendable {
    let realm: String
    let nonce: String
    let opaque: String?
    let hash: HashFunction
    /// The `algorithm` in the spelling of the server; nil for the default, MD5.
    let algorithm: String?
    /// Whether the algorithm is one of those that end in `-sess`.
    let isSession: Bool
    /// Whether the server supports the `qop` value `auth`; false for one from before RFC 2617, which has none.
    let hasQuality: Bool
    let hashesUser: Bool
    let isStale: Bool

    /// Returns the challenge of a response with the strongest hash, or the first of several; nil without any.
    static func strongest(of response: HTTPURLResponse) -> DigestChallenge? {
        let fields = response.receivedFields.values(named: "WWW-Authenticate")
        let challenges = fields.flatMap(AuthenticationChallenge.all).compactMap(DigestChallenge.init)
        return challenges.first { $0.hash == .sha256 } ?? challenges.first
    }

    /// Nil for another scheme, an unknown algorithm, or a `qop` without `auth`.
    init?(_ challenge: AuthenticationChallenge) {
        let parameters = challenge.parameters
        guard HeaderField.isSameName(challenge.scheme, "Digest"), let realm = parameters["realm"],
            let nonce = parameters["nonce"]
        else { return nil }
        algorithm = parameters["algorithm"]
        var name = algorithm?.uppercased() ?? "MD5"
        isSession = name.hasSuffix("-SESS")
        if isSession { name.removeLast(5) }
        guard let hash = HashFunction(rawValue: name) else { return nil }
        let qualities = parameters["qop"]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        if let qualities, !qualities.contains(where: { HeaderField.isSameName($0, "auth") }) { return nil }
        self.realm = realm
        self.nonce = nonce
        self.hash = hash
        opaque = parameters["opaque"]
        hasQuality = qualities != nil
        hashesUser = parameters["userhash"]?.lowercased() == "true"
        isStale = parameters["stale"]?.lowercased() == "true"
    }
}

/// One use of a nonce.
struct DigestUse: Sendable {
    let challenge: DigestChallenge
    /// The same for all uses of a nonce, so that servers that compute the key of a `-sess` algorithm once, and those
    /// that do for each request, get the same one.
    let clientNonce: String
    /// How often the nonce was used, from 1.
    let count: UInt32

    /// Returns the value of `Authorization` (RFC 7616 §3.4).
    func value(user: String, password: String, method: String, url: URL) -> String {
        let (hash, target) = (challenge.hash, Self.target(of: url))
        var key = hash("\(user):\(challenge.realm):\(password)")
        if challenge.isSession { key = hash("\(key):\(challenge.nonce):\(clientNonce)") }
        let uses = String(count, radix: 16)
        let paddedUses = String(repeating: "0", count: max(0, 8 - uses.count)) + uses
        let middle = challenge.hasQuality ? "\(challenge.nonce):\(paddedUses):\(clientNonce):auth" : challenge.nonce
        var parts = [
            name(of: user), "realm=\(Self.quoted(challenge.realm))", "nonce=\(Self.quoted(challenge.nonce))",
            "uri=\(Self.quoted(target))", "response=\"\(hash("\(key):\(middle):\(hash("\(method):\(target)"))"))\"",
        ]
        if let algorithm = challenge.algorithm { parts.append("algorithm=\(algorithm)") }
        if challenge.hasQuality { parts += ["qop=auth", "nc=\(paddedUses)"] }
        if challenge.hasQuality || challenge.isSession { parts.append("cnonce=\"\(clientNonce)\"") }
        if let opaque = challenge.opaque { parts.append("opaque=\(Self.quoted(opaque))") }
        if challenge.hashesUser { parts.append("userhash=true") }
        return "Digest " + parts.joined(separator: ", ")
    }

    /// The name as a hash, as a quoted string, or, if that cannot hold it, in the form of RFC 8187 (§3.4.4).
    private func name(of user: String) -> String {
        if challenge.hashesUser { return "username=\"\(challenge.hash("\(user):\(challenge.realm)"))\"" }
        if user.utf8.allSatisfy({ $0 < 0x80 && !ASCII.isControl($0) }) { return "username=\(Self.quoted(user))" }
        let encoded = user.addingPercentEncoding(withAllowedCharacters: Self.extendedCharacters) ?? ""
        return "username*=UTF-8''\(encoded)"
    }

    /// The path and the query of a URL, as the request line has them.
    private static func target(of url: URL) -> String {
        let text = url.absoluteString.prefix { $0 != "#" }
        let colon = text.firstIndex(of: ":") ?? text.startIndex
        let start = text.index(colon, offsetBy: 3, limitedBy: text.endIndex) ?? text.endIndex
        let target = text[start...].drop { $0 != "/" && $0 != "?" }
        return target.hasPrefix("/") ? String(target) : "/\(target)"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }

    /// The `attr-char` of RFC 8187 §3.2.1.
    private static let extendedCharacters = CharacterSet(
        charactersIn: "!#$&+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    )
}
