public import FlyingFox
import FlyingSocks
public import Foundation

/// A server on the loopback, so that no example needs a network.
public enum ExampleServer {
    /// Starts a server on a free port, runs `body` with its URL, and stops the server.
    public static func run(
        addingRoutes add: (HTTPServer) async -> Void,
        _ body: (URL) async throws -> Void
    ) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await add(server)
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
        // `run` throws since the server was stopped, which is intended.
        _ = try? await running
    }
}
