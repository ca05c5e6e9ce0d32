/// A cookie that cannot be sent as it was given.
///
/// The text never holds the cookie's value.
public enum InvalidCookie: Error, Hashable, Sendable {
    /// The name is no token (RFC 9110 §5.6.2).
    case name(String)

    /// The value of the named cookie holds what no value may (RFC 6265 §4.1.1).
    case value(name: String)

    /// Name and value have more than 4,096 bytes together.
    case length(Int)

    /// The domain of the named cookie is no host.
    case domain(String, name: String)

    /// The domain of the named cookie has no names below it that a cookie may be shared with.
    case sharedDomain(String, name: String)

    /// The path of the named cookie is no absolute path.
    case path(name: String)

    /// The named cookie is not what the beginning of its name says (RFC 6265bis §4.1.3).
    case prefix(name: String)
}

extension InvalidCookie: CustomStringConvertible {
    /// One sentence that names the cookie.
    public var description: String {
        switch self {
        case .name(let name):
            "The cookie name \(name.debugDescription) is not a token: use letters, digits and !#$%&'*+-.^_`|~ only."
        case .value(let name):
            "The value of the cookie '\(name)' holds a space, a control character, a character beyond ASCII or one "
                + "of the characters \",;\\, which no cookie may."
        case .length(let count):
            "A cookie of \(count) bytes is too long: name and value have at most 4096 together."
        case .domain(let domain, let name):
            "The domain \(domain.debugDescription) of the cookie '\(name)' is not a host."
        case .sharedDomain(let domain, let name):
            "The cookie '\(name)' cannot be shared with the hosts below \(domain.debugDescription), "
                + "which is an address or has a single label."
        case .path(let name):
            "The path of the cookie '\(name)' does not begin with a slash, has more than 1024 bytes or holds what no "
                + "path may."
        case .prefix(let name):
            "The cookie '\(name)' is not what its name says: '__Secure-' is for secure cookies, '__Host-' for secure "
                + "ones of a single host and the path '/'."
        }
    }
}
