/// Which redirects a call follows.
///
/// Whatever the policy, credentials do not follow to another origin, and a redirect from https to http is refused.
public struct RedirectPolicy: Hashable, Sendable {
    private enum Kind: String {
        case follow
        case sameOrigin
        case none
    }

    private let kind: Kind

    /// All of them, 20 at the most.
    public static let follow = RedirectPolicy(kind: .follow)

    /// Those to the origin (scheme, host and port) that the request was for; any other is the answer itself.
    public static let sameOrigin = RedirectPolicy(kind: .sameOrigin)

    /// None: the 3xx is the answer, which ``AcceptedStatuses`` judges.
    public static let none = RedirectPolicy(kind: .none)

    /// What tells it from others.
    var name: String { kind.rawValue }

    /// Whether it follows any redirect at all.
    var followsSome: Bool { kind != .none }

    func follows(toSameOrigin isSameOrigin: Bool) -> Bool {
        switch kind {
        case .follow: true
        case .sameOrigin: isSameOrigin
        case .none: false
        }
    }
}
