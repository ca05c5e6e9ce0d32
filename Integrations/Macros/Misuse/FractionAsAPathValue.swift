// expect: a value in a path must have exactly one text: convert it to a String
import NetworkClientMacros

@Get("/prices/:price")
struct FractionAsAPathValue {
    @Path var price: Double
}
