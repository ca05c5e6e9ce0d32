#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct CurlTransportSoakTests {
    @Test func survivesCancellationAtRandomMoments() async throws {
        let server = try LoopbackServer(recording: .countsOnly) { request in
            request.path == "/slow" ? [.awaitPeerClose()] : .respond(body: String(repeating: "x", count: 20_000))
        }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<16 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(worker))
                    for index in 0..<100 {
                        let isSlow = index.isMultiple(of: 10)
                        let request = URLRequest.get(url: server.url(isSlow ? "/slow" : "/fast")).build()
                        let call = Task { try await client.fetch(request: request) }
                        if isSlow || Bool.random(using: &random) {
                            for _ in 0..<Int.random(in: 0...50, using: &random) { await Task.yield() }
                            call.cancel()
                        }
                        do {
                            _ = try await withDeadline { try await call.value }
                        } catch is CancellationError {
                            continue
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func endsItsThreadWithTheTransport() async throws {
        let server = try LoopbackServer(recording: .countsOnly) { _ in .json("1") }
        for _ in 0..<50 {
            let client = NetworkClient(transport: try CurlTransport(), logging: .off)
            try await client.fetch(request: URLRequest.get(url: server.url).build())
        }
        try await withDeadline { while server.openConnectionCount > 0 { await Task.yield() } }
    }
}
#endif
