import NetworkUtilities

struct SensitiveNamesTests {
    @Test(.spec(184)) func aHeaderFieldThatIsNamedLikeAKeyIsACredentialAndOneThatOnlySoundsLikeItIsNot() {
        for name in [
            "X-Auth-Key", "x-functions-key", "X-Parse-Master-Key", "DD-APPLICATION-KEY", "DD-API-KEY", "X-Master-Key",
            "X-App-Key", "X-Key", "Key", "x-amz-server-side-encryption-customer-key", "X-RapidAPI-Key", "X-Otp",
            "X-Pin", "Session", "Sid", "X-Session", "X-Auth", "X-Hub-Signature", "X-Password",
            "Ocp-Apim-Subscription-Key", "X-Primary-Key", "Idempotency-Key-Token", "X-Secret-Cache-Key",
        ] {
            expect([name, name.lowercased()].map(SensitiveNames.contains), [true, true], name)
        }
        for name in [
            "Idempotency-Key", "X-Idempotency-Key", "Sec-WebSocket-Key", "Sec-WebSocket-Accept", "Surrogate-Key",
            "X-Cache-Key", "x-ms-documentdb-partitionkey", "Partition-Key", "Keep-Alive", "Accept", "X-Keyboard",
            "Origin", "Content-Type", "ETag", "X-Request-ID", "X-Pinned", "X-Turnkey-Monkey", "X-Sitekey",
            "X-Object-Key", "XCode", "",
        ] {
            expect(SensitiveNames.contains(name), false, name)
        }
    }

    @Test(.spec(219)) func aFieldThatIsNamedLikeASecretIsOneAndOneThatOnlySoundsLikeItIsNot() {
        for name in [
            "AccountKey", "primaryKey", "secondaryKey", "session_key", "storageKey", "user_pass", "db_pass", "smtpPass",
            "pw", "puk", "dsn", "iban",
            "ssn", "pan", "appid", "PHPSESSID", "sessid", "connectionString", "mfa_code", "mfaCode", "sms_code",
            "one_time_code", "reset_code", "device_code", "user_code", "magicLink", "magic_link", "mnemonic",
            "seed_phrase", "card_number", "cardNumber", "securityAnswer", "SAMLRequest", "passwort", "contraseña",
            "mot_de_passe", "sas", "user[pw]", "card.pan", "cvc", "code", "key", "refresh_token",
            "error_description",
        ] {
            expect(SensitiveNames.contains(name), true, name)
        }
        for name in [
            "id", "name", "status_code", "errorCode", "country_code", "postalCode", "zip_code", "currencyCode",
            "publicKey", "siteKey", "issueKey", "foreignKey", "sortKey", "objectKey", "monkey", "compass", "bypass",
            "passed",
            "company", "japan", "span", "keyboard", "email", "state", "sitekey", "xcode",
        ] {
            expect(SensitiveNames.contains(name), false, name)
        }
    }
}
