// expect: conform to 'URLTextConvertible'
import Foundation
import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct OptionalPathProperty: RoutedEndpoint {
    static let route: Route = .get("/users/:id")
    @Path var id: Int?
}
