import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct HeaderFieldStandardTests {
    @Test func writesWhatIsGiven() {
        #expect(HeaderField.cacheControl(value: "no-cache, max-age=60").name == "Cache-Control")
        #expect(HeaderField.cacheControl(value: "no-cache, max-age=60").value == "no-cache, max-age=60")
        #expect(HeaderField.idempotencyKey("8e03").name == "Idempotency-Key")
        #expect(HeaderField.idempotencyKey("8e03").value == "8e03")
        #expect(HeaderField.idempotencyKey("\"8e03\"").value == "\"8e03\"")
    }

    @Test(.spec(26), arguments: ["a\r\nX-Evil: 1", "a\n\nX-Evil: 1", "a\u{0}\u{0}X-Evil: 1"])
    func cannotBeMadeToInjectAnotherField(value: String) {
        let type = MediaType(value)
        let fields: [HeaderField] = [
            .cacheControl(value: value), .idempotencyKey(value), .userAgent(value: value), .accept(types: [type]),
        ]
        for field in fields {
            #expect(field.value == "a  X-Evil: 1")
        }
    }
}
