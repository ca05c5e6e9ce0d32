// expect: 'id' is marked @Path: remove @Query
// expect: a request cannot set a lazy property
// expect: a static property is no part of a request
import NetworkClientMacros

@Get("/items/:id")
struct PropertiesThatAreNoParts {
    @Path @Query var id: Int
    @Query lazy var page = 1
    @Query static let limit = 2
}
