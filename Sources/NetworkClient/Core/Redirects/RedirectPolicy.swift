/// The redirects that a call follows.
///
/// Under every policy, credentials do not follow to another origin, and a redirect from https to http is refused.
public struct RedirectPolicy: Hashable, Sendable {
    private enum Kind: String {
        case follow
        case sameOrigin
        case never
    }

    private let kind: Kind

    /// Follows all redirects, at most 20.
    public static let follow = RedirectPolicy(kind: .follow)

    /// Follows redirects to the origin (scheme, host and port) of the request; any other redirect is the response.
    public static let sameOrigin = RedirectPolicy(kind: .sameOrigin)

    /// Follows no redirect: the 3xx is the response, and ``AcceptedStatuses`` decides whether it is an error.
    public static let never = RedirectPolicy(kind: .never)

    // In an optional, `.none` would be nil, which keeps the client's policy.
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, renamed: "never")
    public static var none: RedirectPolicy { fatalError() }

    /// The unique name of the policy; calls whose policies have different names do not share an exchange.
    var name: String { kind.rawValue }

    /// The statuses of redirects that the policy may follow.
    var statuses: Set<Int> { kind == .never ? [] : Self.redirectStatuses }

    /// The statuses whose `Location` is requested instead.
    static let redirectStatuses: Set<Int> = [301, 302, 303, 307, 308]

    func follows(toSameOrigin isSameOrigin: Bool) -> Bool {
        switch kind {
        case .follow: true
        case .sameOrigin: isSameOrigin
        case .never: false
        }
    }
}

/// The rules for the request after a redirect (RFC 9110 §15.4), as a pure function of response and request.
struct RedirectRules: Sendable {
    let policy: RedirectPolicy
    /// Names of further fields that are not sent to another origin.
    let sensitiveHeaders: [String]
    /// Whether the transport reaches only the server of the request.
    var reachesOneServer = false
    /// Whether a target may have a scheme of WebSocket, which stands for that of HTTP.
    var opensSocket = false

    /// Returns the next request; nil if the response is not a redirect, or if the redirect is not followed.
    func next(after head: ResponseHead, to request: URLRequest) throws -> URLRequest? {
        guard
            RedirectPolicy.redirectStatuses.contains(head.status),
            let location = Self.location(of: head),
            let from = request.url,
            let resolved = from.resolving(location),
            let target = opensSocket ? resolved.withHTTPScheme : resolved
        else { return nil }
        let isSameOrigin = Origin(of: from) == Origin(of: target)
        guard policy.follows(toSameOrigin: isSameOrigin) else { return nil }
        let mustStay = "to another origin, which the transport does not reach"
        let flaw = from.flaw(ofLinkTo: target) ?? (reachesOneServer && !isSameOrigin ? mustStay : nil)
        if let flaw {
            // A URL without a host may consist of data.
            let place = target.host?.isEmpty == false ? ": '\(target.shownPlace)'" : ""
            let detail = "it was redirected \(flaw)\(place)"
            throw TransportError(.redirectRefused, request: request, detail: detail)
        }
        var next = request
        next.url = target
        let method = request.method ?? .get
        if Self.turnsIntoGet(head.status, method) {
            next.turnIntoGet()
        } else if let stream = next.httpBodyStream, !(stream is BodyInputStream) {
            throw TransportError(.bodyNotReplayable, request: request)
        }
        if !isSameOrigin { CredentialFields(sensitiveHeaders: sensitiveHeaders).remove(from: &next) }
        return next
    }

    /// Returns whether the next request is a GET (RFC 9110 §15.4.2–4): after 303 unless the request was a HEAD; after
    /// 301 and 302 if it was a POST, as browsers do; never after 307 and 308.
    private static func turnsIntoGet(_ status: Int, _ method: HTTPMethod) -> Bool {
        switch status {
        case 303: method != .head && method != .get
        case 301, 302: method == .post
        default: false
        }
    }

    /// Returns the first `Location` field, as curl and browsers do, or the joined value of a transport that joins
    /// fields of one name.
    private static func location(of head: ResponseHead) -> String? {
        head.knownFields?.values(named: "Location").first ?? head.value(of: "Location")
    }
}
