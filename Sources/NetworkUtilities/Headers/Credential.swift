import Foundation

/// A credential as the `Authorization` field carries it: a scheme and what the scheme asks for (RFC 9110 §11.4).
///
/// Its text form (`description`) never shows the secret.
public struct Credential: Hashable, Sendable {
    /// The whole field value.
    let value: String

    private let scheme: String

    /// A bearer token (RFC 6750 §2.1): `Bearer <token>`.
    ///
    /// - Parameter token: The token.
    /// - Returns: The credential.
    public static func bearer(_ token: String) -> Credential {
        custom(scheme: "Bearer", token)
    }

    /// A user and a password (RFC 7617 §2), as UTF-8 in base64.
    ///
    /// - Parameters:
    ///   - user: The user's name; it cannot hold a colon, which ends it.
    ///   - password: The password, in which anything may stand.
    /// - Returns: The credential.
    /// - Throws: ``HeaderFieldError/colonInUserName`` if the name holds a colon.
    public static func basic(user: String, password: String) throws(HeaderFieldError) -> Credential {
        guard !user.utf8.contains(UInt8(ascii: ":")) else { throw .colonInUserName }
        return custom(scheme: "Basic", Data("\(user):\(password)".utf8).base64EncodedString())
    }

    /// A credential in any other scheme: `<scheme> <credential>`.
    ///
    /// - Parameters:
    ///   - scheme: The scheme's name, such as `Token`.
    ///   - credential: What follows it.
    /// - Returns: The credential.
    public static func custom(scheme: String, _ credential: String) -> Credential {
        Credential(value: "\(scheme) \(credential)", scheme: scheme)
    }
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The scheme, with the secret masked.
    public var description: String { "\(scheme) ***" }

    /// The scheme, with the secret masked.
    public var debugDescription: String { description }

    /// A mirror without children, so that `dump` shows no secret either.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
