import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Identical requests on the wire: the number of exchanges, and the responses of the callers.
struct SharedFetchTests {
    /// Waits until that many callers wait for shared exchanges.
    private func waitForWaiters(_ count: Int, of client: NetworkClient) async throws {
        while client.sharing.waiterCount < count { await Task.yield() }
    }

    @Test(.spec(115, 116, 117), arguments: TransportUnderTest.all)
    func twoIdenticalRequestsShareOneExchangeIfTheyOptIn(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("[1]")] }
        let plain = URLRequest.get(url: server.url("/items")).set(header: .accept(type: .json)).build()
        let request = plain.withInstanceCaching()
        async let first: NetworkClient.Response<[Int]> = client.fetch(request: request)
        async let second: NetworkClient.Response<Data> = client.fetch(request: request)
        try await waitForWaiters(2, of: client)
        let others = (0..<2).map { _ in Task { try await client.fetch(request: plain) } }
        try await server.waitForHeads(count: 3)
        gate.open()
        let (numbers, data) = try await (first.item, second.item)
        expect(numbers, [1])
        expect(data, Data("[1]".utf8))
        for other in others { _ = try await other.value }
        expect(server.requestCount, 3)
        let _: NetworkClient.Response<Data> = try await client.fetch(request: request)
        expectAll((server.requestCount, client.sharing.exchangeCount), (4, 0))
    }

    @Test(.spec(116), arguments: TransportUnderTest.all, [Script.respond(status: 503), .reset])
    func everyCallerGetsTheFailureOfASharedExchangeAndLaterCallsSendAgain(transport: TransportUnderTest, end: Script)
        async throws
    {
        let gate = Gate()
        let server = try LoopbackServer { request in request.connection == 0 ? [.wait(gate), end] : .json("1") }
        let request = URLRequest(url: server.url).withInstanceCaching()
        let client = try transport.client()
        let calls = (0..<5).map { _ in Task { try await client.fetch(request: request) } }
        try await waitForWaiters(5, of: client)
        gate.open()
        for call in calls {
            await #expect { try await call.value } throws: {
                let error = $0 as? NetworkClient.Error
                return error?.statusCode == 503 || error?.reason == .connectionLost
            }
        }
        expect(server.requestCount, 1)
        _ = try? await client.fetch(request: request)
        expect(server.requestCount, 2)
    }

    private struct Nonce: InterceptorProtocol {
        let count = Locked(0)

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            let number = count.withLock { count in
                count += 1
                return count
            }
            return try await next(request.setting(header: .custom(name: "X-Nonce", value: "secret-\(number)")))
        }
    }

    @Test(.spec(118)) func theJourneyNamesTheFieldThatKeepsACallFromSharing() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("1")] }
        let client = NetworkClient(interceptors: [Nonce()])
        let request = URLRequest(url: server.url).withInstanceCaching()
        async let first: NetworkClient.Response<Int> = client.fetch(request: request)
        try await withDeadline { try await server.waitForHeads(count: 1) }
        async let second: NetworkClient.Response<Int> = client.fetch(request: request)
        try await withDeadline { try await server.waitForHeads(count: 2) }
        gate.open()
        let journeys = [try await first.journey, try await second.journey]
        let decisions = journeys.map { $0.steps.filter { $0.kind == .decision }.map(\.detail) }
        expect(decisions, [[], ["not shared: X-Nonce differs"]])
    }

    @Test(.spec(118), arguments: [CallOptions(redirects: .never), CallOptions(bodyLimit: 100)])
    func callsWithDifferentLimitsShareNoExchange(options: CallOptions) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("1")] }
        let client = NetworkClient(logging: .off)
        let request = URLRequest(url: server.url).withInstanceCaching()
        async let one: NetworkClient.Response<Int> = client.fetch(request: request)
        async let other: NetworkClient.Response<Int> = client.fetch(request: request, options: options)
        try await withDeadline("both requests") { try await server.waitForHeads(count: 2) }
        gate.open()
        expect(try await one.item, 1)
        expect(try await other.item, 1)
    }

    @Test(.spec(187)) func eachCallerOfASharedExchangeHasItsOwnAttemptTimeoutAndTheLastEndsTheExchange() async throws {
        let (gate, never, ended) = (Gate(), Gate(), Gate())
        let scene = ResilienceScene([]) { _, number in
            defer { if number > 0 { ended.open() } }
            try await (number > 0 ? never : gate).wait()
            return (Data(), .made())
        }
        let request = URLRequest(url: url("https://api.example.com/items")).withInstanceCaching()
        func start(_ seconds: Double?) -> Task<Int, any Error> {
            let options = CallOptions(attemptTimeout: seconds)
            return Task { try await scene.client.fetch(request: request, options: options).statusCode }
        }
        func expectTimeout(of call: Task<Int, any Error>, after seconds: Double) async throws {
            try await eventually("the limit") { scene.clock.sleeps.contains(seconds) }
            scene.clock.advance(by: seconds)
            let place = "The request to 'https://api.example.com/items' failed: "
            await #expect { try await withDeadline { try await call.value } } throws: {
                $0.localizedDescription == place + "it took longer than its attempt timeout of \(seconds.inWords)."
            }
        }
        let calls = [start(60), start(nil)]
        let impatient = start(5)
        try await waitForWaiters(3, of: scene.client)
        try await expectTimeout(of: impatient, after: 5)
        expect(scene.client.sharing.waiterCount, 2)
        gate.open()
        for call in calls { expect(try await withDeadline { try await call.value }, 200) }
        expect(scene.sent.count, 1)
        let last = start(2)
        try await eventually("the second exchange") { scene.sent.count == 2 }
        try await expectTimeout(of: last, after: 2)
        try await withDeadline("the end of the exchange") { try await ended.wait() }
        expect(scene.client.sharing.exchangeCount, 0)
        await #expect(throws: NetworkClient.Error.self) { try await start(0).value }
        expect(scene.sent.count, 2)
    }

    @Test(.spec(187)) func aSharedExchangeHasNeitherTheAttemptTimeoutNorTheTaskLocalValuesOfItsCaller() async throws {
        enum Context {
            @TaskLocal static var user = "nobody"
        }
        let seen = Recorder<String>()
        let transport = ClosureTransport { _, options in
            seen.record("\(Context.user), \(options.exchangeTimeout == nil ? "no limit" : "limited")")
            return TransportResponse(response: .made())
        }
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: url("http://h"))
        try await Context.$user.withValue("A") {
            for request in [request.withInstanceCaching(), request] {
                try await client.fetch(request: request, options: CallOptions(attemptTimeout: 60))
            }
        }
        expect(seen.values, ["nobody, no limit", "A, limited"])
    }

    @Test(.spec(187)) func aCallerWithAHigherPriorityRaisesThatOfASharedExchange() async throws {
        let (reached, gate) = (Gate(), Gate())
        let transport = ClosureTransport { _ in
            reached.open()
            try await gate.wait()
            // The test ends by its deadline if the priority is not raised.
            while Task.currentPriority < .high { await Task.yield() }
            return (Data(), .made())
        }
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: url("http://h")).withInstanceCaching()
        let first = Task(priority: .low) { try await client.fetch(request: request) }
        try await reached.wait()
        let second = Task(priority: .high) { try await client.fetch(request: request) }
        try await waitForWaiters(2, of: client)
        gate.open()
        try await withDeadline("a raised exchange") {
            _ = try await first.value
            _ = try await second.value
        }
    }

    @Test(.spec(121), arguments: TransportUnderTest.all)
    func theOptInToSharingIsNotSentInAnyLetterCase(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: 307), "/b": .respond()])
        let seen = Recorder<[String: String]>()
        let look = ClosureInterceptor { request, next in
            seen.record(request.allHTTPHeaderFields ?? [:])
            return try await next(request.withInstanceCaching(customHash: "hash-two"))
        }
        let client = try transport.client(interceptors: [look])
        var request = URLRequest(url: server.url("/a"))
        let marks = request.withInstanceCaching(customHash: "hash-one").allHTTPHeaderFields ?? [:]
        for (name, value) in marks { request.setValue(value, forHTTPHeaderField: name.uppercased()) }
        try await client.fetch(request: request)
        expectAll((seen.values, server.requestCount), ([[:]], 2))
        for head in server.requests.map({ $0.headText.lowercased() }) {
            for trace in marks.keys.map({ $0.lowercased() }) + ["hash-one", "hash-two"] {
                #expect(!head.contains(trace))
            }
        }
    }

    @Test(.spec(122), arguments: TransportUnderTest.all)
    func aCancelledCallerDoesNotEndTheExchangeOfOthers(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("1")] }
        let request = URLRequest(url: server.url).withInstanceCaching()
        let client = try transport.client()
        let fetches = (0..<3).map { _ in
            Task { () -> Int in
                let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
                return response.item
            }
        }
        try await waitForWaiters(3, of: client)
        fetches[0].cancel()
        await #expect(throws: CancellationError.self) { try await fetches[0].value }
        expect(client.sharing.waiterCount, 2)
        gate.open()
        expect(try await fetches[1].value, 1)
        expect(try await fetches[2].value, 1)
        expect(server.requestCount, 1)
    }

    @Test(.spec(122, 124), arguments: TransportUnderTest.all)
    func theConnectionIsClosedWhenAllCallersAreCancelledAndTheNextCallSendsAgain(transport: TransportUnderTest)
        async throws
    {
        let closed = Gate()
        let server = try LoopbackServer { request in
            request.connection == 0 ? [.awaitPeerClose(then: closed)] : .json("2")
        }
        let request = URLRequest(url: server.url).withInstanceCaching()
        let client = try transport.client()
        let fetches = (0..<3).map { _ in Task { try await client.fetch(request: request) } }
        try await waitForWaiters(3, of: client)
        try await server.waitForHeads(count: 1)
        for fetch in fetches { fetch.cancel() }
        // Before the first exchange is torn down, after it, or in between: this one is a new one.
        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
        expect(response.item, 2)
        for fetch in fetches { await #expect(throws: CancellationError.self) { try await fetch.value } }
        try await closed.wait()
        expect(client.sharing.exchangeCount, 0)
    }

    @Test(.spec(124), arguments: TransportUnderTest.all)
    func aCallerNeverGetsTheCancellationOfAnother(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(recording: .countsOnly) { _ in .json("1") }
        let request = URLRequest(url: server.url).withInstanceCaching()
        let client = try transport.client()
        for _ in 0..<200 {
            let leaver = Task { try? await client.fetch(request: request) }
            let joiner = Task { () -> Int in
                let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
                return response.item
            }
            leaver.cancel()
            expect(try await joiner.value, 1)
            _ = await leaver.value
        }
        expect(client.sharing.exchangeCount, 0)
    }
}
