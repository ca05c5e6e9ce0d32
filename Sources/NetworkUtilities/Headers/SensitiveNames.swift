/// The names whose values are secret by default.
///
/// One list for all: what a field prints of itself, what crosses origins, and what a log shows.
package enum SensitiveNames {
    /// The form in which names are compared: lower-case letters and digits, without punctuation.
    package static func key(_ name: some StringProtocol) -> String {
        let bytes = name.utf8.compactMap { byte -> UInt8? in
            switch byte {
            case 0x41...0x5A: byte | 0x20
            case 0x30...0x39, 0x61...0x7A, 0x80...: byte
            default: nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a header field of this name is secret: services give their keys to many names, so that a field named
    /// `…-Key` is, unless it is one of those that are known to be harmless.
    package static func isHeader(_ name: String) -> Bool {
        let key = key(name)
        if headers.contains(key) || key.hasPrefix("x") && headers.contains(String(key.dropFirst())) { return true }
        if key.hasSuffix("key") { return !harmlessKeys.contains { key.hasSuffix($0) } || holdsTellingPart(key) }
        return holdsTellingPart(key)
    }

    /// Whether a query item, or a field of a form or of JSON, is secret; `user[pin]` and `user.pin` are what `pin` is.
    package static func isField(_ name: String) -> Bool {
        let key = key(name)
        guard !fields.contains(key), !holdsTellingPart(key) else { return true }
        let last = name.split { $0 == "[" || $0 == "]" || $0 == "." }.last
        return last.map { fields.contains(self.key($0)) } ?? false
    }

    /// Whether a name, in the form in which names are compared, holds a word that tells a secret wherever it stands.
    package static func holdsTellingPart(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        return tellingParts.contains { ByteSearch.contains($0, in: bytes) }
    }

    private static let tellingParts: [[UInt8]] = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "credential", "authorization",
        "cookie", "signature", "apikey", "accesskey", "privatekey", "subscriptionkey", "sessionid", "jwt", "csrf",
        "xsrf", "bearer", "assertion", "authkey", "masterkey", "encryptionkey", "signingkey", "sharedkey", "appkey",
        "applicationkey", "clientkey", "codeverifier", "samlresponse", "hmac", "totp", "authcode", "otpcode", "pincode",
        "recoverycode", "backupcode", "verificationcode", "securitycode", "accesscode",
    ].map { Array($0.utf8) }

    /// Not standard fields, but credentials travel in them, with and without `X-`.
    private static let headers: Set<String> = [
        "auth", "authentication", "dpop", "otp", "pass", "pin", "session", "sid", "ticket",
    ]

    /// The ends of names that name no credential, and of words that are not made with "key".
    private static let harmlessKeys = [
        "idempotencykey", "websocketkey", "surrogatekey", "cachekey", "partitionkey", "publickey", "routingkey",
        "sortkey", "monkey",
    ]

    /// Words that are too common to tell a secret when they are only a part of a name.
    private static let fields: Set<String> = [
        "auth", "authentication", "code", "cvc", "cvv", "key", "otp", "pass", "pin", "session", "sid", "sig", "ticket",
    ]
}

/// A search in bytes: `contains` of a text in a text is newer than the oldest platforms.
package enum ByteSearch {
    /// Whether the bytes hold the others as one run.
    package static func contains(_ part: some Collection<UInt8>, in bytes: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard part.count <= bytes.count else { return false }
        return (0...bytes.count - part.count).contains { start in
            bytes[start] == first && bytes[start...].starts(with: part)
        }
    }
}
