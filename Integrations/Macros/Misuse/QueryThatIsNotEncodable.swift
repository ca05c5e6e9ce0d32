// expect: requires that 'QueryThatIsNotEncodable.Filter' conform to 'Encodable'
import NetworkClientMacros

@Get("/items")
struct QueryThatIsNotEncodable {
    struct Filter: Sendable {}

    @Query var filter: Filter
}
