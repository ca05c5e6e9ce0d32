/// The identifier of one state of a resource, from `ETag` (RFC 9110 §8.8.3).
///
/// ```swift
/// let tag = try EntityTag(parsing: #"W/"v1""#)
/// let request = URLRequest.get(url: url).set(header: .ifNoneMatch([tag])).build()
/// ```
public struct EntityTag: Hashable, Sendable {
    /// The tag without its quotes.
    public let tag: String

    /// Whether equal tags guarantee equal meaning only, not equal bytes.
    public let isWeak: Bool

    /// Creates a tag from a text without quotes.
    ///
    /// - Throws: ``EntityTagError`` if the text contains a space, a quote or a control character.
    public init(_ tag: String, isWeak: Bool = false) throws(EntityTagError) {
        guard tag.utf8.allSatisfy(Self.isTagCharacter) else { throw EntityTagError(text: tag) }
        self.tag = tag
        self.isWeak = isWeak
    }

    /// Creates a tag from the value of an `ETag` field: `"v1"`, or `W/"v1"` for a weak tag.
    ///
    /// - Throws: ``EntityTagError`` for other texts, such as a tag without quotes or a list of tags.
    public init(parsing text: String) throws(EntityTagError) {
        var rest = ASCII.trimmed(text.utf8)
        isWeak = rest.starts(with: "W/".utf8)
        if isWeak { rest = rest.dropFirst(2) }
        guard rest.count >= 2, rest.first == QuotedString.quote, rest.last == QuotedString.quote else {
            throw EntityTagError(text: text)
        }
        rest = rest.dropFirst().dropLast()
        guard rest.allSatisfy(Self.isTagCharacter) else { throw EntityTagError(text: text) }
        tag = String(Substring(rest))
    }

    /// The tag in quotes, as in a header field, with `W/` before them if the tag is weak.
    public var value: String { isWeak ? "W/\"\(tag)\"" : "\"\(tag)\"" }

    /// Returns whether both states have the same bytes (RFC 9110 §8.8.3.2): the tags are equal and neither is weak.
    public func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && weaklyMatches(other)
    }

    /// Returns whether both states have the same meaning (RFC 9110 §8.8.3.2): the tags are equal, weak or not.
    public func weaklyMatches(_ other: EntityTag) -> Bool {
        tag.utf8.elementsEqual(other.tag.utf8)
    }

    /// Returns whether the byte is allowed in a tag (`etagc` of RFC 9110 §8.8.3, in which quotes cannot be escaped).
    private static func isTagCharacter(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != QuotedString.quote && byte != 0x7F
    }
}

extension EntityTag: CustomStringConvertible {
    /// The same text as ``value``.
    public var description: String { value }
}

/// The error for a text that is not an entity tag (RFC 9110 §8.8.3).
public struct EntityTagError: Error, Hashable, Sendable, DescribedError {
    /// The invalid text.
    public let text: String

    package init(text: String) {
        self.text = text
    }

    /// One sentence that quotes the text.
    public var description: String {
        "The entity tag \(text.debugDescription) is not valid: a tag must not contain spaces, quotes and control "
            + "characters; in a header field it is in quotes, with W/ before them if it is weak."
    }
}
