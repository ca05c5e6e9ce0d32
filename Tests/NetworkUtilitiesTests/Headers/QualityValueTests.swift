import Testing

@testable import NetworkUtilities

struct QualityValueTests {
    @Test func writesEveryThousandthAsItIs() throws {
        for thousandth in 0...1000 {
            let text = QualityValue.text(of: Double(thousandth) / 1000)
            #expect(text.utf8.count <= 5 && (text.utf8.count == 1 || text.last != "0"))
            #expect(try #require(Double(text)) == Double(thousandth) / 1000)
        }
    }
}
