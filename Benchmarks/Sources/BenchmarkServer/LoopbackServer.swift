import BenchmarkHarness
public import Foundation
import Synchronization

/// A small HTTP/1.1 server on the loopback: one thread for each connection, blocking sockets, keep-alive.
///
/// The server is made to be predictable, not fast, and trusts its clients.
public final class LoopbackServer: Sendable {
    /// Responds to one request, on the thread of its connection; an error ends the connection.
    public typealias Handler = @Sendable (IncomingRequest, ServerConnection) throws -> Void

    private struct State {
        var connections: [Int32: ServerConnection] = [:]
        var isStopped = false
    }

    /// The port that the server listens on.
    public let port: UInt16

    private let listener: Int32
    private let handler: Handler
    private let state = Locked(State())
    private let requests = Atomic(0)

    /// Starts to listen on a port that the system chooses.
    public init(_ handler: @escaping Handler) throws {
        self.handler = handler
        (listener, port) = try Sockets.listen()
        Thread.detachNewThread { self.acceptAll() }
    }

    /// The number of requests that were read.
    public var requestCount: Int { requests.load(ordering: .relaxed) }

    /// The number of open connections.
    public var connectionCount: Int { state.withLock { $0.connections.count } }

    /// Returns the URL of a path and query, from the slash on.
    public func url(_ target: String) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)\(target)") else { throw URLError(.badURL) }
        return url
    }

    /// Stops listening and ends all connections.
    public func stop() {
        let connections = state.withLock { state in
            state.isStopped = true
            return Array(state.connections.values)
        }
        Sockets.endAccepting(listener, port)
        for connection in connections { connection.shutDown() }
    }

    private func acceptAll() {
        while let descriptor = Sockets.accept(listener) {
            let connection = ServerConnection(descriptor)
            let isStopped = state.withLock { state in
                if !state.isStopped { state.connections[descriptor] = connection }
                return state.isStopped
            }
            guard !isStopped else {
                connection.close()
                break
            }
            Thread.detachNewThread { self.serve(connection, descriptor) }
        }
        Sockets.close(listener)
    }

    private func serve(_ connection: ServerConnection, _ descriptor: Int32) {
        let reader = RequestReader(connection)
        while !connection.isToBeClosed, let request = reader.next() {
            requests.add(1, ordering: .relaxed)
            do { try handler(request, connection) } catch { break }
        }
        // Removed from the list before the system can reuse the descriptor.
        state.withLock { $0.connections[descriptor] = nil }
        connection.close()
    }
}
