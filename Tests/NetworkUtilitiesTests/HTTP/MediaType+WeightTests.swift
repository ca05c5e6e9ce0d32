import Testing

@testable import NetworkUtilities

struct MediaTypeWeightTests {
    @Test(arguments: [
        (0.8, "0.8"), (0.123, "0.123"), (0.1234, "0.123"), (0.1235, "0.124"), (0.5, "0.5"), (0.05, "0.05"),
        (0.001, "0.001"), (0.0001, "0.001"), (Double.leastNonzeroMagnitude, "0.001"), (0, "0"), (-0.0, "0"), (1, "1"),
        (0.9999, "1"), (0.999, "0.999"), (0.1 + 0.2, "0.3"), (-1, "0"), (2, "1"), (.infinity, "1"), (-.infinity, "0"),
        (.nan, "1"), (Double.greatestFiniteMagnitude, "1"), (0.29, "0.29"),
    ])
    func writesAtMostThreeDecimals(quality: Double, text: String) {
        #expect(MediaType.xml.weighted(quality).value == "application/xml;q=\(text)")
    }

    @Test func replacesAWeightAndKeepsOtherParameters() {
        #expect(MediaType("a/b; Q=0.1; c=d;q=3").weighted(0.5).value == "a/b; c=d;q=0.5")
        #expect(MediaType.xml.weighted(0.1).weighted(0.2).value == "application/xml;q=0.2")
        #expect(MediaType.plainText.weighted(0.5).parameter("charset") == "utf-8")
    }

    @Test func aWeightCanBeReadBack() throws {
        #expect(try MediaType(parsing: MediaType.any.weighted(0.1).value).parameter("q") == "0.1")
        #expect(MediaType.json.matches(MediaType.any.weighted(0.1)))
        #expect(MediaType("a/b; c=\"x").weighted(0.5).value == "a/b; c=\"x\";q=0.5")
        #expect(MediaType("a/b; c=\"x").weighted(0.5).parameter("q") == "0.5")
    }
}
