import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Pairs of requests that share an exchange, and pairs that do not.
struct SharingOnTheWireTests {
    typealias Change = @Sendable (inout URLRequest) -> Void

    /// Sends two requests that opted in at the same time, and returns how many exchanges the server saw.
    private func exchanges(
        _ one: @escaping Change,
        _ other: @escaping Change,
        expecting count: Int,
        hash: String? = nil,
        on transport: TransportUnderTest
    ) async throws -> Int {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("1")] }
        let client = try transport.client()
        let calls = [one, other].map { change in
            var request = URLRequest(url: server.url("/items"))
            change(&request)
            return Task { [request] in
                try await client.fetch(request: request.withInstanceCaching(customHash: hash))
            }
        }
        try await withDeadline("\(count) exchanges") {
            try await server.waitForHeads(count: count)
            // A request with a stream is never shared, so it has no waiter.
            let isStreamed = count == 2 && client.sharing.waiterCount == 0
            while !isStreamed, client.sharing.waiterCount < 2 { await Task.yield() }
        }
        gate.open()
        for call in calls { _ = try await call.value }
        expect(client.sharing.exchangeCount, 0)
        return server.requestCount
    }

    private static func setting(_ name: String, _ value: String) -> Change {
        { $0.set(header: .custom(name: name, value: value)) }
    }

    private static let streamed: Change = { request in
        request.method = .put
        request.httpBodyStream = InputStream(data: Data("1".utf8))
    }

    private static func suffix(_ text: String) -> Change {
        { request in request.url = url("\(request.url?.absoluteString ?? "")\(text)") }
    }

    private static func body(_ text: String) -> Change {
        { request in
            request.method = .post
            request.httpBody = Data(text.utf8)
        }
    }

    @Test(.spec(115, 118, 119, 120), arguments: TransportUnderTest.all)
    func onlyRequestsThatDifferInNothingButTracingShareAnExchange(transport: TransportUnderTest) async throws {
        let same: [(Change, Change)] = [
            (Self.setting("AUTHORIZATION", "t"), Self.setting("Authorization", "t")),
            (Self.setting("traceparent", "1"), { _ in }),
        ]
        let different: [(Change, Change)] = [
            (Self.setting("Range", "bytes=0-1"), Self.setting("Range", "bytes=0-2")), ({ $0.method = .head }, { _ in }),
            (Self.body("1"), Self.body("2")), (Self.streamed, Self.streamed),
            (Self.suffix("?a=1&a=2"), Self.suffix("?a=2&a=1")), (Self.suffix("?a=%7e"), Self.suffix("?a=~")),
        ]
        for (one, other) in same {
            expect(try await exchanges(one, other, expecting: 1, hash: "same", on: transport), 1)
        }
        for (one, other) in different {
            expect(try await exchanges(one, other, expecting: 2, hash: "same", on: transport), 2)
        }
    }

    @Test(.spec(153), arguments: [true, false])
    func aCallWithItsOwnLoggerOrProgressHasItsOwnExchange(hasLogger: Bool) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .respond()] }
        let client = try TransportUnderTest.all[0].client()
        let request = URLRequest(url: server.url).withInstanceCaching()
        let stream = RecordingStream()
        let logged = CallOptions(logging: .default(logLevel: .status, logStream: stream))
        let options = hasLogger ? logged : CallOptions(progress: { _ in })
        async let first = client.fetch(request: request)
        async let second = client.fetch(request: request, options: options)
        try await server.waitForHeads(count: 2)
        gate.open()
        _ = try await (first, second)
        expect(stream.messages.count, hasLogger ? 1 : 0)
    }
}
