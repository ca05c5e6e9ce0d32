#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What a server can do to the other calls of an engine with HTTP/2.
@Suite(
    .enabled(
        if: TLSConfiguration.isAvailable && CurlLibrary.hasHTTP2,
        "there is no OpenSSL here, or no HTTP/2 in libcurl"
    )
)
struct CurlEngineHTTP2Tests {
    private let client: NetworkClient

    init() throws {
        let configuration = CurlTransport.Configuration(security: .init(trustRoots: TLSFixtures.root))
        client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    /// libcurl 7.88 does not return from its call while the frames come faster than it reads them.
    @Test(.spec(206), arguments: [false, true])
    func aFloodOfFramesStopsNoCallToAnotherHost(withPriority: Bool) async throws {
        let (ended, began) = (Gate(), Gate())
        defer { ended.open() }
        let server = try HTTP2Server { .flood($0, withPriority: withPriority, until: ended) }
        let other = try LoopbackServer { $0.path == "/early" ? [.wait(began), .json("1")] : [.json("1")] }
        @Sendable func fetch(_ path: String) async throws -> Int {
            let request = URLRequest.get(url: other.url(path)).build()
            let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
            return response.item
        }
        // More than one engine takes, before the flood and during it.
        let early = Task { try await sum(20) { try await fetch("/early") } }
        try await withDeadline { try await other.waitForRequests(count: 20) }
        var request = URLRequest.get(url: server.url("/flood")).build()
        // Later versions return, and the call ends at its limit.
        request.timeoutInterval = 1
        let flooded = Task { [client, request] in try await client.fetch(request: request) }
        _ = try await withDeadline { try await server.requests(1) }
        began.open()
        #expect(try await withDeadline { try await early.value } == 20)
        #expect(try await withDeadline { try await sum(20) { try await fetch("/late") } } == 20)
        await #expect(throws: NetworkClient.Error.self) { try await withDeadline { try await flooded.value } }
    }

    private func sum(_ count: Int, of number: @escaping @Sendable () async throws -> Int) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await number() } }
            return try await group.reduce(0, +)
        }
    }
}
#endif
