/// A path that would lead elsewhere than it says.
///
/// The text names the place, never the value that stands there.
public enum RequestPathError: Error, Hashable, Sendable {
    /// There is no path at all: `/` stands for the base URL with a slash behind it.
    case emptyPath

    /// A value is empty and would leave a segment without a name, as in `/users//posts`.
    case emptySegment(Place)

    /// A segment is `.` or `..`, escaped or not, which stands for another place in the hierarchy (RFC 3986 §5.2.4).
    case dotSegment(Place)

    /// The base URL and the path make no URL together.
    case notAURL(Place)

    /// Where in a path something is wrong.
    public struct Place: Hashable, Sendable {
        /// The value: `{2}` for the second one, `{/id}` for an expression of a template; nil for the literal itself.
        public let value: String?

        /// The path, with each value as its place in braces.
        public let path: String

        /// Names a place.
        ///
        /// - Parameters:
        ///   - value: The value, if it is one.
        ///   - path: The path.
        public init(value: String?, path: String) {
            self.value = value
            self.path = path
        }
    }
}

extension RequestPathError: CustomStringConvertible {
    /// One sentence that names the place.
    public var description: String {
        switch self {
        case .emptyPath:
            "The path is empty: use '/', or get(url:) for the base URL itself."
        case .emptySegment(let place):
            "The path '\(place.path)' cannot be used: \(place.subject) is empty, and its segment would be missing."
        case .dotSegment(let place):
            "The path '\(place.path)' cannot be used: \(place.subject) makes a segment '.' or '..', "
                + "which leads to another place."
        case .notAURL(let place):
            "The path '\(place.path)' cannot be used: it makes no URL together with the base URL."
        }
    }
}

extension RequestPathError.Place {
    fileprivate var subject: String {
        value.map { "the value \($0)" } ?? "the path itself"
    }
}
