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
            let location = answer.value(of: "Location"),
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

    private static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// RFC 9110 §15.4.2–4: 303 asks for GET (HEAD stays), 301 and 302 do so for POST by old custom; 307 and 308 never
    /// do.
    private static func turnsIntoGet(_ status: Int, _ method: HTTPMethod) -> Bool {
        switch status {
        case 303: method != .head && method != .get
        case 301, 302: method == .post
        default: false
        }
    }

    /// The target, relative to the URL that answered (RFC 3986 §5.2), whose fragment it inherits.
    ///
    /// Nil for what is no URL: two `Location` fields, which reach us joined by a comma, are none.
    private static func resolve(_ location: String, against url: URL) -> URL? {
        let location = location.trimmingCharacters(in: .whitespaces)
        guard
            !location.contains(", http"),
            let resolved = parse(location, relativeTo: url)?.absoluteURL,
            var components = URLComponents(url: resolved, resolvingAgainstBaseURL: true)
        else { return nil }
        // A server does not choose the credentials with which it is asked.
        components.user = nil
        components.password = nil
        components.percentEncodedFragment = components.percentEncodedFragment ?? url.fragment
        return components.url
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
