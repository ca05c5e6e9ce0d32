import BenchmarkServer
import Foundation

/// What the soak's server does with each kind of request.
struct SoakServer: Sendable {
    let signals: SoakSignals

    func answer(_ request: IncomingRequest, _ connection: ServerConnection) throws {
        let words = request.target.split(separator: "/")
        guard words.count == 2, let kind = SoakKind(rawValue: String(words[0])), let number = Int(words[1]) else {
            return try connection.send(status: 400)
        }
        let index = request.fields["x-request-id"].flatMap { Int($0) } ?? -1
        // Not every answer is ready at once, so that cancellations meet calls that wait for a head.
        if number % 5 == 0 { usleep(UInt32(number % 17) * 100) }
        let exchange = SoakExchange(connection: connection, index: index, signals: signals)
        switch kind {
        case .get, .slow, .shared, .chunked, .closing, .tooLarge, .timedOut, .truncated:
            try answer(kind, number, exchange)
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

    private func answer(_ kind: SoakKind, _ number: Int, _ exchange: SoakExchange) throws {
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
