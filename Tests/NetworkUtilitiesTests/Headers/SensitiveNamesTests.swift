import NetworkUtilities

struct SensitiveNamesTests {
    @Test(.spec(184)) func aHeaderFieldThatIsNamedLikeAKeyIsACredentialAndOneThatOnlySoundsLikeItIsNot() {
        for name in [
            "X-Auth-Key", "x-functions-key", "X-Parse-Master-Key", "DD-APPLICATION-KEY", "DD-API-KEY", "X-Master-Key",
            "X-App-Key", "X-Key", "Key", "x-amz-server-side-encryption-customer-key", "X-RapidAPI-Key", "X-Otp",
            "X-Pin", "Session", "Sid", "X-Session", "X-Auth", "X-Hub-Signature", "X-Password",
            "Ocp-Apim-Subscription-Key", "Idempotency-Key-Token", "X-Secret-Cache-Key",
        ] {
            expect([name, name.lowercased()].map(SensitiveNames.isHeader), [true, true], name)
        }
        for name in [
            "Idempotency-Key", "X-Idempotency-Key", "Sec-WebSocket-Key", "Sec-WebSocket-Accept", "Surrogate-Key",
            "X-Cache-Key", "x-ms-documentdb-partitionkey", "Partition-Key", "Keep-Alive", "Accept", "X-Keyboard",
            "Origin", "Content-Type", "ETag", "X-Request-ID", "X-Pinned", "X-Turnkey-Monkey", "",
        ] {
            expect(SensitiveNames.isHeader(name), false, name)
        }
    }
}
