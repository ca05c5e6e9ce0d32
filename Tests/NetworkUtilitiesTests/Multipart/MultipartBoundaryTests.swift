import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MultipartBoundaryTests {
    @Test(.spec(56)) func aRandomBoundaryIsDifferentEachTime() {
        let boundaries = Set((0..<10_000).map { _ in MultipartBoundary.random() })
        #expect(boundaries.count == 10_000)
    }

    @Test func aRandomBoundaryIsATokenOfConstantLength() throws {
        for _ in 0..<1_000 {
            let text = MultipartBoundary.random().text
            #expect(text.utf8.count == 44)
            #expect(HTTPToken.isValid(text))
            #expect(try MultipartBoundary(text).text == text)
        }
    }

    @Test(arguments: ["B", "0123456789", "a b", "'()+_,-./:=?", String(repeating: "x", count: 70)])
    func aBoundaryThatRFC2046AllowsIsAccepted(text: String) throws {
        #expect(try MultipartBoundary(text).description == text)
    }

    @Test(arguments: ["", " ", "a ", "a\r\n", "a\"", "a;b", "é", "a\u{0}", String(repeating: "x", count: 71)])
    func aBoundaryThatRFC2046ForbidsIsRefused(text: String) {
        #expect(throws: InvalidMultipartBoundary(text: text)) { try MultipartBoundary(text) }
    }

    @Test func anInvalidBoundaryIsDescribedInOneSentence() {
        #expect(
            InvalidMultipartBoundary(text: "a\n").description == #"The multipart boundary "a\n" is not valid: "#
                + "use 1 to 70 letters, digits, spaces and '()+_,-./:=?, without a space at the end."
        )
    }
}
