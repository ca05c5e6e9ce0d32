extension HeaderField {
    /// `Accept`: the media type that the answer should have (RFC 9110 §12.5.1).
    ///
    /// - Parameter type: The media type.
    /// - Returns: The field.
    public static func accept(type: MediaType) -> HeaderField {
        HeaderField(known: "Accept", type.value)
    }

    /// `Content-Type`: the media type of the request's body (RFC 9110 §8.3).
    ///
    /// A body step supplies one already; this replaces it.
    ///
    /// - Parameter type: The media type.
    /// - Returns: The field.
    public static func content(type: MediaType) -> HeaderField {
        HeaderField(known: "Content-Type", type.value)
    }

    /// `Accept-Language`: the languages that the answer should be in (RFC 9110 §12.5.4).
    ///
    /// - Parameter value: One or more language ranges, such as `el-GR, en;q=0.5`.
    /// - Returns: The field.
    public static func language(value: String) -> HeaderField {
        HeaderField(known: "Accept-Language", value)
    }

    /// `Cache-Control`: what caches on the way may do (RFC 9111 §5.2.1).
    ///
    /// - Parameter value: One or more directives, such as `no-cache` or `max-age=60, only-if-cached`.
    /// - Returns: The field.
    public static func cacheControl(value: String) -> HeaderField {
        HeaderField(known: "Cache-Control", value)
    }

    /// `Idempotency-Key`: names an operation, so that a server does it once however often the request arrives.
    ///
    /// The key goes on the wire as it is. A server that keeps to the draft of the standard
    /// (draft-ietf-httpapi-idempotency-key-header) wants it in quotes, which are then part of what is passed here.
    ///
    /// - Parameter key: The key, a new one for each operation, such as `UUID().uuidString`.
    /// - Returns: The field.
    public static func idempotencyKey(_ key: String) -> HeaderField {
        HeaderField(known: "Idempotency-Key", key)
    }

    /// Any other field.
    ///
    /// - Parameters:
    ///   - name: A token (RFC 9110 §5.6.2). With a name that is none the field is left out.
    ///   - value: The value, in which control characters become spaces (RFC 9110 §5.5). With nil the field is left out.
    /// - Returns: The field.
    public static func custom(name: String, value: String?) -> HeaderField {
        HeaderField(repairing: name, value)
    }
}
