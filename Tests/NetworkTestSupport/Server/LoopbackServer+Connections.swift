extension LoopbackServer {
    /// How many connections were ever accepted.
    package var connectionCount: Int {
        engine.log.read { $0.connectionCount }
    }

    /// How many of them the server has not closed yet, which it does when the peer has.
    package var openConnectionCount: Int {
        engine.log.read { $0.openConnections.count }
    }

    /// What scripts have handed to the system; more than a peer that does not read will let pass cannot be.
    package var bytesSent: Int {
        engine.log.read { $0.bytesSent }
    }

    /// Waits until exactly `count` connections are open.
    ///
    /// - Throws: `CancellationError`, as soon as the task is cancelled; ``ServerStopped``.
    package func waitForOpenConnections(_ count: Int) async throws {
        try await wait("\(count) open connections") { $0.openConnections.count == count ? () : nil }
    }

    /// Waits until at least `count` connections were accepted, open or not.
    package func waitForConnections(count: Int) async throws {
        try await wait("\(count) connections") { $0.connectionCount >= count ? () : nil }
    }
}
