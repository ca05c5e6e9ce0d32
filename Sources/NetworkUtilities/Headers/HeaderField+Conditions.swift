extension HeaderField {
    /// `If-None-Match`: the request applies only if the resource has none of these tags (RFC 9110 §13.1.2).
    ///
    /// The server responds with 304 to a GET for an unchanged resource. Without tags, the field is left out.
    public static func ifNoneMatch(_ tags: [EntityTag]) -> HeaderField {
        HeaderField(known: "If-None-Match", list(tags.map(\.value)))
    }

    /// `If-None-Match: *`: the request applies only if the resource does not exist (RFC 9110 §13.1.2).
    public static let ifNoneMatchAny = HeaderField(known: "If-None-Match", "*")

    /// `If-Match`: the request applies only if the resource has one of these tags (RFC 9110 §13.1.1), so that it does
    /// not overwrite another client's change.
    ///
    /// Weak tags never match.
    ///
    /// - Throws: ``HeaderFieldError/missingCondition(name:)`` without tags: a request without its condition could
    ///   overwrite a change.
    public static func ifMatch(_ tags: [EntityTag]) throws(HeaderFieldError) -> HeaderField {
        guard !tags.isEmpty else { throw .missingCondition(name: "If-Match") }
        return HeaderField(known: "If-Match", list(tags.map(\.value)))
    }

    /// `If-Match: *`: the request applies only if the resource exists (RFC 9110 §13.1.1).
    public static let ifMatchAny = HeaderField(known: "If-Match", "*")

    /// `If-Modified-Since`: the request applies only if the resource has changed since a date (RFC 9110 §13.1.3).
    ///
    /// The date is sent in whole seconds. Outside the years 0001 to 9999, the field is left out and the response is
    /// complete.
    public static func ifModifiedSince(_ date: Date) -> HeaderField {
        HeaderField(known: "If-Modified-Since", HTTPDate.text(of: date))
    }

    /// `If-Unmodified-Since`: the request applies only if the resource has not changed since a date (RFC 9110 §13.1.4).
    ///
    /// The date is sent in whole seconds.
    ///
    /// - Throws: ``HeaderFieldError/invalidDate(name:)`` outside the years 0001 to 9999: a request without its
    ///   condition could overwrite a change.
    public static func ifUnmodifiedSince(_ date: Date) throws(HeaderFieldError) -> HeaderField {
        guard let text = HTTPDate.text(of: date) else { throw .invalidDate(name: "If-Unmodified-Since") }
        return HeaderField(known: "If-Unmodified-Since", text)
    }

    /// `If-Range`: the server sends the range if the resource still has this tag, otherwise the whole resource (RFC
    /// 9110 §13.1.5).
    ///
    /// - Throws: ``HeaderFieldError/weakEntityTag(name:)`` for a weak tag, which does not guarantee equal bytes.
    public static func ifRange(_ tag: EntityTag) throws(HeaderFieldError) -> HeaderField {
        guard !tag.isWeak else { throw .weakEntityTag(name: "If-Range") }
        return HeaderField(known: "If-Range", tag.value)
    }

    /// `Range`: only these bytes of the resource (RFC 9110 §14.2), as in `bytes=0-499`.
    ///
    /// Positions are counted from 0; the last one may be beyond the end of the resource.
    ///
    /// - Throws: ``HeaderFieldError/invalidRange`` if the first position is negative.
    public static func range(bytes: ClosedRange<Int>) throws(HeaderFieldError) -> HeaderField {
        guard bytes.lowerBound >= 0 else { throw .invalidRange }
        return HeaderField(known: "Range", "bytes=\(bytes.lowerBound)-\(bytes.upperBound)")
    }

    /// `Range`: the bytes of the resource from a position to the end (RFC 9110 §14.2), as in `bytes=500-`.
    ///
    /// - Throws: ``HeaderFieldError/invalidRange`` if the position is negative.
    public static func range(bytes: PartialRangeFrom<Int>) throws(HeaderFieldError) -> HeaderField {
        guard bytes.lowerBound >= 0 else { throw .invalidRange }
        return HeaderField(known: "Range", "bytes=\(bytes.lowerBound)-")
    }

    /// `Range`: the last bytes of the resource (RFC 9110 §14.2), as in `bytes=-500`.
    ///
    /// A shorter resource is sent whole.
    ///
    /// - Throws: ``HeaderFieldError/invalidRange`` if the number is below 1.
    public static func range(lastBytes: Int) throws(HeaderFieldError) -> HeaderField {
        guard lastBytes > 0 else { throw .invalidRange }
        return HeaderField(known: "Range", "bytes=-\(lastBytes)")
    }
}
