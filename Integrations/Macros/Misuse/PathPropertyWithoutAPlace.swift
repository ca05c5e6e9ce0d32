// expect: the path has no ':id': write it there, or mark the property @Query
import NetworkClientMacros

@Get("/users")
struct PathPropertyWithoutAPlace {
    @Path var id: Int
}
