@testable import NetworkUtilities

struct MultipartBoundaryTests {
    @Test(.spec(56)) func aRandomBoundaryIsATokenOfConstantLengthAndDifferentEachTime() throws {
        let boundaries = Set((0..<10_000).map { _ in MultipartBoundary.random() })
        expect(boundaries.count, 10_000)
        for boundary in boundaries.prefix(1_000) {
            expect(boundary.text.utf8.count, 44)
            expect(HTTPToken.isValid(boundary.text), true)
            expect(try MultipartBoundary(boundary.text).text, boundary.text)
        }
    }

    @Test func aBoundaryIsWhatRFC2046Allows() throws {
        for text in ["B", "0123456789", "a b", "'()+_,-./:=?", String(repeating: "x", count: 70)] {
            expect(try MultipartBoundary(text).description, text)
        }
        for text in ["", " ", "a ", "a\r\n", "a\"", "a;b", "é", "a\u{0}", String(repeating: "x", count: 71)] {
            #expect(throws: MultipartBoundaryError(text: text)) { try MultipartBoundary(text) }
        }
        expect(
            MultipartBoundaryError(text: "a\n").description,
            #"The multipart boundary "a\n" is not valid: "#
                + "use 1 to 70 letters, digits, spaces and '()+_,-./:=?, without a space at the end."
        )
    }
}
