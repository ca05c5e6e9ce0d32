import Foundation
import NetworkClient
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

/// What a custom transport learns about the body of a request that a client sends.
struct RequestBodyTests {
    private struct Body: Equatable {
        var length: Int?
        /// The bytes of the source, read twice at a time.
        var bytes: [Data] = []
    }

    private let url = NetworkTestSupport.url("https://api.example.com/items")

    @Test func aTransportOpensTheSourceOfAFileForEachExchange() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "abc")
        let request = try URLRequest.put(url: url).bodyFile(at: file).build()
        expect(try await sent(request), Body(length: 3, bytes: [Data("abc".utf8), Data("abc".utf8)]))
    }

    @Test func aTransportSeesBytesInMemoryAsASource() async throws {
        let request = URLRequest.put(url: url).bodyText("abc").build()
        expect(try await sent(request), Body(length: 3, bytes: [Data("abc".utf8), Data("abc".utf8)]))
    }

    @Test func aTransportSeesARequestWithoutABodyAsEmpty() async throws {
        expect(try await sent(.get(url: url).build()), Body(length: 0))
    }

    @Test(arguments: [nil, 3]) func aTransportSeesOnlyTheLengthOfASequence(length: Int?) async throws {
        let chunks = AsyncStream<Data> { $0.finish() }
        expect(try await sent(.put(url: url).bodyStream(chunks, length: length).build()), Body(length: length))
    }

    @Test(arguments: [nil, "3"]) func aTransportSeesTheStatedLengthOfACallersStream(length: String?) async throws {
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        request.httpBodyStream = InputStream(data: Data("abc".utf8))
        request.setValue(length, forHTTPHeaderField: "Content-Length")
        expect(try await sent(request), Body(length: length.flatMap { Int($0) }))
    }

    /// Returns the body of the request as a transport of a client sees it.
    private func sent(_ request: URLRequest) async throws -> Body {
        let bodies = Recorder<Body>()
        let transport = ClosureTransport { request, _ in
            let readers = try [request.bodySource?.open(), request.bodySource?.open()].compactMap { $0 }
            bodies.record(Body(length: request.bodyLength, bytes: try readAll(readers)))
            return TransportResponse(response: .made())
        }
        try await NetworkClient(transport: transport).fetch(request: request)
        return try #require(bodies.values.first)
    }
}

/// Reads one byte of each reader at a time.
private func readAll(_ readers: [any BodyReader]) throws -> [Data] {
    var bytes = readers.map { _ in Data() }
    var isOver = readers.isEmpty
    while !isOver {
        isOver = true
        for (index, reader) in readers.enumerated() {
            var byte = Data(count: 1)
            guard try byte.withUnsafeMutableBytes(reader.read) == 1 else { continue }
            bytes[index] += byte
            isOver = false
        }
    }
    readers.forEach { $0.close() }
    return bytes
}
