// expect: conform to 'PathValue'
import Foundation
import NetworkClient

struct OptionalPathProperty: RoutedEndpoint {
    static let route: Route = .get("/users/:id")
    @Path var id: Int?
}
