// expect: an enum has a text in a URL if it conforms to URLTextConvertible
import NetworkClientMacros

@Get("/items")
struct EnumQueryWithoutAText {
    enum Order: String { case newest }

    @Query var order: Order
}
