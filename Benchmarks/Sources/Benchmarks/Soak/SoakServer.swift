import BenchmarkHarness
import BenchmarkServer
import Foundation

/// The soak server's behaviour for each kind of request.
struct SoakServer: Sendable {
    let signals: SoakSignals

    func respond(_ request: IncomingRequest, _ connection: ServerConnection) throws {
        let words = request.target.split(separator: "/")
        guard words.count == 2, let kind = SoakKind(rawValue: String(words[0])), let number = Int(words[1]) else {
            return try connection.send(status: 400)
        }
        let index = request.fields["x-request-id"].flatMap { Int($0) } ?? -1
        // Delays some responses, so that calls are cancelled while they wait for a head.
        if number % 5 == 0 { usleep(UInt32(number % 17) * 100) }
        let exchange = SoakExchange(connection: connection, index: index, signals: signals)
        switch kind {
        case .get, .slow, .shared, .chunked, .closing, .tooLarge, .timedOut, .truncated:
            try respond(kind, number, exchange)
        case .misbehaving:
            try MisbehavingResponse.of(number).send(Self.item(number, padding: 50), number, exchange)
        case .json, .upload: try exchange.send(body: request.body, parts: 1)
        case .head: try exchange.sendHead(status: 200, length: 1_000)
        case .redirect: try exchange.send(status: 302, fields: ["Location": "/get/\(number)"])
        case .redirectedPost: try exchange.send(status: 307, fields: ["Location": "/json/\(number)"])
        case .notFound: try exchange.send(status: 404, body: Self.item(number, padding: 0))
        case .unauthorised:
            try exchange.send(status: 401, fields: ["WWW-Authenticate": "Basic realm=\"soak\""])
        }
    }

    private func respond(_ kind: SoakKind, _ number: Int, _ exchange: SoakExchange) throws {
        switch kind {
        case .slow: try exchange.send(body: Self.item(number, padding: 2_000), parts: 2, pause: 1_500)
        case .shared: try exchange.send(body: Self.item(number, padding: 100), parts: 1, pause: 3_000)
        case .chunked: try exchange.sendChunks(Self.item(number, padding: 60_000))
        case .tooLarge: try exchange.sendChunks(Self.item(number, padding: 20_000))
        case .closing:
            exchange.connection.closeAfterwards()
            try exchange.send(body: Self.item(number, padding: 10), parts: 1)
        case .timedOut:
            exchange.connection.closeAfterwards()
            exchange.connection.waitForEnd()
        case .truncated:
            exchange.connection.closeAfterwards()
            try exchange.sendHead(status: 200, length: 1_000)
            try exchange.end([UInt8](repeating: 32, count: 100))
        default: try exchange.send(body: Self.item(number, padding: number % 4_000), parts: 1)
        }
    }

    private static func item(_ number: Int, padding: Int) -> [UInt8] {
        Array(#"{"number":\#(number),"padding":""#.utf8) + [UInt8](repeating: 0x78, count: padding) + Array("\"}".utf8)
    }
}

/// Sends one response of the soak's server, and signals its progress.
struct SoakExchange {
    let connection: ServerConnection
    let index: Int
    let signals: SoakSignals

    /// Sends a head and a body; the body in parts, with a pause in microseconds before each.
    func send(
        status: Int = 200,
        fields: [String: String] = [:],
        body: [UInt8] = [],
        parts: Int = 1,
        pause: UInt32 = 0
    ) throws {
        let head = ServerConnection.head(status: status, fields, length: body.count)
        if parts == 1, pause == 0 {
            // In one piece, like a server that has the whole response.
            return try end(head + body)
        }
        try connection.write(head)
        signals.reached(.head, index)
        let size = body.count / parts
        for part in 0..<parts {
            usleep(pause)
            let isLast = part == parts - 1
            let bytes = Array(body[part * size..<(isLast ? body.count : (part + 1) * size)])
            if isLast { try end(bytes) } else { try connection.write(bytes) }
        }
    }

    func sendHead(status: Int, length: Int) throws {
        try connection.write(ServerConnection.head(status: status, length: length))
        signals.reached(.head, index)
    }

    func sendChunks(_ body: [UInt8]) throws {
        try connection.write(ServerConnection.head(status: 200, length: nil))
        signals.reached(.head, index)
        let size = body.count / 4 + 1
        for start in stride(from: 0, to: body.count, by: size) {
            try connection.write(ServerConnection.chunk(Array(body[start..<min(start + size, body.count)])))
        }
        try end(ServerConnection.chunk([]))
    }

    /// Sends the last bytes.
    func end(_ bytes: [UInt8]) throws {
        signals.reached(.beforeEnd, index)
        try connection.write(bytes)
        signals.reached(.afterEnd, index)
    }
}

/// The calls to cancel when the server reaches a moment of their exchange.
final class SoakSignals: Sendable {
    private struct Entry {
        let moment: CancelMoment
        let handle: CancelHandle
    }

    private let entries = Locked<[Int: Entry]>([:])

    func add(_ index: Int, _ moment: CancelMoment, _ handle: CancelHandle) {
        entries.withLock { $0[index] = Entry(moment: moment, handle: handle) }
    }

    func remove(_ index: Int) {
        entries.withLock { $0[index] = nil }
    }

    func reached(_ moment: CancelMoment, _ index: Int) {
        let handle = entries.withLock { entries in
            entries[index].flatMap { $0.moment == moment ? $0.handle : nil }
        }
        handle?.cancel()
    }
}
