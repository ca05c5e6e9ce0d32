// expect: a path has no place for a missing value: unwrap the optional first
import NetworkClientMacros

@Get("/items/:id")
struct OptionalPathValue {
    @Path var id: Int?
}
