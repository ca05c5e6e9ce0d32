import Foundation
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

    @Test(.spec(115, 116), arguments: TransportUnderTest.all)
    func twoIdenticalRequestsShareOneExchange(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("[1]")] }
        let request = URLRequest.get(url: server.url("/items")).set(header: .accept(type: .json)).build()
            .withInstanceCaching()
        async let first: NetworkClient.Response<[Int]> = client.fetch(request: request)
        async let second: NetworkClient.Response<Data> = client.fetch(request: request)
        try await waitForWaiters(2, of: client)
        gate.open()
        let (numbers, data) = try await (first.item, second.item)
        #expect(numbers == [1])
        #expect(data == Data("[1]".utf8))
        #expect(server.requestCount == 1)
        let _: NetworkClient.Response<Data> = try await client.fetch(request: request)
        #expect(server.requestCount == 2)
        #expect(client.sharing.exchangeCount == 0)
    }

    @Test(.spec(117), arguments: TransportUnderTest.all)
    func requestsWithoutTheOptInShareNoExchange(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .respond()] }
        let request = URLRequest(url: server.url)
        async let first = client.fetch(request: request)
        async let second = client.fetch(request: request)
        try await server.waitForHeads(count: 2)
        gate.open()
        _ = try await (first, second)
        #expect(server.requestCount == 2)
    }

    @Test(.spec(116), arguments: TransportUnderTest.all)
    func everyCallerGetsTheFailureOfASharedExchangeAndLaterCallsSendAgain(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .respond(status: 503)] }
        let request = URLRequest(url: server.url).withInstanceCaching()
        let client = try transport.client()
        let fetches = (0..<5).map { _ in Task { try await client.fetch(request: request) } }
        try await waitForWaiters(5, of: client)
        gate.open()
        for fetch in fetches {
            await #expect { try await fetch.value } throws: { ($0 as? NetworkClient.Error)?.statusCode == 503 }
        }
        #expect(server.requestCount == 1)
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        #expect(server.requestCount == 2)
    }

    @Test(.spec(118), arguments: TransportUnderTest.all)
    func requestsAreComparedAsTheyLeaveTheInterceptors(transport: TransportUnderTest) async throws {
        struct Account: InterceptorProtocol {
            @TaskLocal static var token = ""

            func process(
                _ request: URLRequest,
                next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
            ) async throws -> NetworkClient.ChainResult {
                try await next(request.setting(header: .authorisation(auth: Self.token)))
            }
        }
        let gate = Gate()
        let server = try LoopbackServer { request in
            [.wait(gate), .respond(body: request.value(forHeader: "Authorization") ?? "")]
        }
        let client = try transport.client(interceptors: [Account()])
        let request = URLRequest(url: server.url).withInstanceCaching()
        let fetches = ["a", "b"].map { token in
            Account.$token.withValue(token) {
                Task { () -> String in
                    let response: NetworkClient.Response<String> = try await client.fetch(request: request)
                    return response.item
                }
            }
        }
        try await server.waitForHeads(count: 2)
        gate.open()
        #expect(try await fetches[0].value == "a")
        #expect(try await fetches[1].value == "b")
    }

    @Test(.spec(118), arguments: [CallOptions(redirects: RedirectPolicy.none), CallOptions(bodyLimit: 100)])
    func callsWithDifferentLimitsShareNoExchange(options: CallOptions) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("1")] }
        let client = NetworkClient(logging: .off)
        let request = URLRequest(url: server.url).withInstanceCaching()
        async let one: NetworkClient.Response<Int> = client.fetch(request: request)
        async let other: NetworkClient.Response<Int> = client.fetch(request: request, options: options)
        try await withDeadline("both requests") { try await server.waitForHeads(count: 2) }
        gate.open()
        #expect(try await one.item == 1)
        #expect(try await other.item == 1)
    }

    @Test(.spec(187), arguments: TransportUnderTest.all)
    func eachCallerOfASharedExchangeHasItsOwnTotalTimeout(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("1")] }
        let request = URLRequest(url: server.url).withInstanceCaching()
        let client = try transport.client()
        let calls = [60, nil].map { (seconds: Double?) in
            Task { () -> Int in
                let options = CallOptions(totalTimeout: seconds)
                let response: NetworkClient.Response<Int> = try await client.fetch(request: request, options: options)
                return response.item
            }
        }
        try await waitForWaiters(2, of: client)
        await #expect {
            try await withDeadline { try await client.fetch(request: request, options: CallOptions(totalTimeout: 0.1)) }
        } throws: { error in
            guard case NetworkClient.Error.requestError(let error) = error else { return false }
            return error.reason == .timedOut && error.place == server.url.absoluteString
        }
        #expect(client.sharing.waiterCount == 2)
        gate.open()
        #expect(try await calls[0].value == 1)
        #expect(try await calls[1].value == 1)
        #expect(server.requestCount == 1)
    }

    @Test(.spec(187)) func aSharedExchangeHasNoTotalTimeoutOfTheCallerThatStartsIt() async throws {
        let totals = Recorder<TimeInterval?>()
        let transport = ClosureTransport { _, options in
            totals.record(options.totalTimeout)
            return TransportResponse(response: .made())
        }
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: url("http://h"))
        for request in [request.withInstanceCaching(), request] {
            try await client.fetch(request: request, options: CallOptions(totalTimeout: 60))
        }
        #expect(totals.values.map { $0 == nil } == [true, false])
    }

    @Test(.spec(187), arguments: TransportUnderTest.all)
    func aSharedExchangeEndsWhenItsLastCallerHasWaitedTooLong(transport: TransportUnderTest) async throws {
        let closed = Gate()
        let server = try LoopbackServer { _ in [.awaitPeerClose(then: closed)] }
        let request = URLRequest(url: server.url).withInstanceCaching()
        let client = try transport.client()
        let options = CallOptions(totalTimeout: 0.2)
        await #expect { try await client.fetch(request: request, options: options) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .timedOut
        }
        try await withDeadline("the connection's end") { try await closed.wait() }
        #expect(client.sharing.exchangeCount == 0)
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: request, options: CallOptions(totalTimeout: 0))
        }
        #expect(server.requestCount == 1)
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

    @Test func aSharedExchangeHasNoTaskLocalValuesOfItsCallers() async throws {
        enum Context {
            @TaskLocal static var user = "nobody"
        }
        let seen = Recorder<String>()
        let transport = ClosureTransport { _ in
            seen.record(Context.user)
            return (Data(), .made())
        }
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: url("http://h"))
        try await Context.$user.withValue("A") {
            try await client.fetch(request: request.withInstanceCaching())
            try await client.fetch(request: request)
        }
        #expect(seen.values == ["nobody", "A"])
    }

    @Test(.spec(121), arguments: TransportUnderTest.all)
    func theOptInToSharingIsNotSent(transport: TransportUnderTest) async throws {
        struct Look: InterceptorProtocol {
            let seen: Recorder<[String: String]>

            func process(
                _ request: URLRequest,
                next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
            ) async throws -> NetworkClient.ChainResult {
                seen.record(request.allHTTPHeaderFields ?? [:])
                return try await next(request.withInstanceCaching(customHash: "hash-two"))
            }
        }
        let server = try LoopbackServer { _ in .respond() }
        let seen = Recorder<[String: String]>()
        let client = try transport.client(interceptors: [Look(seen: seen)])
        try await client.fetch(request: URLRequest(url: server.url).withInstanceCaching(customHash: "hash-one"))
        #expect(seen.values == [[:]])
        let head = try await server.request(at: 0).headText.lowercased()
        for trace in ["caching", "hash-one", "hash-two"] { #expect(!head.contains(trace)) }
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
        #expect(client.sharing.waiterCount == 2)
        gate.open()
        #expect(try await fetches[1].value == 1)
        #expect(try await fetches[2].value == 1)
        #expect(server.requestCount == 1)
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
        #expect(response.item == 2)
        for fetch in fetches { await #expect(throws: CancellationError.self) { try await fetch.value } }
        try await closed.wait()
        #expect(client.sharing.exchangeCount == 0)
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
            #expect(try await joiner.value == 1)
            _ = await leaver.value
        }
        #expect(client.sharing.exchangeCount == 0)
    }
}
