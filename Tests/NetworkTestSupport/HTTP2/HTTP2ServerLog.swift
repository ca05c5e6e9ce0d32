/// What an HTTP/2 server knows of its past and of its threads.
struct HTTP2ServerLog: Sendable {
    var connectionCount = 0
    var runningThreads = 0
    var requests: [HTTP2Request] = []
    /// The streams that clients have reset before they were answered.
    var resets: [UInt32] = []
    var isStopped = false

    mutating func openConnection() -> Int {
        runningThreads += 1
        connectionCount += 1
        return connectionCount - 1
    }

    mutating func add(connection: Int, stream: UInt32, body: [UInt8]) -> HTTP2Request {
        let request = HTTP2Request(connection: connection, number: requests.count, stream: stream, body: body)
        requests.append(request)
        return request
    }
}
