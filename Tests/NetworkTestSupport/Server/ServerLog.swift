/// All that a server knows of its past and of its connections.
struct ServerLog: Sendable {
    var requests: [RecordedRequest] = []
    var requestCount = 0
    var heads: [RecordedRequest] = []
    var headCount = 0
    var truncated: [RecordedRequest] = []
    var malformed: [String] = []
    var bytesSent = 0

    private(set) var connectionCount = 0
    private(set) var openConnections: [Int: Socket] = [:]
    private(set) var isStopped = false
    /// The one that accepts and those of the connections.
    private(set) var runningThreads = 1

    /// The number for a new connection, nil if it came too late.
    mutating func open(_ socket: Socket) -> Int? {
        guard !isStopped else { return nil }
        defer { connectionCount += 1 }
        openConnections[connectionCount] = socket
        runningThreads += 1
        return connectionCount
    }

    mutating func close(_ connection: Int) {
        openConnections[connection] = nil
    }

    mutating func threadEnded() {
        runningThreads -= 1
    }

    /// From now on no connection is opened; returns those that are, to be shut down.
    mutating func stop() -> [Socket] {
        isStopped = true
        return Array(openConnections.values)
    }
}
