import NetworkTestSupport
import Testing

struct TLSFailureTests {
    @Test(arguments: [
        (TLSFailure.unavailable, "There is no OpenSSL here."),
        (.disconnected, "The peer broke off the handshake."),
        (.alert(48), "The peer sent alert 48."),
        (
            .untrusted(10, reason: "certificate has expired"),
            "The peer's certificate is not trusted: certificate has expired (10)."
        ),
        (.library("no shared cipher"), "OpenSSL: no shared cipher."),
    ])
    func saysWhatFailed(failure: TLSFailure, sentence: String) {
        #expect(failure.description == sentence)
    }
}
