// expect: the path has no ':userId': did you mean ':userID'?
import NetworkClientMacros

@Get("/shops/:shop/users/:userID")
struct PathPropertyWithAnotherName {
    @Path var shop: Int
    @Path var userId: Int
}
