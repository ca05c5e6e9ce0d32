#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Look-ups of names that hang: each has a thread, which nothing can stop.
@Suite(.enabled(if: HeldName.isPossible))
struct CurlLookUpTests {
    /// The look-ups of a name: from 8.20 on, libcurl looks the two kinds of address up one beside the other.
    private static let kinds = LoadedLibcurl.isOlder(than: 8, 20) ? 1 : 2

    private let server: LoopbackServer

    init() throws {
        server = try LoopbackServer { _ in .respond(body: "1") }
    }

    private func client(_ configuration: CurlTransport.Configuration) throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    private func request(_ name: HeldName) throws -> URLRequest {
        URLRequest(url: try #require(URL(string: "http://\(name.name):\(server.port)/held")))
    }

    /// Returns the different outcomes of calls at once.
    private func outcomes(_ count: Int, of request: URLRequest, over client: NetworkClient) async -> Set<Outcome> {
        await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<count { group.addTask { await client.outcome(of: request) } }
            return await group.reduce(into: []) { $0.insert($1) }
        }
    }

    private func expectAnswer(over client: NetworkClient) async {
        #expect(await client.outcome(of: URLRequest(url: server.url)) == .answered(200, "1"))
    }

    /// Begins a call, and cancels it when its name is looked up.
    private func giveUp(_ request: URLRequest, _ name: HeldName, over client: NetworkClient) async throws {
        let call = Task { await client.outcome(of: request) }
        try await withDeadline { try await name.lookups(Self.kinds) }
        call.cancel()
        #expect(try await withDeadline { await call.value } == .cancelled)
    }

    /// One engine has them all, as long as there are fewer than eight.
    @Test(.spec(173, 207, 245))
    func callsBehindALookUpThatHangsEndWithinTheConnectTimeoutAndStartNoOther() async throws {
        let name = try HeldName("many.held.test")
        let client = try client(.init(connectTimeout: 4, connectionsPerHost: 7, connections: 7))
        let held = try request(name)
        try await giveUp(held, name, over: client)
        #expect(try await withDeadline { await outcomes(7, of: held, over: client) } == [.failed(.nameNotResolved)])
        let error = await #expect(throws: NetworkClient.Error.self) {
            _ = try await withDeadline { try await client.fetch(request: held) }
        }
        #expect(error?.description.contains("the look-up of the name has not ended within 4 s") == true)
        await expectAnswer(over: client)
        #expect(name.lookupCount == Self.kinds)
        name.release()
        // libcurl keeps the address, once the look-up has ended.
        try await withDeadline { while await client.outcome(of: held) != .answered(200, "1") {} }
        #expect(server.requests.count == 2)
    }

    @Test(.spec(207)) func aLookUpThatHangsHasFewThreadsHoweverManyCallsWaitForIt() async {
        await #expect(processExitsWith: .success) {
            let name = try HeldName("flood.held.test")
            let server = try LoopbackServer(recording: .countsOnly) { _ in .respond() }
            let client = NetworkClient(logging: .off)
            let held = try #require(URL(string: "http://\(name.name):\(server.port)/"))
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                for _ in 0..<1_500 {
                    let options = CallOptions(attemptTimeout: 1)
                    group.addTask { await client.outcome(of: URLRequest(url: held), options: options) }
                }
                try? await name.lookups(1)
                #expect(await client.outcome(of: URLRequest(url: server.url)) == .answered(200))
                return await group.reduce(into: Set<Outcome>()) { $0.insert($1) }
            }
            #expect(outcomes.isSubset(of: [.failed(.timedOut), .failed(.nameNotResolved)]), "\(outcomes)")
            let threads = ProcessFacts.now().threads ?? 0
            #expect((1...160).contains(threads), "\(threads) threads")
            name.release()
        }
    }

    /// From 8.20 on, libcurl may look the name up again, since it connects before it has the addresses of both kinds.
    @Test(.spec(245), .enabled(if: LoadedLibcurl.isOlder(than: 8, 20), "the name is not held any more then"))
    func callsThatWaitForALookUpGoOnWhenItEnds() async throws {
        let name = try HeldName("ends.held.test")
        let client = try client(.init())
        let held = try request(name)
        let calls = Task { await outcomes(30, of: held, over: client) }
        try await withDeadline { try await name.lookups(Self.kinds) }
        // The first one, or another one that waits.
        let other = Task { await client.outcome(of: held, options: CallOptions(attemptTimeout: 0.1)) }
        #expect(try await withDeadline { await other.value } == .failed(.timedOut))
        name.release()
        let found = try await withDeadline { await calls.value }
        #expect(found == [.answered(200, "1")])
        #expect(server.requests.count == 30)
    }

    /// Of calls that wait for one of few places, each would otherwise wait for its own time behind the look-up.
    @Test(.spec(304)) func callsInLineBehindALookUpThatHangsEndWithIt() async throws {
        let name = try HeldName("line.held.test")
        let client = try client(.init(connectTimeout: 4, connectionsPerHost: 4))
        let held = try request(name)
        // Ten rounds of four seconds would be too long; each after the first one takes a quarter of a second.
        let found = try await withDeadline(seconds: 30) { await outcomes(40, of: held, over: client) }
        #expect(found == [.failed(.nameNotResolved)])
        #expect(name.lookupCount == Self.kinds)
        name.release()
    }

    @Test(.spec(245)) func callsThatWaitForALookUpFailWithIt() async throws {
        let client = try client(.init())
        let unknown = URLRequest(url: url("http://unknown.invalid:\(server.port)"))
        #expect(try await withDeadline { await outcomes(30, of: unknown, over: client) } == [.failed(.nameNotResolved)])
    }

    /// A look-up that was given up must not add to the largest number.
    @Test(.spec(244), arguments: [.max, .min, 0])
    func anyNumberOfConnectionsIsASetting(number: Int) async throws {
        let name = try HeldName("number\(number).held.test")
        let client = try client(.init(connectionsPerHost: number, connections: number))
        let held = try request(name)
        try await giveUp(held, name, over: client)
        for _ in 0..<3 { await expectAnswer(over: client) }
        name.release()
        #expect(await client.outcome(of: held) == .answered(200, "1"))
    }

    /// libcurl sends the request again over a new connection, for which it looks the name up again.
    @Test(.spec(173, 207))
    func aLookUpAfterADeadConnectionEndsWithTheConnectTimeoutAndDelaysNoOtherCall() async throws {
        let server = try LoopbackServer { request in
            request.path == "/dead" && request.indexOnConnection > 0 ? [.close] : .respond(body: "1")
        }
        var configuration = CurlTransport.Configuration(connectTimeout: 4)
        configuration.nameCacheTime = 0
        let client = try client(configuration)
        // The first one has the name until it is released.
        let names = try (0..<2).map { _ in try HeldName("again.held.test") }
        let request = URLRequest(url: try #require(URL(string: "http://again.held.test:\(server.port)/dead")))
        let first = Task { await client.outcome(of: request) }
        try await withDeadline { try await names[0].lookups(Self.kinds) }
        names[0].release()
        #expect(try await withDeadline { await first.value } == .answered(200, "1"))
        let second = Task { try await client.fetch(request: request) }
        try await withDeadline { try await names[1].lookups(Self.kinds) }
        let error = await #expect(throws: NetworkClient.Error.self) {
            _ = try await withDeadline { try await second.value }
        }
        #expect(error?.description.contains("4 s") == true)
        for _ in 0..<3 { await expectAnswer(over: client) }
        names[1].release()
    }
}
#endif
