import Testing

@testable import NetworkUtilities

struct FormPathTests {
    private let root = FormPath.root(FormStyle(booleans: .numeric))

    @Test func namesThePlaceFromTheOutside() throws {
        #expect(root.text == "")
        let path = try root.appending(FormKey(stringValue: "filter")).appending(FormKey(stringValue: "tags"))
            .descending().appending(FormKey(intValue: 0))
        #expect(path.text == "filter[tags][0]")
        #expect(path.keys.map(\.stringValue) == ["filter", "tags", "0"])
        #expect(path.keys.last?.intValue == 0)
    }

    @Test func keepsTheStyleAtEveryDepth() throws {
        var path = root
        for _ in 0..<FormPath.greatestDepth {
            #expect(!path.isDeepest)
            path = try path.appending(FormKey(intValue: 1))
        }
        #expect(path.isDeepest)
        #expect(path.style.booleans == .numeric)
        #expect(throws: BodyEncodingError.self) { try path.descending() }
    }
}
