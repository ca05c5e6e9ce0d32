/// All that a TLS server knows of its past and of its connections.
struct TLSServerLog: Sendable {
    var handshakes: [TLSHandshake] = []

    private var sockets: [Int: [Socket]] = [:]
    private var nextNumber = 0
    private(set) var isStopped = false
    /// The one that accepts and those of the connections.
    private(set) var runningThreads = 1

    /// The number for a new connection, nil if it came too late.
    mutating func open(_ client: Socket) -> Int? {
        guard !isStopped else { return nil }
        defer { nextNumber += 1 }
        sockets[nextNumber] = [client]
        runningThreads += 1
        return nextNumber
    }

    /// False if it came too late.
    mutating func attach(_ plain: Socket, to connection: Int) -> Bool {
        guard !isStopped else { return false }
        sockets[connection]?.append(plain)
        return true
    }

    mutating func close(_ connection: Int) {
        sockets[connection] = nil
    }

    mutating func threadEnded() {
        runningThreads -= 1
    }

    /// From now on no connection is opened; returns the sockets of those that are, to be shut down.
    mutating func stop() -> [Socket] {
        isStopped = true
        return sockets.values.flatMap { $0 }
    }
}
