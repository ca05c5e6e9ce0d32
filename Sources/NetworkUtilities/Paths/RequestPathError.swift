/// The error for a request path that is empty or a complete URL, or whose values would change the resource it
/// addresses.
///
/// The description names the place in the path, never the value there.
@nonexhaustive
public enum RequestPathError: Error, Hashable, Sendable {
    /// The path is empty. Use `/` for the base URL with a slash at its end.
    case emptyPath

    /// A value is empty and would leave an empty segment, as in `/users//posts`.
    case emptySegment(Place)

    /// A segment is `.` or `..`, escaped or not, which addresses another level of the hierarchy (RFC 3986 §5.2.4).
    case dotSegment(Place)

    /// The path begins with `http://` or `https://`: it would be appended to the base URL instead of naming a server.
    /// Use `get(url:)` and the other steps with `url:` for a complete URL; write a `/` in front of a path that has this
    /// form.
    case completeURL(Place)

    /// The base URL and the path don't form a valid URL together.
    case notAURL(Place)

    /// The place of an error in a path.
    public struct Place: Hashable, Sendable {
        /// The label of the value: `{2}` for the second value, `{/id}` for an expression of a template; nil for the
        /// literal itself.
        public let value: String?

        /// The path, with the label of each value in its place.
        public let path: String

        /// Creates a place.
        public init(value: String?, path: String) {
            self.value = value
            self.path = path
        }
    }
}

extension RequestPathError: DescribedError {
    /// A sentence that names the place.
    public var description: String {
        switch self {
        case .emptyPath:
            "The path is empty: use '/', or get(url:) for the base URL itself."
        case .emptySegment(let place):
            "The path '\(place.path)' cannot be used: \(place.subject) is empty, and its segment would be missing."
        case .dotSegment(let place):
            "The path '\(place.path)' cannot be used: \(place.subject) forms a segment '.' or '..', "
                + "which addresses another resource."
        case .completeURL(let place):
            "The path '\(place.path)' cannot be used: \(place.subject) is a complete URL; pass it to "
                + "get(url:) or get(http:), or begin it with '/' if it is a path."
        case .notAURL(let place):
            "The path '\(place.path)' cannot be used: it doesn't form a valid URL together with the base URL."
        }
    }
}

extension RequestPathError.Place {
    fileprivate var subject: String {
        value.map { "the value \($0)" } ?? "the path itself"
    }
}
