import ExampleServer
import Foundation

/// A tea shop on the loopback.
enum DemoServer {
    static func run(_ body: (URL) async throws -> Void) async throws {
        try await ExampleServer.run(addingRoutes: { await ShopRoutes().add(to: $0) }, body)
    }
}
