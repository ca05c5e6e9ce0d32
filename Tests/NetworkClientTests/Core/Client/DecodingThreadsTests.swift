import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The threads on which bodies are decoded.
///
/// Each test blocks a thread of Swift's pool, for two minutes at most; two tests at once could block all of them.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.activeProcessorCount > 1, "One processor, one thread."))
struct DecodingThreadsTests {
    /// Runs a closure while it is decoded.
    private struct Body: Decodable, Sendable {
        @TaskLocal static var onDecoding: @Sendable () -> Void = {}

        let count: Int

        init(from decoder: any Swift.Decoder) throws {
            Self.onDecoding()
            count = try decoder.singleValueContainer().decode([Int].self).count
        }
    }

    private actor Caller {
        func fetch(_ request: URLRequest, by client: NetworkClient) async throws -> Int {
            let response: NetworkClient.Response<Body> = try await client.fetch(request: request)
            return response.item.count
        }

        /// Keeps the actor from doing anything else; returns whether the end of that was signalled.
        func isBusy(from start: Gate, until end: DispatchSemaphore) -> Bool {
            start.open()
            return end.wait(timeout: .now() + 120) == .success
        }
    }

    @Test(.spec(76)) func manyLargeBodiesAreDecodedAtOnce() async throws {
        let list = "[" + (0..<20_000).map(String.init).joined(separator: ",") + "]"
        let server = try LoopbackServer { _ in .json(list) }
        let client = NetworkClient(logging: .off)
        let request = URLRequest(url: server.url)
        let (entered, second) = (Locked(0), DispatchSemaphore(value: 0))
        let met = Locked(false)
        let counts = try await Body.$onDecoding.withValue({
            let number = entered.withLock { entered in
                entered += 1
                return entered
            }
            if number == 2 { second.signal() }
            // The first one is inside until another is inside as well.
            guard number == 1, second.wait(timeout: .now() + 120) == .success else { return }
            met.withLock { $0 = true }
        }) {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        let response: NetworkClient.Response<Body> = try await client.fetch(request: request)
                        return response.item.count
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        expect(counts, Array(repeating: 20_000, count: 100))
        #expect(met.withLock { $0 })
    }

    @Test(.spec(76)) func aBodyIsDecodedWhileTheCallersActorIsBusy() async throws {
        let isBusy = Gate()
        let server = try LoopbackServer { _ in [.wait(isBusy), .json("[1,2,3]")] }
        let client = NetworkClient(logging: .off)
        let request = URLRequest(url: server.url)
        let caller = Caller()
        let decoding = DispatchSemaphore(value: 0)
        let call = Body.$onDecoding.withValue({ decoding.signal() }) {
            Task { try await caller.fetch(request, by: client) }
        }
        try await server.waitForHeads(count: 1)
        #expect(await caller.isBusy(from: isBusy, until: decoding))
        expect(try await call.value, 3)
    }
}
