extension HeaderField {
    /// `Authorization` with a value of your own, to which nothing is added (RFC 9110 §11.6.2).
    ///
    /// - Parameter auth: The whole value, scheme included.
    /// - Returns: The field.
    public static func authorisation(auth: String) -> HeaderField {
        HeaderField(known: "Authorization", auth)
    }

    /// `Authorization` with a credential in a scheme that this library knows how to write.
    ///
    /// - Parameter credential: The credential, such as `.bearer("token")`.
    /// - Returns: The field.
    public static func authorisation(_ credential: Credential) -> HeaderField {
        HeaderField(known: "Authorization", credential.value)
    }

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
