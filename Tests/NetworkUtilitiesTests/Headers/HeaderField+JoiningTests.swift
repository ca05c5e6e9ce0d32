import Testing

@testable import NetworkUtilities

struct HeaderFieldJoiningTests {
    private func field(_ name: String, _ value: String?) -> HeaderField { .custom(name: name, value: value) }

    @Test(.spec(28)) func losesNoValue() {
        let fields = HeaderField.joined([field("A", "1"), field("B", "2"), field("a", "3"), field("A", "4")])
        #expect(fields == [field("A", "1,3,4"), field("B", "2")])
    }

    @Test func keepsAFieldWithoutAValueOnlyWhereNoOtherHasItsName() {
        #expect(HeaderField.joined([field("A", nil), field("a", "1")]) == [field("A", "1")])
        #expect(HeaderField.joined([field("A", "1"), field("a", nil)]) == [field("A", "1")])
        #expect(HeaderField.joined([field("A", nil), field("a", nil)]) == [field("A", nil)])
        #expect(HeaderField.joined([]) == [])
        #expect(HeaderField.joined([field("A", ""), field("A", "")]) == [field("A", ",")])
    }
}
