// expect: give the property a default value, or write @Query @Named("name") in place of @Query("name")
import Foundation
import NetworkClient

struct QueryNameWithoutADefault: RoutedEndpoint {
    static let route: Route = .get("/search")
    @Query("q") var text: String
}
