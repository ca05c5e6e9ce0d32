/// A credential for the `Authorization` field: a scheme and its parameters (RFC 9110 §11.4).
///
/// Its text (`description`, `dump`) never shows the secret.
public struct Credential: Hashable, Sendable {
    /// The whole field value.
    let value: String

    private let scheme: String

    /// A bearer token (RFC 6750 §2.1): `Bearer <token>`.
    public static func bearer(_ token: String) -> Credential {
        custom(scheme: "Bearer", token)
    }

    /// A user name and a password (RFC 7617 §2), as UTF-8 in Base64.
    ///
    /// - Throws: ``HeaderFieldError/colonInUserName`` if the user name contains a colon; the password may.
    public static func basic(user: String, password: String) throws(HeaderFieldError) -> Credential {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUserName }
        return custom(scheme: "Basic", Data("\(user):\(password)".utf8).base64EncodedString())
    }

    /// A credential in any other scheme, such as `Token`: `<scheme> <credential>`.
    public static func custom(scheme: String, _ credential: String) -> Credential {
        Credential(value: "\(scheme) \(credential)", scheme: scheme)
    }
}

extension Credential: OpaqueValue {
    /// The scheme, with the secret masked.
    public var description: String { "\(scheme) ***" }
}
