/// The names of header fields, query items, and fields of forms and JSON whose values are secret by default: one list
/// for all of them.
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

    /// Returns whether the value of a header field, a query item, or a field of a form or of JSON is secret.
    ///
    /// Services use many names for their keys, so every name that ends in `key` or `pass` is secret, except for known
    /// harmless ones. `X-Pin`, `user[pin]` and `user.pin` are treated as `pin`.
    ///
    /// The first names of a process are remembered, since a client sends and receives the same ones again and again.
    package static func contains(_ name: String) -> Bool {
        if let known = judged.withLock({ $0[name] }) { return known }
        let isSecret = marksSecret(name)
        judged.withLock { if $0.count < mostJudged, name.utf8.count <= longestJudged { $0[name] = isSecret } }
        return isSecret
    }

    private static let judged = Locked<[String: Bool]>([:])
    private static let mostJudged = 512
    private static let longestJudged = 64

    private static func marksSecret(_ name: String) -> Bool {
        let name = name.lowercased().hasPrefix("x-") ? name.dropFirst(2) : name[...]
        guard !isSecret(key(name)) else { return true }
        let last = name.split { $0 == "[" || $0 == "]" || $0 == "." }.last
        return last.map { isSecret(key($0)) } ?? false
    }

    /// Returns whether a name is that of a number of tokens, as a language model counts them: `total_tokens`.
    package static func countsTokens(_ name: String) -> Bool {
        let key = key(name)
        return ["tokens", "tokencount"].contains { key.hasSuffix($0) && !isSecret(String(key.dropLast($0.count))) }
    }

    private static func isSecret(_ key: String) -> Bool {
        names.contains(key) || hasTellingEnd(key) || holdsTellingPart(key)
    }

    /// Returns whether a name ends in `key` or `pass`, except for known harmless ones.
    private static func hasTellingEnd(_ key: String) -> Bool {
        guard key.hasSuffix("key") || key.hasSuffix("pass") else { return false }
        return !harmlessEnds.contains { key.hasSuffix($0) }
    }

    /// Returns whether a name, in the form of ``key(_:)``, contains a word, such as "token", that always marks a
    /// secret.
    private static func holdsTellingPart(_ key: String) -> Bool {
        let bytes = Array(key.utf8)
        return tellingParts.contains { ASCII.contains($0, in: bytes) }
    }

    private static let tellingParts: [[UInt8]] = [
        "token", "secret", "password", "passwd", "passphrase", "passcode", "pwd", "credential", "authorization",
        "cookie", "signature", "apikey", "accesskey", "privatekey", "subscriptionkey", "sessionid", "jwt", "csrf",
        "xsrf", "bearer", "assertion", "authkey", "masterkey", "encryptionkey", "signingkey", "sharedkey", "appkey",
        "applicationkey", "clientkey", "codeverifier", "samlresponse", "hmac", "totp", "authcode", "otpcode", "pincode",
        "recoverycode", "backupcode", "verificationcode", "securitycode", "accesscode", "devicecode", "usercode",
        "mfacode", "smscode", "onetimecode", "resetcode", "logincode", "confirmationcode", "activationcode",
        "magiclink", "connectionstring", "seedphrase", "mnemonic", "sessid", "samlrequest", "cardnumber",
        "securityanswer",
    ].map { Array($0.utf8) }

    /// The ends of names that do not mark a credential, and of words that only happen to end in "key" or "pass".
    private static let harmlessEnds = [
        "idempotencykey", "websocketkey", "surrogatekey", "cachekey", "partitionkey", "publickey", "routingkey",
        "sortkey", "foreignkey", "uniquekey", "objectkey", "lookupkey", "translationkey", "localekey", "messagekey",
        "issuekey", "projectkey", "parentkey", "sitekey", "hotkey", "monkey", "turkey", "donkey", "whiskey", "hockey",
        "jockey", "compass", "bypass", "overpass", "underpass", "trespass", "boardingpass", "lowpass", "highpass",
        "bandpass", "multipass",
    ]

    /// Words that mark a secret only as a whole name: as parts of names, they are too common.
    ///
    /// `error_description` (RFC 6749 §5.2) is a text in which a server may quote the token or code that it refuses.
    private static let names: Set<String> = [
        "auth", "authentication", "authenticationinfo", "code", "cvc", "cvv", "dpop", "errordescription",
        "firebaseappcheck", "key", "otp", "pass", "pin", "recaptcharesponse", "session", "sid", "sig", "ticket",
        "appid", "contraseña", "dsn", "iban", "motdepasse", "pan", "passwort", "puk", "pw", "sas", "ssn",
        // Services put tokens there.
        "secwebsocketprotocol",
    ]
}
