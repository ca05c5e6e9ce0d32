public import Foundation
import NetworkClient

/// One way of talking over a WebSocket.
public struct SocketVariant: Sendable {
    let name: String

    /// Makes the client.
    let prepare: @Sendable () throws -> Load

    struct Load: Sendable {
        /// Opens a socket, and sends and receives messages over it.
        let converse: @Sendable (SocketTurn) async throws -> RequestTurn
        /// Closes the client.
        let end: @Sendable () async throws -> Void
    }

    /// Creates a variant from a closure that opens a socket, passes it to ``SocketTurn/take(_:)``, and closes it.
    public init(_ name: String, converse: @escaping @Sendable (SocketTurn) async throws -> RequestTurn) {
        self.init(name) { Load(converse: converse) {} }
    }

    init(_ name: String, prepare: @escaping @Sendable () throws -> Load) {
        self.name = name
        self.prepare = prepare
    }
}

/// An open WebSocket, over which a variant sends messages and receives them again.
public protocol EchoedSocket {
    /// Sends the bytes as one binary message.
    mutating func send(_ bytes: Data) async throws

    /// Waits for the next message, and returns its number of bytes.
    mutating func receive() async throws -> Int
}

/// The messages that a server sends back: how long each one is, and how many of them are in flight.
struct SocketEcho: Sendable {
    let bytes: Int
    let inFlight: Int

    static let all = [
        SocketEcho(bytes: 64, inFlight: 1), SocketEcho(bytes: 64, inFlight: 64),
        SocketEcho(bytes: 1_000_000, inFlight: 4),
    ]

    /// The size as a text.
    var size: String { bytes < 1_000_000 ? "\(bytes) B" : "\(bytes / 1_000_000) MB" }
}

/// The echoes of one socket until a deadline.
public struct SocketTurn: Sendable {
    /// The port of the server, at 127.0.0.1; the path is `/echo`.
    public let port: UInt16

    /// The number of bytes of each message.
    public var messageBytes: Int { echo.bytes }

    let echo: SocketEcho
    let seconds: Double
    /// Whether the heap allocations of the process are counted, where that is possible.
    var countsAllocations = false

    /// Sends messages over a socket, and receives them, until the deadline.
    public func take(_ socket: inout some EchoedSocket) async throws -> RequestTurn {
        let payload = Data((0..<echo.bytes).map { UInt8(97 + $0 % 23) })
        // What a socket makes once isn't measured.
        _ = try await exchange(&socket, payload, until: 0)
        let (start, processor) = (Clocks.elapsed, Clocks.processor)
        let deadline = start + UInt64(seconds * 1_000_000_000)
        var latencies: [UInt32] = []
        var allocations: Int?
        if countsAllocations {
            allocations = try await Allocations.count {
                latencies = try await exchange(&socket, payload, until: deadline)
            }
        } else {
            latencies = try await exchange(&socket, payload, until: deadline)
        }
        return RequestTurn(
            latencies: latencies,
            seconds: Clocks.seconds(since: start),
            processorNanoseconds: Double(Clocks.processor - processor),
            allocations: allocations
        )
    }

    /// Keeps messages in flight until a deadline, and returns their latencies.
    private func exchange(
        _ socket: inout some EchoedSocket,
        _ payload: Data,
        until deadline: UInt64
    ) async throws -> [UInt32] {
        var starts = [UInt64](repeating: 0, count: echo.inFlight)
        var (sent, received) = (0, 0)
        var latencies: [UInt32] = []
        latencies.reserveCapacity(1 << 17)
        while sent < echo.inFlight {
            starts[sent] = Clocks.elapsed
            try await socket.send(payload)
            sent += 1
        }
        while received < sent {
            guard try await socket.receive() == echo.bytes else { throw UnexpectedResponse() }
            let now = Clocks.elapsed
            latencies.append(UInt32(clamping: now - starts[received % echo.inFlight]))
            received += 1
            guard now < deadline else { continue }
            starts[sent % echo.inFlight] = now
            try await socket.send(payload)
            sent += 1
        }
        return latencies
    }
}

#if os(Linux)
extension SocketVariant {
    /// The library; messages in flight have room in the client, since the server waits for a client that doesn't read.
    static let library = SocketVariant("webSocket, CurlTransport") {
        let transport = try CurlTransport()
        return Load {
            try await converse($0, transport)
        } end: {
            transport.shutDown()
        }
    }

    /// The same from a task on the thread that receives the messages.
    static let executor = SocketVariant("webSocket, CurlTransport.executor") {
        let transport = try CurlTransport()
        return Load { turn in
            try await withTaskExecutorPreference(transport.executor) { try await converse(turn, transport) }
        } end: {
            transport.shutDown()
        }
    }

    private static func converse(_ turn: SocketTurn, _ transport: CurlTransport) async throws -> RequestTurn {
        let echo = turn.echo
        let options = WebSocketOptions { $0.receiveBuffer = max(1 << 20, 2 * echo.bytes * echo.inFlight) }
        let client = NetworkClient(transport: transport, logging: .off)
        let url = "ws://127.0.0.1:\(turn.port)/echo"
        var socket = LibrarySocket(socket: try await client.webSocket(url, socketOptions: options))
        let result = try await turn.take(&socket)
        try await socket.socket.close()
        return result
    }

    /// The upper bound: one thread in C and a plain socket, without libcurl, and without a message in memory.
    static let socketInC = SocketVariant("plain socket in C") { turn in
        let load = try RequestLoad.echoInC(turn.port, bytes: turn.messageBytes, inFlight: turn.echo.inFlight)
        _ = try await load.run(0)
        let result = try await RequestTurn(load, seconds: turn.seconds)
        try await load.end()
        return result
    }
}

private struct LibrarySocket: EchoedSocket {
    let socket: WebSocket

    func send(_ bytes: Data) async throws { try await socket.send(bytes) }

    func receive() async throws -> Int {
        guard case .binary(let data) = try await socket.receive() else { throw UnexpectedResponse() }
        return data.count
    }
}
#endif
