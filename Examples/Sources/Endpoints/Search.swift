import NetworkClient
import NetworkUtilities

/// A call that is described by a route and the properties of a struct.
struct Search: RoutedEndpoint {
    typealias Response = [Item]
    static let route: Route = .get("/shops/:shop/items")

    @Path var shop: String
    @Query @Named("q") var text: String
    @Query var page: Int?
}
