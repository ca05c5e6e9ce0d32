#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What a server can do to the other calls of an engine with HTTP/2.
@Suite(.needsHTTP2)
struct CurlEngineHTTP2Tests {
    private let transport: CurlTransport
    private let client: NetworkClient

    init() throws {
        transport = try CurlTransport(configuration: .init(security: .init(trustRoots: TLSFixtures.root)))
        client = NetworkClient(transport: transport, logging: .off)
    }

    /// libcurl 7.88 does not return from its call while the frames come faster than it reads them.
    @Test(.spec(206), arguments: [.emptyData, .priority, .drops] as [HTTP2Answer.Flood])
    func aFloodOfFramesStopsNoCallToAnotherHost(flood: HTTP2Answer.Flood) async throws {
        let (ended, began) = (Gate(), Gate())
        defer { ended.open() }
        let server = try HTTP2Server { .flood($0, with: flood, until: ended) }
        let other = try LoopbackServer { $0.path == "/early" ? [.wait(began), .json("1")] : [.json("1")] }
        @Sendable func fetch(_ path: String) async throws -> Int {
            let request = URLRequest.get(url: other.url(path)).build()
            let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
            return response.item
        }
        // More than one engine takes, before the flood and during it.
        let early = Task { try await sum(20) { try await fetch("/early") } }
        try await withDeadline { try await other.waitForRequests(count: 20) }
        let request = URLRequest.get(url: server.url("/flood")).build()
        // Later versions return, and the call ends at its limit.
        let options = CallOptions(attemptTimeout: 1)
        let flooded = Task { [client] in try await client.fetch(request: request, options: options) }
        _ = try await withDeadline { try await server.requests(1) }
        began.open()
        #expect(try await withDeadline { try await early.value } == 20)
        #expect(try await withDeadline { try await sum(20) { try await fetch("/late") } } == 20)
        await #expect(throws: NetworkClient.Error.self) { try await withDeadline { try await flooded.value } }
    }

    /// Frames without content are told by their bytes, whatever else the engine does.
    @Test(.spec(206, 300), .needsNoSanitizer, arguments: HTTP2Answer.Flood.allCases, [true, false])
    func aFloodEndsWithItsConnection(flood: HTTP2Answer.Flood, isStreamed: Bool) async throws {
        // Up to 8.0, streams use HTTP/1.1.
        guard !isStreamed || !CurlLibrary.streamsAlone else { return }
        let ended = Gate()
        defer { ended.open() }
        let server = try HTTP2Server { .flood($0, with: flood, until: ended) }
        let request = URLRequest.get(url: server.url("/flood")).build()
        let call = Task { [client] in
            guard isStreamed else { return try await client.fetch(request, as: Data.self).item }
            return try await client.stream(request).item.data()
        }
        let error = await #expect(throws: NetworkClient.Error.self) { try await withDeadline { try await call.value } }
        guard case .requestError(let failure)? = error else { return }
        #expect([.connectionLost, .malformedResponse].contains(failure.reason), "\(failure)")
    }

    /// libcurl does not wait at the connection until it has sent the request.
    @Test(.spec(206)) func aFloodOnAKeptConnectionStopsNoCallToAnotherHost() async throws {
        let ended = Gate()
        defer { ended.open() }
        let server = try HTTP2Server { .respond(to: $0).flooding(until: ended) }
        let other = try LoopbackServer { _ in .respond(body: "1") }
        let request = URLRequest.get(url: server.url("/a")).build()
        // Now and then the flood is faster than the end of the response, and the connection is ended with it.
        var first = Outcome.cancelled
        for _ in 0..<20 where first != .answered(200, "1") {
            first = try await withDeadline { [client] in await client.outcome(of: request) }
        }
        #expect(first == .answered(200, "1"))
        let flooded = Task { [client] in await client.outcome(of: request, options: CallOptions(attemptTimeout: 1)) }
        for _ in 0..<20 {
            let outcome = try await withDeadline { [client] in
                await client.outcome(of: URLRequest(url: other.url), options: CallOptions(attemptTimeout: 3))
            }
            #expect(outcome == .answered(200, "1"))
        }
        _ = try await withDeadline { await flooded.value }
    }

    private func sum(_ count: Int, of number: @escaping @Sendable () async throws -> Int) async throws -> Int {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count { group.addTask { try await number() } }
            return try await group.reduce(0, +)
        }
    }

    /// libcurl 7.88 waits until it can write to the connection, which it can all the time.
    @Test(.spec(210)) func aServerThatTakesNothingOfABodyCostsNoProcessorTime() async throws {
        let server = try HTTP2Server(window: 0) { .respond(to: $0) }
        var request = URLRequest.put(url: server.url("/a")).bodyData(Data(count: 100_000)).build()
        request.timeoutInterval = 0.5
        let call = Task { [client, request] in await client.outcome(of: request) }
        try await withDeadline { try await server.waitForHeads(count: 1) }
        try await transport.expectRest(until: call)
    }

    /// libcurl 8.16 to 8.20 waits for bytes that it does not read while all streams of the connection are paused.
    @Test(.spec(174, 210)) func aBodyThatNobodyReadsCostsNoProcessorTime() async throws {
        let pieces = [String](repeating: String(repeating: "x", count: 16_000), count: 250)
        let gate = Gate()
        let server = try HTTP2Server { $0.number == 0 ? .respond(to: $0) : .respond(to: $0, body: pieces) }
        let other = try LoopbackServer { _ in [.wait(gate, orPeerClose: true), .close] }
        #expect(await client.outcome(of: URLRequest(url: server.url("/a"))) == .answered(200, "1"))
        let body = try await withDeadline { [client] in try await client.stream(URLRequest(url: server.url("/b"))) }
            .item
        var iterator = body.makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        var request = URLRequest(url: other.url)
        // A time in which libcurl would be called thousands of times.
        request.timeoutInterval = 0.7
        try await transport.expectRest(until: Task { [client, request] in await client.outcome(of: request) })
        while let chunk = try await iterator.next() { count += chunk.count }
        #expect(count == 4_000_000)
    }

    /// A window that opens slowly stops the upload again and again.
    @Test(.spec(210)) func aBodyIsSentAsTheServerTakesIt() async throws {
        let server = try HTTP2Server(window: 1_000) { .respond(to: $0, body: ["\($0.body.count)"]) }
        let request = URLRequest.put(url: server.url("/a")).bodyData(Data(count: 300_000)).build()
        let response: NetworkClient.Response<Int> = try await withDeadline { [client] in
            try await client.fetch(request: request)
        }
        #expect(response.item == 300_000)
    }

    /// The calls of a burst that share one connection.
    private static let burst = CurlLibrary.gathersStreams ? CurlEngine.maxStreams : 20

    @Test(.spec(212), .enabled(if: CurlLibrary.reportsConnections))
    func aBurstOfFirstCallsMakesOneConnection() async throws {
        let server = try HTTP2Server { .respond(to: $0) }
        let found = try await withDeadline { try await outcomes(Self.burst, of: server.url("/a")) }
        #expect(found == [.answered(200, "1")])
        #expect(server.connectionCount == 1)
    }

    /// The server closes its connection after each burst.
    @Test(.spec(247), .enabled(if: CurlLibrary.reportsConnections))
    func eachBurstOfCallsMakesOneConnection() async throws {
        let server = try HTTP2Server { request in
            let isLast = (request.number + 1).isMultiple(of: Self.burst + 1)
            return isLast ? .goAway(lastStream: 0x7FFF_FFFF, before: .respond(to: request)) : .respond(to: request)
        }
        for number in 1...3 {
            for count in [Self.burst, 1] {
                let found = try await withDeadline { try await outcomes(count, of: server.url("/a")) }
                #expect(found == [.answered(200, "1")])
            }
            #expect(server.connectionCount == number)
        }
    }

    /// From 8.1 to 8.6, a call of libcurl reads what the windows of all streams hold before it passes any of it on.
    @Test(.spec(243)) func parallelDownloadsAreNotTakenForAFlood() async throws {
        let pieces = [String](repeating: String(repeating: "x", count: 16_000), count: 560)
        let begin = Gate()
        let server = try HTTP2Server { .respond(to: $0, body: pieces).held(until: begin) }
        let calls = Task { try await outcomes(24, of: server.url("/a")) }
        _ = try await withDeadline { try await server.requests(24) }
        begin.open()
        #expect(try await withDeadline { try await calls.value } == [.answered(200, pieces.joined())])
    }

    /// Another call connects each second, since a packet may be lost.
    @Test(.spec(303), .enabled(if: CurlLibrary.reportsConnections))
    func aBurstOfFirstCallsOverASlowLinkMakesFewConnections() async throws {
        let gate = Gate()
        let server = try HTTP2Server(handshakesAfter: gate) { .respond(to: $0) }
        let calls = Task { try await outcomes(Self.burst, of: server.url("/a")) }
        try await withDeadline { try await server.waitForOpenConnections(2) }
        #expect(server.openConnectionCount == 2)
        gate.open()
        #expect(try await withDeadline { try await calls.value } == [.answered(200, "1")])
        #expect(server.connectionCount <= 2)
    }

    /// The wait for the connection of another call is part of connecting.
    @Test(.spec(304)) func callsThatWaitForTheConnectionOfAnotherNameTheLimitThatPassed() async throws {
        let gate = Gate()
        defer { gate.open() }
        let server = try HTTP2Server(handshakesAfter: gate) { .respond(to: $0) }
        let transport = try CurlTransport(configuration: .init(connectTimeout: 0.5))
        let client = NetworkClient(transport: transport, logging: .off)
        let texts = await withTaskGroup(of: String.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    do {
                        try await client.fetch(request: URLRequest(url: server.url("/a")))
                        return "no error"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 1 && texts.first?.contains("within its connect timeout of 0.5 s") == true, "\(texts)")
    }

    /// Over HTTP/1.1, no call waits for the response to another.
    @Test(.spec(212), arguments: [true, false])
    func aBurstOfFirstCallsWaitsOnlyForTheHandshake(isTrusted: Bool) async throws {
        let gate = Gate()
        defer { gate.open() }
        let server = try LoopbackServer(tls: TLSConfiguration()) { _ in [.wait(gate), .respond(body: "1")] }
        let other = try CurlTransport(configuration: .init(connectTimeout: 60))
        let client = isTrusted ? client : NetworkClient(transport: other, logging: .off)
        let calls = Task { try await outcomes(20, of: server.url, over: client) }
        if isTrusted { try await withDeadline { try await server.waitForRequests(count: 20) } }
        gate.open()
        let expected = isTrusted ? Outcome.answered(200, "1") : .failed(.secureConnectionFailed)
        #expect(try await withDeadline { try await calls.value } == [expected])
    }

    /// Returns the different outcomes of calls at once.
    private func outcomes(_ count: Int, of url: URL, over other: NetworkClient? = nil) async throws -> Set<Outcome> {
        let client = other ?? client
        return await withTaskGroup(of: Outcome.self) { group in
            for _ in 0..<count { group.addTask { await client.outcome(of: URLRequest(url: url)) } }
            return await group.reduce(into: []) { $0.insert($1) }
        }
    }
}
#endif
