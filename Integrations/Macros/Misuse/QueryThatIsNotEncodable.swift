// expect: a value in a query declares URLTextConvertible if it has one text
import NetworkClientMacros

@Get("/items")
struct QueryThatIsNotEncodable {
    struct Filter: Sendable {}

    @Query var filter: Filter
}
