import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Calls that report the progress of receiving their response.
struct CountingBodySourceTests {
    private static let body = [UInt8](repeating: 7, count: 10_000_000)

    private static func reporting(to seen: Recorder<TransferProgress>) -> CallOptions {
        CallOptions(progress: { seen.record($0) })
    }

    @Test(.spec(127, 134), arguments: TransportUnderTest.all)
    func aFetchReportsItsProgressAndNotTooOften(transport: TransportUnderTest) async throws {
        let seen = Recorder<TransferProgress>()
        let server = try LoopbackServer { _ in .respond(body: Self.body) }
        let response: NetworkClient.Response<Data> =
            try await transport.client().fetch(request: URLRequest(url: server.url), options: Self.reporting(to: seen))
        expect(response.item, Data(Self.body))
        let values = seen.values
        expect(values.first, TransferProgress(completed: 0, total: Self.body.count))
        expect(values.last?.fraction, 1)
        expect(values.map(\.completed), values.map(\.completed).sorted())
        #expect((2...1_000).contains(values.count))
    }

    @Test(.spec(128), arguments: TransportUnderTest.all)
    func theProgressOfAFetchOfUnknownLengthHasNoTotal(transport: TransportUnderTest) async throws {
        let seen = Recorder<TransferProgress>()
        let server = try LoopbackServer { _ in .chunked(["hello", "world"]) }
        let text: NetworkClient.Response<String> =
            try await transport.client().fetch(request: URLRequest(url: server.url), options: Self.reporting(to: seen))
        expect(text.item, "helloworld")
        #expect(seen.values.allSatisfy { $0.total == nil && $0.fraction == nil })
        expect(seen.values.last?.completed, 10)
    }

    @Test(.spec(135), arguments: TransportUnderTest.all)
    func noMemoryIsReservedForABodyThatIsNotSent(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond(length: .stated(4 << 30)) }
        var request = URLRequest(url: server.url)
        request.httpMethod = "HEAD"
        let seen = Recorder<TransferProgress>()
        let response: NetworkClient.Response<Data> =
            try await transport.client().fetch(request: request, options: Self.reporting(to: seen))
        expect(response.item, Data())
        #expect(seen.values.allSatisfy { $0.total == 0 && $0.fraction == 1 })
    }

    @Test(arguments: TransportUnderTest.all)
    func anErrorOfAFetchWithProgressHasItsWholeBody(transport: TransportUnderTest) async throws {
        let long = [UInt8](repeating: 7, count: 3 << 20)
        let server = try LoopbackServer { _ in .respond(status: 500, body: long) }
        let client = try transport.client()
        for progress in [nil, { _ in }] as [(@Sendable (TransferProgress) -> Void)?] {
            await #expect {
                try await client.fetch(
                    request: URLRequest(url: server.url),
                    options: CallOptions(progress: progress)
                )
            } throws: { error in
                guard case NetworkClient.Error.apiError(_, let data) = error else { return false }
                return data == Data(long)
            }
        }
    }

    @Test(.spec(135), arguments: TransportUnderTest.all)
    func aFetchWithProgressStopsAtTheBodyLimit(transport: TransportUnderTest) async throws {
        let hasClosed = Gate()
        let server = try LoopbackServer { _ in
            [.respond(length: .omitted, body: "123456"), .awaitPeerClose(then: hasClosed)]
        }
        let client = try transport.client()
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(
                request: URLRequest(url: server.url),
                options: CallOptions(bodyLimit: 5, progress: { _ in })
            )
        }
        expect(error?.reason, .bodyTooLarge)
        try await withDeadline { try await hasClosed.wait() }
    }
}
