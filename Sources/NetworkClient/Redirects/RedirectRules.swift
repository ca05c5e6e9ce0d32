import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What request follows a redirect (RFC 9110 §15.4): a pure function of the answer and the request.
struct RedirectRules: Sendable {
    let policy: RedirectPolicy
    /// Names of further fields that do not go to another origin.
    let sensitiveHeaders: [String]

    /// The next request; nil if the answer is no redirect, or one that is not followed.
    func next(after answer: ResponseHead, to request: URLRequest) throws -> URLRequest? {
        guard
            Self.statuses.contains(answer.status),
            let location = Self.location(of: answer),
            let from = request.url,
            let target = Self.resolve(location, against: from)
        else { return nil }
        let isSameOrigin = Origin(of: from) == Origin(of: target)
        guard policy.follows(toSameOrigin: isSameOrigin) else { return nil }
        try Self.checkTarget(target, from: from, request)
        var next = request
        next.url = target
        let method = request.method ?? .get
        if Self.turnsIntoGet(answer.status, method) {
            next.method = .get
            next.httpBody = nil
            next.httpBodyStream = nil
            Self.remove(Self.contentFields, from: &next)
        } else if let stream = next.httpBodyStream, !(stream is BodyInputStream) {
            throw TransportError(.bodyNotReplayable, request: request)
        }
        if !isSameOrigin { CredentialFields(sensitiveHeaders: sensitiveHeaders).remove(from: &next) }
        return next
    }

    /// Those with a target that is asked for in place of the first one.
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// RFC 9110 §15.4.2–4: 303 asks for GET (HEAD stays), 301 and 302 do so for POST by old custom; 307 and 308 never
    /// do.
    private static func turnsIntoGet(_ status: Int, _ method: HTTPMethod) -> Bool {
        switch status {
        case 303: method != .head && method != .get
        case 301, 302: method == .post
        default: false
        }
    }

    /// The first `Location` field, as in curl and browsers; the only one where the transport joins fields of one name.
    private static func location(of head: ResponseHead) -> String? {
        head.knownFields?.values(named: "Location").first ?? head.value(of: "Location")
    }

    /// The target of a reference, relative to the URL that was requested (RFC 3986 §5.2); nil if it isn't a valid URL.
    ///
    /// The authority of the request's URL, user and password included, stays unless the reference has an authority of
    /// its own. A target without a fragment gets that of the request's URL (RFC 9110 §10.2.2). The fragment is added as
    /// text, since the setter of `URLComponents` traps on text that isn't escaped.
    private static func resolve(_ location: String, against url: URL) -> URL? {
        let location = location.trimmingCharacters(in: .whitespaces)
        guard let target = parse(location, relativeTo: url)?.absoluteString else { return nil }
        let fragment = url.absoluteString.drop { $0 != "#" }
        return URL(string: target.contains("#") ? target : target + fragment)
    }

    /// Older systems refuse a URL with a byte that should have been escaped, which servers send all the same.
    private static func parse(_ location: String, relativeTo url: URL) -> URL? {
        let allowed = CharacterSet(charactersIn: "!"..."~").subtracting(CharacterSet(charactersIn: "\"<>\\^`{|}"))
        if let target = URL(string: location, relativeTo: url) { return target }
        let escaped = location.addingPercentEncoding(withAllowedCharacters: allowed)
        return escaped.flatMap { URL(string: $0, relativeTo: url) }
    }

    private static func checkTarget(_ target: URL, from: URL, _ request: URLRequest) throws {
        let scheme = target.scheme?.lowercased() ?? ""
        func refusal(_ detail: String) -> TransportError {
            TransportError(.redirectRefused, request: request, detail: "it was redirected \(detail)")
        }
        guard scheme == "https" || scheme == "http" else {
            throw refusal("to a URL with the scheme '\(scheme)', which is not HTTP")
        }
        guard target.host?.isEmpty == false else { throw refusal("to a URL that names no host") }
        if scheme == "http", from.scheme?.lowercased() == "https" { throw refusal("from https to http") }
    }

    private static func remove(_ names: [String], from request: inout URLRequest) {
        for name in names where request.value(forHTTPHeaderField: name) != nil {
            request.set(header: .custom(name: name, value: nil))
        }
    }

    /// What describes a body that is no longer sent.
    private static let contentFields = [
        "Content-Type", "Content-Length", "Content-Encoding", "Content-Language", "Content-Location", "Content-Range",
        "Content-MD5", "Content-Digest", "Repr-Digest", "Digest", "Last-Modified", "Transfer-Encoding", "Expect",
    ]
}
