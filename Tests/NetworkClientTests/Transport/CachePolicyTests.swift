import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What a cache policy does where there is no cache.
struct CachePolicyTests {
    @Test(.spec(197), arguments: TransportUnderTest.all)
    func aCallThatWantsOnlyACachedResponseFailsWithoutACache(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let request = URLRequest.get(url: server.url("/a")).cachePolicy(.returnCacheDataDontLoad).build()
        let client = try transport.client(interceptors: [.retry()])
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        guard case .requestError(let failure) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        expect(failure.reason, .notInCache)
        let sentence = "it accepts only a stored response, and there is none"
        expect(failure.description, "The request to '\(server.url("/a").absoluteString)' failed: \(sentence).")
        expect(server.requestCount, 0)
    }

    private static let policies: [(URLRequest.CachePolicy, String?)] = [
        (.useProtocolCachePolicy, nil), (.reloadIgnoringLocalCacheData, nil), (.returnCacheDataElseLoad, nil),
        (.reloadIgnoringLocalAndRemoteCacheData, "no-cache"),
    ]

    #if os(Linux)
    @Test(.spec(197), arguments: TransportUnderTest.all, policies)
    func aPolicyThatAllowsLoadingSendsEachRequest(
        transport: TransportUnderTest,
        policy: (URLRequest.CachePolicy, String?)
    ) async throws {
        let server = try LoopbackServer { _ in .respond(headers: ["Cache-Control": "max-age=60"]) }
        let request = URLRequest.get(url: server.url("/a")).cachePolicy(policy.0).build()
        let client = try transport.client()
        for _ in 1...2 { try await client.fetch(request: request) }
        expect(server.requests.map { $0.headers["Cache-Control"] }, [policy.1, policy.1])
    }
    #endif

    @Test func aCacheControlOfTheRequestIsKept() async throws {
        let transport = StubTransport(otherwise: .status(200))
        let request = URLRequest.get(url: url("https://h/a"))
            .set(header: .cacheControl(value: "max-age=0"))
            .cachePolicy(.reloadIgnoringLocalAndRemoteCacheData)
            .build()
        try await NetworkClient(transport: transport).fetch(request: request)
        expect(transport.requests.first?[header: "Cache-Control"], "max-age=0")
    }

    /// A custom transport need not know of the policy.
    @Test(.spec(323)) func aCustomTransportHasNoCacheEither() async {
        let sent = Recorder<URLRequest>()
        let transport = ClosureTransport { request in
            sent.record(request)
            return (Data(), .made(200))
        }
        let request = URLRequest.get(url: url("https://h/a")).cachePolicy(.returnCacheDataDontLoad).build()
        await #expect(throws: NetworkClient.Error.self) {
            try await NetworkClient(transport: transport).fetch(request: request)
        }
        #expect(sent.values.isEmpty)
    }
}
