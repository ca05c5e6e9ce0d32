import FlyingFox
import FlyingSocks
import Foundation

/// A tea shop on the loopback, so that the tour needs no network.
enum DemoServer {
    /// Starts a server on a free port, gives its URL to `body`, and stops it again.
    static func run(_ body: (URL) async throws -> Void) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await ShopRoutes().add(to: server)
        async let running: Void = server.run()
        try await server.waitUntilListening()
        guard case .ip4(let host, let port) = await server.listeningAddress,
            let url = URL(string: "http://\(host):\(port)")
        else { throw SocketError.unsupportedAddress }
        do {
            try await body(url)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
        // Stopped on purpose, which `run` reports as an error.
        _ = try? await running
    }
}
