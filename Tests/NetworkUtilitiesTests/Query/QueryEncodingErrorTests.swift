import Testing

@testable import NetworkUtilities

struct QueryEncodingErrorTests {
    @Test func namesThePlaceAndTheReason() {
        let part = QueryEncodingError(path: "filter[tags][0]", reason: "is not a finite number")
        #expect(part.description == "The query cannot be encoded: 'filter[tags][0]' is not a finite number.")
        let whole = QueryEncodingError(path: "", reason: "is no object, so its parts have no names")
        #expect(
            whole.description == "The query cannot be encoded: the value is no object, so its parts have no names."
        )
    }

    @Test func saysQueryForAnErrorOfAForm() {
        let error = QueryEncodingError(path: "a", reason: "r")
        #expect(QueryEncodingError(.form(path: "a", reason: "r")) == error)
        #expect(QueryEncodingError(.json(path: "a", reason: "r")) == error)
    }
}
