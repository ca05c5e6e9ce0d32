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

        /// Uses the nonce, for a challenge that has it.
        mutating func use(_ challenge: DigestChallenge) -> DigestUse? {
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

    /// Returns the field for a request to an origin whose challenge is known; nil for another origin, and for a body
    /// that the challenge does not allow.
    func authorization(for request: URLRequest) -> Authorization? {
        guard let url = request.url else { return nil }
        let origin = Origin(of: url)
        let use = sessions.withLock { sessions -> DigestUse? in
            guard let challenge = sessions[origin]?.challenge, challenge.allowsBody(of: request) else { return nil }
            return sessions[origin]?.use(challenge)
        }
        return use.map { authorization($0, request, url) }
    }

    /// Returns the field for the challenge of a response; nil if the challenge is not supported, does not allow the
    /// body of the request, or refuses the password.
    func authorization(
        for request: URLRequest,
        after response: HTTPURLResponse,
        to sent: Authorization?
    ) -> Authorization? {
        guard let url = request.url, let challenge = DigestChallenge.strongest(of: response, for: request) else {
            return nil
        }
        let origin = Origin(of: url)
        if let sent, !challenge.isStale, !mayBeOutdated(sent, origin, challenge) { return nil }
        let new = Session(challenge: challenge, clientNonce: makeClientNonce())
        let use = sessions.withLock { sessions in
            // Another request has begun to use the nonce, and a count must not be used twice.
            if sessions[origin]?.challenge.nonce != challenge.nonce { sessions[origin] = new }
            return sessions[origin]?.use(challenge)
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
        let (method, body) = (request.httpMethod ?? "GET", request.httpBody ?? Data())
        let value = use.value(user: user, password: password, method: method, url: url, body: body)
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
    /// The `qop` value to be used; nil for a server from before RFC 2617, which has none.
    let quality: Quality?
    let hashesUser: Bool
    let isStale: Bool

    /// The parts of a request that are hashed for the response to a challenge (RFC 7616 §3.4.3).
    enum Quality: String, CaseIterable {
        /// Method and target.
        case authentication = "auth"
        /// Method, target and body.
        case integrity = "auth-int"
    }

    /// Returns the challenge of a response that has the strongest hash, and the first of several, among those that
    /// allow the body of the request; nil if all of them are unusable.
    static func strongest(of response: HTTPURLResponse, for request: URLRequest) -> DigestChallenge? {
        let fields = response.receivedFields.values(named: "WWW-Authenticate")
        let challenges = fields.flatMap(AuthenticationChallenge.all).compactMap(DigestChallenge.init)
        let usable = challenges.filter { $0.allowsBody(of: request) }
        return HashFunction.allCases.reversed().lazy.compactMap { hash in usable.first { $0.hash == hash } }.first
    }

    /// Whether the body can be hashed, if it must be: one in memory, and not one that is read while it is sent.
    func allowsBody(of request: URLRequest) -> Bool { quality != .integrity || request.httpBodyStream == nil }

    /// Nil for another scheme, an unknown algorithm, or a `qop` with neither `auth` nor `auth-int`.
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
        let offered = parameters["qop"]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        // `auth` if it is offered: it allows every body.
        quality = Quality.allCases.first { quality in
            offered?.contains { HeaderField.isSameName($0, quality.rawValue) } == true
        }
        if offered != nil, quality == nil { return nil }
        self.realm = realm
        self.nonce = nonce
        self.hash = hash
        opaque = parameters["opaque"]
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
    func value(user: String, password: String, method: String, url: URL, body: Data = Data()) -> String {
        let (hash, target, quality) = (challenge.hash, Self.target(of: url), challenge.quality)
        var key = hash("\(user):\(challenge.realm):\(password)")
        if challenge.isSession { key = hash("\(key):\(challenge.nonce):\(clientNonce)") }
        let uses = String(count, radix: 16)
        let paddedUses = String(repeating: "0", count: max(0, 8 - uses.count)) + uses
        let suffix = quality.map { ":\(paddedUses):\(clientNonce):\($0.rawValue)" } ?? ""
        let covered = quality == .integrity ? "\(method):\(target):\(hash(Array(body)))" : "\(method):\(target)"
        var parts = [
            name(of: user), "realm=\(Self.quoted(challenge.realm))", "nonce=\(Self.quoted(challenge.nonce))",
            "uri=\(Self.quoted(target))", "response=\"\(hash("\(key):\(challenge.nonce)\(suffix):\(hash(covered))"))\"",
        ]
        if let algorithm = challenge.algorithm { parts.append("algorithm=\(algorithm)") }
        if let quality { parts += ["qop=\(quality.rawValue)", "nc=\(paddedUses)"] }
        if quality != nil || challenge.isSession { parts.append("cnonce=\"\(clientNonce)\"") }
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
