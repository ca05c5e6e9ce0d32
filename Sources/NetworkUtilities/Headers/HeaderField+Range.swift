extension HeaderField {
    /// `Range`: only these bytes of the resource (RFC 9110 §14.2), as in `bytes=0-499`.
    ///
    /// - Parameter bytes: The first and the last byte, counted from 0; the answer ends sooner if the resource does.
    /// - Returns: The field.
    /// - Throws: ``HeaderFieldError/invalidRange`` if the first byte is negative.
    public static func range(bytes: ClosedRange<Int>) throws(HeaderFieldError) -> HeaderField {
        guard bytes.lowerBound >= 0 else { throw .invalidRange }
        return HeaderField(known: "Range", "bytes=\(bytes.lowerBound)-\(bytes.upperBound)")
    }

    /// `Range`: the bytes of the resource from one on (RFC 9110 §14.2), as in `bytes=500-`.
    ///
    /// - Parameter bytes: The first byte, counted from 0.
    /// - Returns: The field.
    /// - Throws: ``HeaderFieldError/invalidRange`` if it is negative.
    public static func range(bytes: PartialRangeFrom<Int>) throws(HeaderFieldError) -> HeaderField {
        guard bytes.lowerBound >= 0 else { throw .invalidRange }
        return HeaderField(known: "Range", "bytes=\(bytes.lowerBound)-")
    }

    /// `Range`: the end of the resource (RFC 9110 §14.2), as in `bytes=-500`.
    ///
    /// - Parameter lastBytes: How many bytes; a resource that is shorter is sent whole.
    /// - Returns: The field.
    /// - Throws: ``HeaderFieldError/invalidRange`` if it is not more than 0.
    public static func range(lastBytes: Int) throws(HeaderFieldError) -> HeaderField {
        guard lastBytes > 0 else { throw .invalidRange }
        return HeaderField(known: "Range", "bytes=-\(lastBytes)")
    }
}
