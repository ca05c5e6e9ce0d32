import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Servers that are there and say nothing.
struct EventTimeoutTests {
    private static func reconnection(_ seconds: TimeInterval?) -> Reconnection {
        var reconnection = Reconnection.standard
        (reconnection.jitter, reconnection.eventTimeout, reconnection.idleTimeout) = (.none, seconds, 10_000)
        return reconnection
    }

    private static func client(_ transport: StubTransport, _ clock: TestClock) -> NetworkClient {
        NetworkClient(transport: transport, logging: .off, configuration: .init(time: clock))
    }

    private static let request = URLRequest(url: url("https://h/"))

    private static func isTimeout(_ error: (any Error)?) -> Bool {
        "\(error.map { "\($0)" } ?? "")"
            == "The request to 'https://h/' failed: it had no event for its event timeout of 60 s."
    }

    /// Silence before the first event, and after it.
    @Test(.spec(255), arguments: [0, 1], ["GET", "POST"])
    func silenceEndsTheConnectionOfAnEventStream(after count: Int, method: String) async throws {
        let clock = TestClock()
        let transport = StubTransport(time: clock)
        let events = StubTransport.Response.events([.init(data: "a"), .init(data: "lost")])
        transport.on(.any, events.silent(after: count), .events([.init(data: "b")]))
        var request = Self.request
        request.httpMethod = method
        let reports = Recorder<CallReport>()
        let client = NetworkClient(
            transport: transport,
            logging: .off,
            configuration: .init(time: clock, observer: { reports.record($0) })
        )
        var iterator = client.events(request, reconnecting: Self.reconnection(60)).makeAsyncIterator()
        if count == 1 { expect(try await iterator.next()?.data, "a") }
        async let next = iterator.next()
        // The alarm and the transport.
        try await clock.waitForSleepers(2)
        clock.advance(by: 59)
        expect(clock.sleeperCount, 2)
        clock.advance(by: 1)
        if method == "POST" {
            // A closure cannot capture `next`.
            var error: (any Error)?
            do { _ = try await next } catch let thrown { error = thrown }
            expectAll((Self.isTimeout(error), (error as? NetworkClient.Error)?.isTimeout), (true, true))
            let steps = (error as? NetworkClient.Error)?.journey?.steps.filter { $0.kind == .failure }
            expect(steps?.map(\.detail), ["timedOut"])
            expect(transport.requests.count, 1)
        } else {
            // The wait before the next connection.
            while !clock.sleeps.contains(1) { await Task.yield() }
            clock.advance(by: 1)
            expect(try await next?.data, "b")
        }
        let report = try #require(reports.values.first)
        #expect(Self.isTimeout(report.error))
        #expect("\(report.journey)".contains("EventStream: ended after \(count == 1 ? "1 event" : "0 events")"))
    }

    /// Blocks that come each 25 seconds, and whether the connection outlives five minutes of them.
    @Test(
        .spec(255),
        arguments: [
            ([": ping"], false), (["retry: 5"], false), (["id: 5"], false), (["event: ping\ndata: {}"], false),
            ([": ping", "event: thought\ndata: {}"], true), ([": ping", "event: changed\ndata:"], true),
        ]
    )
    func whatIsNoEventDoesNotCount(blocks: [String], isAlive: Bool) async throws {
        let clock = TestClock()
        let transport = StubTransport(time: clock)
        let sent = (0..<12).map { blocks[$0 % blocks.count] }
        let chunks = (["data: a"] + sent).map { Data("\($0)\n\n".utf8) }
        transport.on(.any, .chunks(chunks, every: 25, type: .eventStream))
        var reconnection = Self.reconnection(60)
        reconnection.maximumAttempts = 0
        let events = Recorder<ServerSentEvent>()
        let stream = Self.client(transport, clock).events(Self.request, reconnecting: reconnection)
        let task = Task {
            for try await event in stream { events.record(event) }
        }
        for block in sent.prefix(isAlive ? 12 : 3) {
            // The alarm and the transport, after what came before was read.
            while events.count == 0 { await Task.yield() }
            try await clock.waitForSleepers(2)
            let count = events.count
            clock.advance(by: 25)
            while clock.now < 75 || isAlive, block.contains("data"), events.count == count { await Task.yield() }
        }
        let result = try await withDeadline {
            await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
        }
        expect(isAlive ? events.count : 7, 7)
        guard !isAlive else { return try result.get() }
        #expect(throws: NetworkClient.Error.self) { try result.get() }
        if case .failure(let error) = result { #expect(Self.isTimeout(error)) }
    }

    /// A connection that was silent for as long as one that is stable.
    @Test(.spec(255)) func silenceIsAFailureForTheNumberOfAttempts() async throws {
        let clock = TestClock()
        let transport = StubTransport(time: clock)
        let silent = StubTransport.Response.events([.init(type: "ping", data: "{}")]).silent(after: 1)
        transport.on(.any, silent, silent, silent)
        var reconnection = Self.reconnection(60)
        (reconnection.maximumAttempts, reconnection.stableAfter) = (1, 60)
        let stream = Self.client(transport, clock).events(Self.request, reconnecting: reconnection)
        let pings = Recorder<ServerSentEvent>()
        let task = Task { for try await event in stream { pings.record(event) } }
        for number in 1...2 {
            // The alarm and the transport, after the ping was read.
            while pings.count < number { await Task.yield() }
            try await clock.waitForSleepers(2)
            clock.advance(by: 60)
            guard number == 1 else { break }
            while !clock.sleeps.contains(1) { await Task.yield() }
            clock.advance(by: 1)
        }
        let error = await #expect(throws: NetworkClient.Error.self) { try await withDeadline { try await task.value } }
        expectAll((Self.isTimeout(error), transport.requests.count), (true, 2))
    }

    @Test(.spec(255)) func theTimeOfTheReaderDoesNotCount() async throws {
        let clock = TestClock()
        let transport = StubTransport(time: clock)
        transport.on(.any, .events(["a", "b"].map { ServerSentEvent(data: $0) }).silent(after: 2))
        let stream = Self.client(transport, clock).events(Self.request, reconnecting: Self.reconnection(60))
        var iterator = stream.makeAsyncIterator()
        for text in ["a", "b"] {
            expect(try await iterator.next()?.data, text)
            clock.advance(by: 100)
        }
        let start = clock.sleeps.count
        async let next = iterator.next()
        try await withDeadline {
            while !clock.sleeps.dropFirst(start).contains(60) { await Task.yield() }
        }
        stream.cancel()
        _ = try? await next
    }

    @Test(.spec(255), arguments: [nil, .infinity, .nan] as [TimeInterval?])
    func withoutALimitAStreamWaits(seconds: TimeInterval?) async throws {
        let clock = TestClock(advancesItself: true)
        let transport = StubTransport(time: clock)
        transport.on(.any, .events([.init(data: "a"), .init(data: "b")], every: 9_000), .status(204))
        var all: [String] = []
        let stream = Self.client(transport, clock).events(Self.request, reconnecting: Self.reconnection(seconds))
        for try await event in stream { all.append(event.data) }
        expect(all, ["a", "b"])
    }
}
