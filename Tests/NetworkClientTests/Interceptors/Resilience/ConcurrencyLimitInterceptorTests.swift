import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct ConcurrencyLimitInterceptorTests {
    private struct Foreign: Error {}

    /// A scene whose requests wait for gates by their paths.
    private struct Held: Sendable {
        let gates: [String: Gate]
        let scene: ResilienceScene

        init(_ interceptors: [any InterceptorProtocol], _ paths: [String]) {
            let gates = Dictionary(uniqueKeysWithValues: paths.map { ($0, Gate()) })
            self.gates = gates
            scene = ResilienceScene(interceptors) { request, _ in
                try await gates[request.url?.path ?? ""]?.wait()
                return (Data(), .made())
            }
        }

        var sent: [String] { scene.sent.values.map { $0.url?.path ?? "" } }

        func start(_ path: String) -> Task<Int, any Error> {
            Task { try await scene.fetch("https://api.example.com\(path)") }
        }
    }

    @Test(.spec(114)) func requestsBeyondTheLimitAreSentInTheOrderInWhichTheyCame() async throws {
        let limit = ConcurrencyLimitInterceptor(1)
        let paths = (0..<5).map { "/\($0)" }
        let held = Held([limit], paths)
        var tasks: [Task<Int, any Error>] = []
        for (number, path) in paths.enumerated() {
            tasks.append(held.start(path))
            try await eventually("request \(number)") { held.sent.count == 1 && limit.waiterCount == number }
        }
        for number in paths.indices {
            try await eventually("request \(number)") { held.sent == Array(paths.prefix(number + 1)) }
            held.gates[paths[number]]?.open()
            let task = tasks[number]
            let status = try await withDeadline { try await task.value }
            #expect(status == 200)
        }
    }

    @Test(.spec(114)) func aCancelledWaiterLeavesTheQueue() async throws {
        let limit = ConcurrencyLimitInterceptor(1)
        let held = Held([limit], ["/0", "/1", "/2"])
        let first = held.start("/0")
        try await eventually("the first request") { held.sent.count == 1 }
        let cancelled = held.start("/1")
        try await eventually("the first waiter") { limit.waiterCount == 1 }
        let last = held.start("/2")
        try await eventually("the second waiter") { limit.waiterCount == 2 }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await cancelled.value } }
        #expect(limit.waiterCount == 1)
        for gate in held.gates.values { gate.open() }
        for task in [first, last] {
            let status = try await withDeadline { try await task.value }
            #expect(status == 200)
        }
        #expect(held.sent == ["/0", "/2"])
    }

    @Test(.spec(114, 126)) func cancelAllEndsTheWaitsAndLaterCallsWork() async throws {
        let limit = ConcurrencyLimitInterceptor(1)
        #expect(CallRegistry.waitsOnlyInNext(limit))
        let held = Held([limit], ["/0"])
        let tasks = [held.start("/0"), held.start("/0")]
        try await eventually("the waiter") { limit.waiterCount == 1 }
        held.scene.client.cancelAll()
        for task in tasks {
            await #expect(throws: CancellationError.self) { try await withDeadline { try await task.value } }
        }
        #expect(try await held.scene.fetch("https://api.example.com/other") == 200)
    }

    @Test(.spec(114)) func theTimeoutOfARequestStartsWhenItIsSent() async throws {
        let limit = ConcurrencyLimitInterceptor(1)
        let held = Held([limit], ["/0"])
        let first = held.start("/0")
        try await eventually("the first request") { held.sent.count == 1 }
        let second = Task {
            try await held.scene.client.fetch(
                request: URLRequest(url: url("https://api.example.com/1")),
                options: CallOptions(totalTimeout: 2)
            )
        }
        try await eventually("the waiter") { limit.waiterCount == 1 }
        held.scene.clock.advance(by: 10)
        held.gates["/0"]?.open()
        _ = try await first.value
        let response = try await withDeadline { try await second.value }
        #expect(held.scene.limits.values.last == 2)
        let waits = response.journey.steps.filter { $0.kind == .wait }
        #expect(waits.map(\.number) == [10])
        #expect(waits.map(\.detail) == ["ConcurrencyLimitInterceptor, at most 1 in flight"])
    }

    @Test(.spec(112, 114)) func aDeadlineOutsideEndsTheWait() async throws {
        let held = Held([.deadline(5), .concurrencyLimit(1)], ["/0"])
        let clock = held.scene.clock
        let first = held.start("/0")
        try await eventually("the first request") { held.sent.count == 1 }
        let second = held.start("/1")
        try await withDeadline { try await clock.waitForSleepers() }
        clock.advance(by: 5)
        await #expect { try await withDeadline { try await second.value } } throws: {
            $0.localizedDescription
                == "The request to 'https://api.example.com/1' failed: it took longer than its deadline of 5 s."
        }
        held.gates["/0"]?.open()
        #expect(try await first.value == 200)
        #expect(held.sent == ["/0"])
    }

    @Test func aQueueThatIsFullRefusesRequests() async throws {
        let limit = ConcurrencyLimitInterceptor(1, queueLimit: 1)
        let held = Held([limit], ["/0"])
        let tasks = [held.start("/0"), held.start("/0")]
        try await eventually("the waiter") { limit.waiterCount == 1 }
        let error = await held.scene.failure("https://api.example.com/items?token=secret")
        #expect(error as? QueueFullError == .init(place: "https://api.example.com/items", limit: 1))
        #expect(
            error?.localizedDescription == "The request to 'https://api.example.com/items' was not sent: "
                + "its queue is full, with a limit of 1."
        )
        held.gates["/0"]?.open()
        for task in tasks { #expect(try await withDeadline { try await task.value } == 200) }
    }

    @Test(.spec(114)) func aLimitPerHostLetsOtherHostsPass() async throws {
        let limit = ConcurrencyLimitInterceptor(1, per: .host)
        let held = Held([limit], ["/0"])
        let first = held.start("/0")
        try await eventually("the first request") { held.sent.count == 1 }
        #expect(try await held.scene.fetch("https://other.example.com/1") == 200)
        #expect(try await held.scene.fetch("https://api.example.com:444/1") == 200)
        let second = held.start("/1")
        try await eventually("the waiter") { limit.waiterCount == 1 }
        held.gates["/0"]?.open()
        for task in [first, second] {
            let status = try await withDeadline { try await task.value }
            #expect(status == 200)
        }
    }

    @Test func aRequestThatFailsMakesRoom() async throws {
        let scene = ResilienceScene([.concurrencyLimit(0)]) { _, number in
            if number == 0 { throw Foreign() }
            return (Data(), .made())
        }
        #expect(await scene.failure() is Foreign)
        #expect(try await scene.fetch() == 200)
    }

    @Test(.spec(114), arguments: TransportUnderTest.all)
    func noMoreRequestsThanTheLimitAreInFlight(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client(interceptors: [.concurrencyLimit(3)])
        try await withDeadline {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        try await client.fetch(request: URLRequest(url: server.url("/\(number)"))).statusCode
                    }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
        // Each connection carries one request at a time.
        #expect(server.connectionCount <= 3)
        #expect(server.requestCount == 60)
    }

    @Test(arguments: TransportUnderTest.all)
    func aStreamMakesRoomWhenItsHeadIsReceived(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in
            guard request.path == "/stream" else { return .respond() }
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n"), .wait(gate),
                .send("ok"),
            ]
        }
        let client = try transport.client(interceptors: [.concurrencyLimit(1)])
        try await withDeadline {
            let stream = try await client.stream(request: URLRequest(url: server.url("/stream")))
            try await client.fetch(request: URLRequest(url: server.url("/other")))
            gate.open()
            var count = 0
            for try await chunk in stream.item { count += chunk.count }
            #expect(count == 2)
        }
    }
}
