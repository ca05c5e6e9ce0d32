// expect: give the property a default value, or write the name after the mark, as in @Query @Named("name")
import Foundation
import NetworkClient

struct QueryNameWithoutADefault: RoutedEndpoint {
    static let route: Route = .get("/search")
    @Query("q") var text: String
}
