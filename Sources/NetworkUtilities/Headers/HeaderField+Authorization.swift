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

    /// `Authorization` with a credential that the request cannot do without.
    ///
    /// - Parameter credential: The credential, if there is one.
    /// - Returns: The field.
    /// - Throws: ``HeaderFieldError/missingCredential`` if there is none, so that nothing is sent.
    public static func authorisation(required credential: Credential?) throws(HeaderFieldError) -> HeaderField {
        guard let credential else { throw .missingCredential }
        return authorisation(credential)
    }

    /// `Authorization` with a credential if there is one; the field is left out if not.
    ///
    /// - Parameter credential: The credential, if there is one.
    /// - Returns: The field.
    public static func authorisation(optional credential: Credential?) -> HeaderField {
        HeaderField(known: "Authorization", credential?.value)
    }
}
