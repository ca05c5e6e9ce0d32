import ExampleServer
import FlyingFox
import FlyingSocks
import Foundation

/// A server with a large file.
enum LargeFileServer {
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
        let file = FlakyFile(content: content)
        try await ExampleServer.run(
            addingRoutes: { server in
                await server.appendRoute("GET /large") { request in await file.respond(to: request) }
            },
            body
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
