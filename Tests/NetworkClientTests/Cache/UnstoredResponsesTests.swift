import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient
@testable import NetworkUtilities

/// Responses that are never stored: bodies that are too long, that end too early, or whose calls were cancelled.
struct UnstoredResponsesTests {
    private let calendar = CacheCalendar()

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nCache-Control: max-age=60\r\n"

    /// How the end of a body is known.
    enum Framing: CaseIterable {
        case length, chunks, close

        /// A response with the first chunks of five, whose end is missing.
        func beginning(_ count: Int) -> Script {
            let chunks = (0..<count).map { _ in String(repeating: "a", count: 600) }
            let field =
                switch self {
                case .length: "Content-Length: 3000\r\n"
                case .chunks: "Transfer-Encoding: chunked\r\n"
                case .close: ""
                }
            let body = chunks.map { self == .chunks ? Script.chunk($0) : .send($0) }
            return Script([.send(UnstoredResponsesTests.head + field + "\r\n")] + body)
        }
    }

    /// Makes a call that fails, and expects nothing to be stored, or to wait for its response.
    private func expectNothingStored(_ cache: ResponseCache, _ context: String) async throws {
        try await withDeadline("no request in flight") { while cache.flightCount != 0 { await Task.yield() } }
        #expect(cache.statistics.stored == 0 && cache.statistics.bytes == 0, "\(context)")
    }

    @Test(.spec(259), arguments: TransportUnderTest.all, Framing.allCases)
    func aBodyThatEndsTooEarlyIsNotStored(transport: TransportUnderTest, framing: Framing) async throws {
        let server = try LoopbackServer { request in
            let count = Int(request.path.dropFirst()) ?? 0
            return [framing.beginning(count), framing == .close ? .reset : .close]
        }
        let cache = ResponseCache()
        let client = try transport.client(configuration: .init(cache: cache, time: calendar))
        for count in 0...4 {
            let request = URLRequest(url: server.url("/\(count)"))
            // What a reset has not discarded may be read as a body that the close ends.
            _ = try? await client.fetch(request: request) as NetworkClient.Response<Data>
            if framing != .close { try await expectNothingStored(cache, "\(count) chunks") }
        }
        expect(cache.flightCount, 0)
    }

    @Test(.spec(259), arguments: TransportUnderTest.all, Framing.allCases)
    func aBodyWhoseCallIsCancelledIsNotStored(transport: TransportUnderTest, framing: Framing) async throws {
        for count in 0...5 {
            let sent = Gate()
            let server = try LoopbackServer { _ in [framing.beginning(count), .open(sent), .awaitPeerClose()] }
            // A body of all announced bytes is complete.
            if count == 5, framing == .length { continue }
            let cache = ResponseCache()
            let client = try transport.client(configuration: .init(cache: cache, time: calendar))
            let call = Task {
                try await client.fetch(request: URLRequest(url: server.url)) as NetworkClient.Response<Data>
            }
            try await sent.wait()
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
            try await expectNothingStored(cache, "\(count) chunks")
        }
    }

    /// The number of bytes of a body, and whether it is stored with these limits.
    @Test(
        .spec(259),
        arguments: [
            (100, 10_000, 100, true), (100, 10_000, 101, false), (10_000, 900, 100, true), (10_000, 700, 200, false),
            (0, 10_000, 0, true), (0, 10_000, 1, false), (100, 0, 0, false),
        ]
    )
    func aBodyOverALimitIsNotStored(response: Int, memory: Int, count: Int, isStored: Bool) async throws {
        let server = try LoopbackServer { [calendar] _ in calendar.response(String(repeating: "a", count: count)) }
        let limits = ResponseCache.Limits(memory: memory, response: response)
        let cache = ResponseCache(limits: limits)
        let client = NetworkClient(configuration: .init(cache: cache, time: calendar))
        let body: NetworkClient.Response<Data> = try await client.fetch(request: URLRequest(url: server.url))
        #expect(body.item.count == count && cache.statistics.stored == (isStored ? 1 : 0))
        #expect(cache.statistics.bytes <= memory)
    }

    @Test(.spec(259), arguments: TransportUnderTest.all)
    func theBodyOfAnErrorThatIsCutAtItsLimitIsNotStored(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in
            .respond(status: 404, headers: ["Cache-Control": "max-age=60"], body: String(repeating: "a", count: 5_000))
        }
        let cache = ResponseCache()
        let client = try transport.client(configuration: .init(bodyLimit: 1_000, cache: cache, time: calendar))
        for _ in 1...2 {
            await #expect(throws: NetworkClient.Error.self) {
                try await client.fetch(request: URLRequest(url: server.url)) as NetworkClient.Response<Data>
            }
        }
        #expect(server.requestCount == 2 && cache.statistics.stored == 0)
    }
}
