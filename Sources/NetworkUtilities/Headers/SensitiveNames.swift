/// The names of header fields, query items and form fields whose values are secret by default.
///
/// The values of such fields are masked in `HeaderField.description` and in logs, and do not follow a redirect to
/// another origin. NetworkClient's `CredentialFields` adds fields that stay with their origin without being secret.
package enum SensitiveNames {
    /// Returns the name in the form in which names are compared: lowercase letters and digits, without punctuation.
    package static func key(_ name: some StringProtocol) -> String {
        let bytes = name.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: ASCII.lowercased(byte)
            default: nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether a header field of this name is secret.
    ///
    /// Services use many names for their keys, so every name that ends in `-Key` is secret, except for known harmless
    /// ones.
    package static func isHeader(_ name: String) -> Bool {
        let key = key(name)
        if headers.contains(key) || key.hasPrefix("x") && headers.contains(String(key.dropFirst())) { return true }
        if key.hasSuffix("key") { return !harmlessKeys.contains { key.hasSuffix($0) } || holdsTellingPart(key) }
        return holdsTellingPart(key)
    }

    /// Returns whether a query item, or a field of a form or of JSON, is secret; `user[pin]` and `user.pin` are treated
    /// as `pin`.
    package static func isField(_ name: String) -> Bool {
        let key = key(name)
        guard !fields.contains(key), !holdsTellingPart(key) else { return true }
        let last = name.split { $0 == "[" || $0 == "]" || $0 == "." }.last
        return last.map { fields.contains(self.key($0)) } ?? false
    }

    /// Returns whether a name, in the form of ``key(_:)``, contains a word, such as "token", that always marks a
    /// secret.
    package static func holdsTellingPart(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        return tellingParts.contains { ASCII.contains($0, in: bytes) }
    }

    private static let tellingParts: [[UInt8]] = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "credential", "authorization",
        "cookie", "signature", "apikey", "accesskey", "privatekey", "subscriptionkey", "sessionid", "jwt", "csrf",
        "xsrf", "bearer", "assertion", "authkey", "masterkey", "encryptionkey", "signingkey", "sharedkey", "appkey",
        "applicationkey", "clientkey", "codeverifier", "samlresponse", "hmac", "totp", "authcode", "otpcode", "pincode",
        "recoverycode", "backupcode", "verificationcode", "securitycode", "accesscode",
    ].map { Array($0.utf8) }

    /// Non-standard fields that carry credentials, with and without `X-`.
    private static let headers: Set<String> = [
        "auth", "authentication", "dpop", "otp", "pass", "pin", "session", "sid", "ticket",
    ]

    /// The ends of names that do not mark a credential, and of words that only happen to end in "key".
    private static let harmlessKeys = [
        "idempotencykey", "websocketkey", "surrogatekey", "cachekey", "partitionkey", "publickey", "routingkey",
        "sortkey", "monkey",
    ]

    /// Words that mark a secret only as a whole name: as parts of names, they are too common.
    private static let fields: Set<String> = [
        "auth", "authentication", "code", "cvc", "cvv", "key", "otp", "pass", "pin", "session", "sid", "sig", "ticket",
    ]
}
