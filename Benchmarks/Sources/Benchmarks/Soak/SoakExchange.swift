import BenchmarkServer
import Foundation

/// Sends one answer of the soak's server and says how far it has come.
struct SoakExchange {
    let connection: ServerConnection
    let index: Int
    let signals: SoakSignals

    /// Head and body, the latter in so many parts with a pause in microseconds before each.
    func send(
        status: Int = 200,
        fields: [String: String] = [:],
        body: [UInt8] = [],
        parts: Int = 1,
        pause: UInt32 = 0
    ) throws {
        let head = ServerConnection.head(status: status, fields, length: body.count)
        if parts == 1, pause == 0 {
            // In one piece, as a server does that has it all.
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

    /// The last bytes.
    func end(_ bytes: [UInt8]) throws {
        signals.reached(.beforeEnd, index)
        try connection.write(bytes)
        signals.reached(.afterEnd, index)
    }
}
