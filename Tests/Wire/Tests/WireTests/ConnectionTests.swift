import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// How connections are reused, shared and closed.
struct ConnectionTests {
    @Test(arguments: TransportUnderTest.all)
    func connectionsAreReused(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .json("1") }
        let transport = try transport.transport()
        for _ in 0..<20 {
            let client = NetworkClient(transport: transport, logging: .off)
            #expect(await client.outcome(of: URLRequest(url: server.url)) == .answered(200, "1"))
        }
        // URLSession reports the end of an exchange a moment before its connection can be reused.
        #expect(server.connectionCount < 10)
    }

    @Test(arguments: TransportUnderTest.all)
    func threeHundredCallsAtOnceEachGetTheirOwnResponse(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in .respond(body: request.path) }
        let client = try transport.client()
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<300 {
                group.addTask {
                    let outcome = await client.outcome(of: URLRequest(url: server.url("/\(index)")))
                    return outcome == .answered(200, "/\(index)")
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test(arguments: TransportUnderTest.all)
    func connectionsEndWithTheLastReferenceToTheirTransport(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(recording: .countsOnly) { _ in .json("1") }
        for _ in 0..<20 {
            #expect(await (try transport.client()).outcome(of: URLRequest(url: server.url)) == .answered(200, "1"))
        }
        try await withDeadline { try await server.waitForOpenConnections(0) }
    }

    @Test(arguments: TransportUnderTest.all)
    func aTransportThatWasShutDownRefusesRequests(transport: TransportUnderTest) async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try LoopbackServer { _ in [.open(arrived), .wait(gate), .respond(body: "late")] }
        let transport = try transport.transport()
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: server.url)
        async let underWay = client.outcome(of: request)
        try await arrived.wait()
        let closable = try #require(transport as? any ClosableTransport)
        closable.shutDown()
        closable.shutDown()
        #expect(await client.outcome(of: request) == .failed(.transportClosed))
        gate.open()
        #expect(await underWay == .answered(200, "late"))
        #expect(server.requestCount == 1)
    }

    @Test(
        .enabled(if: (try? Socket.bound(to: .ipv6)) != nil, "no IPv6 here"),
        arguments: TransportUnderTest.all
    )
    func anIPv6LiteralIsReached(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(on: .ipv6) { _ in .json("1") }
        let outcome = await (try transport.client()).outcome(of: URLRequest(url: server.url))
        guard !transport.has(.reachesNoIPv6Literal) else {
            #expect(outcome == .failed(.unsupported))
            return
        }
        #expect(outcome == .answered(200, "1"))
        #expect(server.requests.first?.value(forHeader: "Host") == "[::1]:\(server.port)")
    }

    @Test(arguments: TransportUnderTest.all, ["HTTP", "Http"])
    func aSchemeMayHaveAnyLetterCase(transport: TransportUnderTest, scheme: String) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let request = URLRequest(url: url("\(scheme)://127.0.0.1:\(server.port)/"))
        #expect(await (try transport.client()).outcome(of: request) == .answered(200))
    }

    /// To a port without a server, since URLSession on Linux cannot trust the tests' root; an invalid scheme would be
    /// another error.
    @Test(arguments: TransportUnderTest.all, ["HTTPS", "Https", "httpS"])
    func aSecureSchemeMayHaveAnyLetterCase(transport: TransportUnderTest, scheme: String) async throws {
        let port = try RefusingPort()
        let request = URLRequest(url: url(scheme + port.url.absoluteString.dropFirst("http".count)))
        #expect(await (try transport.client()).outcome(of: request) == .failed(.connectionRefused))
    }

    /// Bytes that come before a request belong to no response (RFC 9112 §9.2).
    @Test(arguments: TransportUnderTest.all)
    func aResponseBetweenTwoRequestsIsNotThatToTheNext(transport: TransportUnderTest) async throws {
        let (got, sent) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            guard request.path == "/first" else { return .respond(body: "next") }
            return [.respond(body: "first"), .wait(got), .respond(body: "evil"), .open(sent)]
        }
        let client = try transport.client()
        #expect(await client.outcome(of: URLRequest(url: server.url("/first"))) == .answered(200, "first"))
        got.open()
        try await withDeadline { try await sent.wait() }
        await withKnownIssue("\(Limitation.takesAnswersNobodyAskedFor)", isIntermittent: true) {
            #expect(await client.outcome(of: URLRequest(url: server.url("/next"))) == .answered(200, "next"))
        } when: {
            transport.has(.takesAnswersNobodyAskedFor)
        }
    }

    /// The first response has a status that allows no body, and a body.
    @Test(arguments: TransportUnderTest.all, [204, 304])
    func aBodyWithAStatusThatHasNoneIsNotTheNextResponse(transport: TransportUnderTest, status: Int) async throws {
        let (got, sent) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            guard request.path == "/first" else { return .respond(body: "next") }
            let head = "HTTP/1.1 \(status) x\r\nContent-Length: 42\r\n\r\n"
            return [.send(head), .wait(got), .respond(body: "evil"), .open(sent)]
        }
        let client = try transport.client()
        let options = CallOptions(acceptedStatuses: .all)
        let first = await client.outcome(of: URLRequest(url: server.url("/first")), options: options)
        #expect(first == .answered(status))
        got.open()
        try await withDeadline { try await sent.wait() }
        await withKnownIssue("\(Limitation.takesAnswersNobodyAskedFor)", isIntermittent: true) {
            #expect(await client.outcome(of: URLRequest(url: server.url("/next"))) == .answered(200, "next"))
        } when: {
            transport.has(.takesAnswersNobodyAskedFor)
        }
    }
}

/// A transport that can be shut down, like those of the library.
private protocol ClosableTransport: Transport {
    func shutDown()
}

extension URLSessionTransport: ClosableTransport {}
#if os(Linux)
extension CurlTransport: ClosableTransport {}
#endif
