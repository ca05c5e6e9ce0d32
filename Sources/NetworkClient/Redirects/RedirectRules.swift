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
    func next(after response: HTTPURLResponse, to request: URLRequest) throws -> URLRequest? {
        guard
            Self.statuses.contains(response.statusCode),
            let location = response.value(forHTTPHeaderField: "Location"),
            let from = request.url,
            let target = Self.resolve(location, against: from)
        else { return nil }
        let isSameOrigin = Origin(of: from) == Origin(of: target)
        guard policy.follows(toSameOrigin: isSameOrigin) else { return nil }
        try Self.checkTarget(target, from: from, request)
        var next = request
        next.url = target
        let method = request.method ?? .get
        if Self.turnsIntoGet(response.statusCode, method) {
            next.method = .get
            next.httpBody = nil
            next.httpBodyStream = nil
            Self.remove(Self.contentFields, from: &next)
        } else if let stream = next.httpBodyStream, !(stream is BodyInputStream) {
            throw TransportError(.bodyNotReplayable, request: request)
        }
        if !isSameOrigin { Self.remove(Self.credentialFields + sensitiveHeaders, from: &next) }
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

    /// RFC 3986 §5.2 against the URL that answered; the fragment is inherited (RFC 9110 §10.2.2).
    private static func resolve(_ location: String, against url: URL) -> URL? {
        guard let resolved = URL(string: location, relativeTo: url)?.absoluteURL else { return nil }
        guard resolved.fragment == nil, let fragment = url.fragment else { return resolved }
        return URL(string: "\(resolved.absoluteString)#\(fragment)") ?? resolved
    }

    private static func checkTarget(_ target: URL, from: URL, _ request: URLRequest) throws {
        let scheme = target.scheme?.lowercased() ?? ""
        guard scheme == "https" || scheme == "http", target.host?.isEmpty == false else {
            throw TransportError(
                .redirectRefused,
                request: request,
                detail: "it was redirected to a URL with the scheme '\(scheme)', which is not HTTP"
            )
        }
        if scheme == "http", from.scheme?.lowercased() == "https" {
            throw TransportError(.redirectRefused, request: request, detail: "it was redirected from https to http")
        }
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

    /// What is meant for one origin only.
    private static let credentialFields = [
        "Authorization", "Proxy-Authorization", "Cookie", "Cookie2", "Origin", "Host", "X-API-Key", "Api-Key",
        "X-Auth-Token", "X-CSRF-Token",
    ]
}
