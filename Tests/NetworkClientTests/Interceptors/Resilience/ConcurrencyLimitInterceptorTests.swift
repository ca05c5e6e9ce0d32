import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct ConcurrencyLimitInterceptorTests {
    private struct Foreign: Error {}

    /// A scene whose requests wait for gates by their paths, after one request that is in flight.
    private struct Held: Sendable {
        let gates: [String: Gate]
        let scene: ResilienceScene
        let limit: ConcurrencyLimitInterceptor
        let first: Task<Int, any Error>

        /// Sends a request for the first of the paths.
        init(_ limit: ConcurrencyLimitInterceptor = ConcurrencyLimitInterceptor(1), _ paths: String...) async throws {
            let gates = Dictionary(uniqueKeysWithValues: paths.map { ($0, Gate()) })
            let scene = ResilienceScene([limit]) { request, _ in
                try await gates[request.url?.path ?? ""]?.wait()
                return (Data(), .made())
            }
            first = Task { try await scene.fetch("https://api.example.com\(paths[0])") }
            try await eventually("the first request") { scene.sent.count == 1 }
            (self.gates, self.scene, self.limit) = (gates, scene, limit)
        }

        var sent: [String] { scene.sent.values.map { $0.url?.path ?? "" } }

        /// Sends a request that waits for its turn.
        func wait(_ path: String) async throws -> Task<Int, any Error> {
            let count = limit.waiterCount + 1
            let task = Task { try await scene.fetch("https://api.example.com\(path)") }
            try await eventually("waiter \(count)") { limit.waiterCount == count }
            return task
        }

        /// Lets the first request end, and expects that it and others succeed.
        func finish(_ others: Task<Int, any Error>...) async throws {
            for gate in gates.values { gate.open() }
            for task in [first] + others { expect(try await withDeadline { try await task.value }, 200) }
        }
    }

    @Test(.spec(114)) func requestsBeyondTheLimitAreSentInTheOrderInWhichTheyCame() async throws {
        let held = try await Held(ConcurrencyLimitInterceptor(1), "/0", "/1", "/2", "/3", "/4")
        var tasks = [held.first]
        for number in 1...4 { tasks.append(try await held.wait("/\(number)")) }
        for (number, task) in tasks.enumerated() {
            try await eventually("request \(number)") { held.sent == (0...number).map { "/\($0)" } }
            held.gates["/\(number)"]?.open()
            expect(try await withDeadline { try await task.value }, 200)
        }
    }

    @Test(.spec(114)) func aCancelledWaiterLeavesTheQueue() async throws {
        let held = try await Held(ConcurrencyLimitInterceptor(1), "/0")
        let cancelled = try await held.wait("/1")
        let last = try await held.wait("/2")
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await cancelled.value } }
        expect(held.limit.waiterCount, 1)
        try await held.finish(last)
        expect(held.sent, ["/0", "/2"])
    }

    @Test(.spec(114, 126)) func cancelAllEndsTheWaitsAndLaterCallsWork() async throws {
        let held = try await Held(ConcurrencyLimitInterceptor(1), "/0")
        let tasks = [held.first, try await held.wait("/0")]
        held.scene.client.cancelAll()
        for task in tasks {
            await #expect(throws: CancellationError.self) { try await withDeadline { try await task.value } }
        }
        expect(try await held.scene.fetch("https://api.example.com/other"), 200)
    }

    @Test(.spec(114)) func theTimeoutOfARequestStartsWhenItIsSent() async throws {
        let held = try await Held(ConcurrencyLimitInterceptor(1), "/0")
        let second = Task {
            try await held.scene.client.fetch(
                request: URLRequest(url: url("https://api.example.com/1")),
                options: CallOptions(attemptTimeout: 2)
            )
        }
        try await eventually("the waiter") { held.limit.waiterCount == 1 }
        held.scene.clock.advance(by: 10)
        try await held.finish()
        let response = try await withDeadline { try await second.value }
        expect(held.scene.limits.values.last, 2)
        let waits = response.journey.steps.filter { $0.kind == .wait }
        expect(waits.map(\.number), [10])
        expect(waits.map(\.detail), ["ConcurrencyLimitInterceptor, at most 1 in flight"])
    }

    @Test(.spec(114)) func aFullQueueRefusesRequestsAndALimitPerHostLetsOtherHostsPass() async throws {
        let held = try await Held(ConcurrencyLimitInterceptor(1, per: .host, queueLimit: 1), "/0")
        let waiter = try await held.wait("/1")
        let error = await held.scene.failure("https://api.example.com/items?token=secret")
        expect(error as? QueueFullError, .init(place: "https://api.example.com/items", limit: 1))
        expect(
            error?.localizedDescription,
            "The request to 'https://api.example.com/items' was not sent: "
                + "its queue is full, with a queueLimit of 1."
        )
        expect(try await held.scene.fetch("https://other.example.com/1"), 200)
        expect(try await held.scene.fetch("https://api.example.com:444/1"), 200)
        try await held.finish(waiter)
    }

    @Test func aRequestThatFailsMakesRoom() async throws {
        let scene = ResilienceScene([.concurrencyLimit(0)]) { _, number in
            if number == 0 { throw Foreign() }
            return (Data(), .made())
        }
        #expect(await scene.failure() is Foreign)
        expect(try await scene.fetch(), 200)
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
                for try await status in group { expect(status, 200) }
            }
        }
        // Each connection carries one request at a time.
        #expect(server.connectionCount <= 3)
        expect(server.requestCount, 60)
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
            let stream = try await client.stream(URLRequest(url: server.url("/stream")))
            try await client.fetch(request: URLRequest(url: server.url("/other")))
            gate.open()
            var count = 0
            for try await chunk in stream.item { count += chunk.count }
            expect(count, 2)
        }
    }
}
