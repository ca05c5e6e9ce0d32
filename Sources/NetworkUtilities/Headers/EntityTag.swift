/// What a server calls one state of a resource, its `ETag` (RFC 9110 §8.8.3).
///
/// ```swift
/// let tag = try EntityTag(parsing: #"W/"v1""#)
/// let request = URLRequest.get(url: url).set(header: .ifNoneMatch([tag])).build()
/// ```
public struct EntityTag: Hashable, Sendable {
    /// The tag without its quotes.
    public let tag: String

    /// Whether the tag says only that two states mean the same, not that they are the same bytes.
    public let isWeak: Bool

    /// Takes a tag.
    ///
    /// - Parameters:
    ///   - tag: The tag without quotes.
    ///   - isWeak: Whether it is weak.
    /// - Throws: ``InvalidEntityTag`` if it holds a space, a quote or a control character.
    public init(_ tag: String, isWeak: Bool = false) throws(InvalidEntityTag) {
        guard tag.utf8.allSatisfy(Self.isTagCharacter) else { throw InvalidEntityTag(text: tag) }
        self.tag = tag
        self.isWeak = isWeak
    }

    /// Reads a tag as it stands in a header field: `"v1"`, or `W/"v1"` for a weak one.
    ///
    /// - Parameter text: The value of an `ETag` field; white space around it does not count.
    /// - Throws: ``InvalidEntityTag`` for anything else, such as a tag without quotes, and a list of tags.
    public init(parsing text: String) throws(InvalidEntityTag) {
        var rest = Substring(text).utf8
        while let first = rest.first, HeaderField.isWhiteSpace(first) { rest.removeFirst() }
        while let last = rest.last, HeaderField.isWhiteSpace(last) { rest.removeLast() }
        isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.count >= 2, rest.first == QuotedString.quote, rest.last == QuotedString.quote else {
            throw InvalidEntityTag(text: text)
        }
        rest = rest.dropFirst().dropLast()
        guard rest.allSatisfy(Self.isTagCharacter) else { throw InvalidEntityTag(text: text) }
        tag = String(Substring(rest))
    }

    /// The tag as it stands in a header field.
    public var value: String { isWeak ? "W/\"\(tag)\"" : "\"\(tag)\"" }

    /// Whether two states are the same bytes (RFC 9110 §8.8.3.2): the tags are equal and neither is weak.
    ///
    /// - Parameter other: The other tag.
    /// - Returns: Whether they are; false also for a weak tag and itself.
    public func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && weaklyMatches(other)
    }

    /// Whether two states mean the same (RFC 9110 §8.8.3.2): the tags are equal, weak or not.
    ///
    /// - Parameter other: The other tag.
    /// - Returns: Whether they do.
    public func weaklyMatches(_ other: EntityTag) -> Bool {
        tag.utf8.elementsEqual(other.tag.utf8)
    }

    /// `etagc` of RFC 9110 §8.8.3: backslashes mean themselves, so there is no way to write a quote.
    private static func isTagCharacter(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != QuotedString.quote && byte != 0x7F
    }
}

extension EntityTag: CustomStringConvertible {
    /// The tag as it stands in a header field.
    public var description: String { value }
}
