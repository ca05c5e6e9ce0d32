/// Reads requests from a connection.
final class RequestReader {
    private let connection: ServerConnection
    private var buffer: [UInt8] = []

    init(_ connection: ServerConnection) {
        self.connection = connection
    }

    /// Reads the next request; nil if the client has closed the connection, or sent something other than HTTP.
    func next() -> IncomingRequest? {
        guard let lines = readHead(), let first = lines.first else { return nil }
        let words = first.split(separator: " ")
        guard words.count == 3 else { return nil }
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            fields[line[..<colon].lowercased()] = String(value)
        }
        guard let body = readBody(fields) else { return nil }
        return IncomingRequest(method: String(words[0]), target: String(words[1]), fields: fields, body: body)
    }

    private func readHead() -> [String]? {
        var searched = 0
        while true {
            if let end = endOfHead(from: searched) {
                let head = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 4)
                return head.split(separator: "\r\n").map(String.init)
            }
            searched = max(0, buffer.count - 3)
            guard readMore() else { return nil }
        }
    }

    private func endOfHead(from start: Int) -> Int? {
        guard buffer.count >= start + 4 else { return nil }
        return (start...buffer.count - 4).first { buffer[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
    }

    private func readBody(_ fields: [String: String]) -> [UInt8]? {
        if fields["transfer-encoding"]?.lowercased() == "chunked" { return readChunks() }
        return read(fields["content-length"].flatMap { Int($0) } ?? 0)
    }

    private func readChunks() -> [UInt8]? {
        var body: [UInt8] = []
        while let line = readLine(), let size = Int(line, radix: 16), let chunk = read(size), read(2) != nil {
            if size == 0 { return body }
            body += chunk
        }
        return nil
    }

    private func readLine() -> String? {
        while true {
            if let end = buffer.firstIndex(of: 10) {
                defer { buffer.removeFirst(end + 1) }
                return String(decoding: buffer[..<max(0, end - 1)], as: UTF8.self)
            }
            guard readMore() else { return nil }
        }
    }

    private func read(_ count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard readMore() else { return nil }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    private func readMore() -> Bool {
        let bytes = connection.receive()
        buffer += bytes
        return !bytes.isEmpty
    }
}
