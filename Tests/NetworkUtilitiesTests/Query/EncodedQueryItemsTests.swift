@testable import NetworkUtilities

struct EncodedQueryItemsTests {
    @Test func aQueryEncodingErrorNamesThePlaceAndTheReason() {
        let part = QueryEncodingError(path: "filter[tags][0]", reason: "is not a finite number")
        expect(part.description, "The query cannot be encoded: 'filter[tags][0]' is not a finite number.")
        let whole = QueryEncodingError(path: "", reason: "is not an object")
        expect(whole.description, "The query cannot be encoded: the value is not an object.")
    }
}
