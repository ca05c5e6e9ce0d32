// expect: a value in a query declares URLTextConvertible if it has one text
import NetworkClientMacros

@Get("/items")
struct EnumQueryWithoutAText {
    enum Order: String { case newest }

    @Query var order: Order
}
