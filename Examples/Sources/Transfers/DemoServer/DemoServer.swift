import ExampleServer
import FlyingFox
import FlyingSocks
import Foundation

/// A server with a large file, an upload that is counted, and a slow response.
enum DemoServer {
    /// 64 MB in numbered copies of one block: computing all bytes would take 39 s in a debug build (0.6 µs each).
    static let content: Data = {
        let block = Data((8..<64_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        var content = Data(capacity: 64_000_000)
        for number in 0..<1_000 {
            withUnsafeBytes(of: Int64(number)) { content.append(contentsOf: $0) }
            content.append(block)
        }
        return content
    }()

    static func run(_ body: (URL) async throws -> Void) async throws {
        try await ExampleServer.run(addingRoutes: addRoutes, body)
    }

    private static func addRoutes(to server: HTTPServer) async {
        let file = FlakyFile(content: content)
        await server.appendRoute("GET /large") { request in await file.respond(to: request) }
        await server.appendRoute("PUT /upload") { request in try await count(request) }
        await server.appendRoute("GET /lines") { _ in
            let lines = HTTPBodySequence(from: SlowLines())
            return HTTPResponse(statusCode: .ok, headers: [.contentType: "text/plain"], body: lines)
        }
    }

    private static func count(_ request: HTTPRequest) async throws -> HTTPResponse {
        var count = 0
        for try await chunk in request.bodySequence { count += chunk.count }
        let text = "\(count) bytes received"
        return HTTPResponse(
            statusCode: .ok,
            headers: [.contentType: "text/plain", .connection: "close"],
            body: Data(text.utf8)
        )
    }
}

/// A file whose first response breaks off in the middle.
actor FlakyFile {
    private let content: Data
    private var hasBroken = false

    init(content: Data) {
        self.content = content
    }

    func respond(to request: HTTPRequest) -> HTTPResponse {
        let start = Self.start(of: request)
        var headers: HTTPHeaders = [.contentType: "application/octet-stream"]
        headers[HTTPHeader("ETag")] = "\"1\""
        if start > 0 { headers[.contentRange] = "bytes \(start)-\(content.count - 1)/\(content.count)" }
        let end = hasBroken ? content.count : content.count / 2
        hasBroken = true
        let bytes = BrokenBytes(content: content, start: start, end: end)
        let body = HTTPBodySequence(from: bytes, count: content.count - start, suggestedBufferSize: 1 << 16)
        return HTTPResponse(statusCode: start > 0 ? .partialContent : .ok, headers: headers, body: body)
    }

    private static func start(of request: HTTPRequest) -> Int {
        guard let range = request.headers[.range], range.hasPrefix("bytes=") else { return 0 }
        return Int(range.dropFirst("bytes=".count).prefix { $0 != "-" }) ?? 0
    }
}

/// A body that ends the connection after a part of its bytes.
struct BrokenBytes: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    let content: Data
    var start: Int
    let end: Int

    func makeAsyncIterator() -> BrokenBytes { self }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
        guard start < end else {
            guard end == content.count else { throw SocketError.disconnected }
            return nil
        }
        let next = start + Swift.min(end - start, count)
        defer { start = next }
        return content[start..<next]
    }
}

/// Five lines, 200 ms apart.
struct SlowLines: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    private var index = 0

    func makeAsyncIterator() -> SlowLines { self }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> Data? {
        guard index < 5 else { return nil }
        if index > 0 { try await Task.sleep(for: .milliseconds(200)) }
        index += 1
        return Data("line \(index), sent at \(Date.now.formatted(.iso8601))\n".utf8)
    }
}
