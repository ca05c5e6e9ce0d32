public import Foundation

extension HeaderField {
    /// `If-None-Match`: only if the resource is in none of these states (RFC 9110 §13.1.2).
    ///
    /// A GET is then answered with 304 instead of what the client has already.
    ///
    /// - Parameter tags: The states; without any the field is left out.
    /// - Returns: The field.
    public static func ifNoneMatch(_ tags: [EntityTag]) -> HeaderField {
        HeaderField(known: "If-None-Match", list(tags.map(\.value)))
    }

    /// `If-None-Match: *`: only if the resource does not exist yet (RFC 9110 §13.1.2).
    public static let ifNoneMatchAny = HeaderField(known: "If-None-Match", "*")

    /// `If-Match`: only if the resource is in one of these states (RFC 9110 §13.1.1), so that no change is lost.
    ///
    /// - Parameter tags: The states, of which weak ones never match.
    /// - Returns: The field.
    /// - Throws: ``HeaderFieldError/missingCondition(name:)`` without any tag, since a request without its condition
    ///   could overwrite what it must not.
    public static func ifMatch(_ tags: [EntityTag]) throws(HeaderFieldError) -> HeaderField {
        guard !tags.isEmpty else { throw .missingCondition(name: "If-Match") }
        return HeaderField(known: "If-Match", list(tags.map(\.value)))
    }

    /// `If-Match: *`: only if the resource exists (RFC 9110 §13.1.1).
    public static let ifMatchAny = HeaderField(known: "If-Match", "*")

    /// `If-Modified-Since`: only if the resource has changed since then (RFC 9110 §13.1.3).
    ///
    /// - Parameter date: The moment, of which HTTP keeps whole seconds. With one outside the years 0001 to 9999 the
    ///   field is left out, and the answer is a full one.
    /// - Returns: The field.
    public static func ifModifiedSince(_ date: Date) -> HeaderField {
        HeaderField(known: "If-Modified-Since", HTTPDate.text(of: date))
    }

    /// `If-Unmodified-Since`: only if the resource has not changed since then (RFC 9110 §13.1.4).
    ///
    /// - Parameter date: The moment, of which HTTP keeps whole seconds.
    /// - Returns: The field.
    /// - Throws: ``HeaderFieldError/invalidDate(name:)`` outside the years 0001 to 9999, since a request without its
    ///   condition could overwrite what it must not.
    public static func ifUnmodifiedSince(_ date: Date) throws(HeaderFieldError) -> HeaderField {
        guard let text = HTTPDate.text(of: date) else { throw .invalidDate(name: "If-Unmodified-Since") }
        return HeaderField(known: "If-Unmodified-Since", text)
    }

    /// `If-Range`: the range that `Range` asks for if the resource is still in this state, else all of it.
    ///
    /// - Parameter tag: The state (RFC 9110 §13.1.5).
    /// - Returns: The field.
    /// - Throws: ``HeaderFieldError/weakEntityTag(name:)`` for a weak tag, whose bytes may differ.
    public static func ifRange(_ tag: EntityTag) throws(HeaderFieldError) -> HeaderField {
        guard !tag.isWeak else { throw .weakEntityTag(name: "If-Range") }
        return HeaderField(known: "If-Range", tag.value)
    }
}
