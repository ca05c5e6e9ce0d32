package import Foundation

/// A server on the loopback that speaks HTTP/2 under TLS (RFC 9113), as little of it as tests need.
///
/// To a client that offers only HTTP/1.1 it speaks even less of that: such requests have the stream 0.
///
/// ```swift
/// let server = try HTTP2Server { $0.number == 0 ? .reset($0) : .respond(to: $0) }
/// // … send something to server.url("/items"), trusting TLSFixtures.root …
/// let requests = try await server.requests(1)
/// ```
/// It decodes no header fields. All threads and descriptors are gone when ``stop()`` returns or the server is released.
package final class HTTP2Server: Sendable {
    /// Called on the thread of a connection when a request is complete.
    package typealias Handler = @Sendable (HTTP2Request) -> HTTP2Answer

    private let engine: TLSEngine
    private let log = AwaitableValue(HTTP2ServerLog())

    /// - Throws: ``TLSFailure`` if there is no OpenSSL; ``SocketError``.
    package init(handler: @escaping Handler) throws {
        let configuration = TLSConfiguration(
            .server(demandsCertificate: false),
            identity: TLSFixtures.localhost,
            applicationProtocol: "h2"
        )
        engine = try TLSEngine(configuration) { [log] in
            let (near, far) = try Socket.pair()
            let number = log.update { $0.openConnection() }
            let thread = Thread {
                var connection = HTTP2Connection(far, number: number, log: log, handler: handler)
                connection.run()
                log.update { $0.runningThreads -= 1 }
            }
            thread.stackSize = 512 * 1024
            thread.name = "HTTP2Server"
            thread.start()
            return near
        }
        try engine.start()
    }

    deinit {
        stop()
    }

    /// The address of a path and query, which must be valid in a URL as they are.
    package func url(_ path: String) -> URL {
        guard let url = URL(string: "https://localhost:\(engine.port)\(path)") else {
            preconditionFailure("Not a path: \(path)")
        }
        return url
    }

    /// How many clients have come through the handshake.
    package var connectionCount: Int {
        log.read { $0.connectionCount }
    }

    /// Every request that was complete, in the order in which they were.
    package var requests: [HTTP2Request] {
        log.read { $0.requests }
    }

    /// Waits until that many requests are complete, and returns all.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func requests(_ count: Int) async throws -> [HTTP2Request] {
        try await log.wait { log in
            if log.requests.count >= count { return log.requests }
            if log.isStopped { throw ServerStopped(waitingFor: "\(count) requests") }
            return nil
        }
    }

    /// The streams that clients have reset before they were answered.
    package var resets: [UInt32] {
        log.read { $0.resets }
    }

    /// Ends every connection, and returns when all threads are done and all descriptors closed.
    package func stop() {
        engine.stop()
        log.update { $0.isStopped = true }
        log.waitBlocking { $0.runningThreads == 0 }
    }
}
