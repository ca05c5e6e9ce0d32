import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// How much is received of the body of a redirect that is followed.
struct RedirectBodyTests {
    /// A way to get a response.
    enum Call: CaseIterable, Sendable {
        case fetch, stream, download
    }

    /// A body that does not end by itself, or not well.
    enum Body: CaseIterable, Sendable {
        case endless, trickling, empty, breakingOff, brokenCoding

        static let head = "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Type: text/html\r\n"

        /// The response; the gate opens when the client has closed its connection.
        func script(_ closed: Gate) -> Script {
            switch self {
            case .endless:
                // The bytes that are kept are sent with the head, because the second for them begins with it. The rest
                // is far more than the system's buffers hold; the first write after the close ends the script.
                [
                    .send(Self.head + "Content-Length: 1000000000\r\n\r\n" + String(repeating: "a", count: 1 << 16)),
                    .repeat([UInt8](repeating: 0x61, count: 1 << 16), count: 2_000), .awaitPeerClose(),
                ]
            case .trickling: [.send(Self.head + "Content-Length: 9\r\n\r\npart"), .awaitPeerClose(then: closed)]
            case .empty: [.send(Self.head + "Content-Length: 9\r\n\r\n"), .awaitPeerClose(then: closed)]
            case .breakingOff: [.send(Self.head + "Content-Length: 9\r\n\r\npart"), .closeWrite, .close]
            case .brokenCoding:
                [.send(Self.head + "Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\npart")]
            }
        }
    }

    private func server(_ body: Body, _ closed: Gate) throws -> LoopbackServer {
        try LoopbackServer { $0.path == "/" ? body.script(closed) : .respond(body: "there") }
    }

    private func text(_ call: Call, _ client: NetworkClient, _ request: URLRequest) async throws -> String {
        switch call {
        case .fetch:
            let response: NetworkClient.Response<Data> = try await client.fetch(request: request)
            return String(decoding: response.item, as: UTF8.self)
        case .stream: return try await client.stream(request).item.text()
        case .download:
            let directory = try TemporaryDirectory()
            let file = directory.url.appendingPathComponent("file")
            _ = try await client.download(request, to: file).value
            return String(decoding: try Data(contentsOf: file), as: UTF8.self)
        }
    }

    @Test(
        .spec(186, 205),
        arguments: TransportUnderTest.all(without: .gathersBodiesOfRedirects),
        Body.allCases.flatMap { body in Call.allCases.map { (body, $0) } }
    )
    func aRedirectIsFollowedWhateverItsBody(transport: TransportUnderTest, example: (body: Body, call: Call))
        async throws
    {
        let closed = Gate()
        let server = try server(example.body, closed)
        let client = try transport.client()
        let request = URLRequest(url: server.url("/"))
        #expect(try await withDeadline { try await text(example.call, client, request) } == "there")
        if [.trickling, .empty].contains(example.body) { try await withDeadline { try await closed.wait() } }
    }

    @Test(
        .spec(205),
        arguments: TransportUnderTest.all(without: .gathersBodiesOfRedirects),
        [
            (.endless, Data(repeating: 0x61, count: 1 << 16)), (.trickling, Data("part".utf8)), (.empty, Data()),
            (.breakingOff, Data("part".utf8)),
        ] as [(Body, Data)]
    )
    func theBodyOfARedirectIsCut(transport: TransportUnderTest, example: (body: Body, data: Data)) async throws {
        let closed = Gate()
        let server = try server(example.body, closed)
        let body = try await withDeadline {
            try await transport.transport().send(URLRequest(url: server.url("/")), options: options()).body
        }
        #expect(body.isCut)
        #expect(body.data == example.data)
    }

    /// What the client asks for where it follows redirects.
    private func options() -> TransportOptions {
        var options = TransportOptions()
        (options.acceptedStatuses, options.redirectStatuses) = (.successful, [302])
        return options
    }

    /// URLSession on Linux does not hand over the redirect before its body has ended.
    @Test(.spec(205), arguments: TransportUnderTest.all.filter { $0.has(.gathersBodiesOfRedirects) })
    func aRedirectBodyThatDoesNotEndTimesOutWhereItIsGathered(transport: TransportUnderTest) async throws {
        let closed = Gate()
        let server = try server(.trickling, closed)
        let outcome = await (try transport.client()).outcome(
            of: URLRequest(url: server.url("/")),
            options: CallOptions(idleTimeout: 0.2)
        )
        #expect(outcome == .failed(.timedOut))
        try await withDeadline { try await closed.wait() }
    }

    @Test(.spec(205), arguments: TransportUnderTest.all) func aLongRedirectBodyIsCutHoweverLateItIsHandedOver(
        transport: TransportUnderTest
    ) async throws {
        let bytes = [UInt8](repeating: 0x61, count: 1 << 20)
        let server = try LoopbackServer { request in
            guard request.path == "/" else { return .respond(body: "there") }
            return .respond(status: 302, headers: ["Location": "/b"], body: bytes)
        }
        let client = try transport.client()
        #expect(await client.outcome(of: URLRequest(url: server.url("/"))) == .answered(200, "there"))
        let body = try await transport.transport().send(URLRequest(url: server.url("/")), options: options()).body
        #expect(body.isCut && body.data.count == RedirectBodyLimit.bytes)
    }

    /// URLSession on Linux reports the end of an exchange a moment before its connection can be reused.
    @Test(.spec(205), arguments: TransportUnderTest.all(without: .hearsOfHeadsLate), Call.allCases)
    func aRedirectWithASmallBodyKeepsItsConnection(transport: TransportUnderTest, call: Call) async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/" else { return .respond(body: "there") }
            return .respond(status: 302, headers: ["Location": "/b"], body: [UInt8](repeating: 0x61, count: 60_000))
        }
        #expect(try await text(call, transport.client(), URLRequest(url: server.url("/"))) == "there")
        #expect(server.connectionCount == 1)
    }

    @Test(.spec(186), arguments: TransportUnderTest.all)
    func aRedirectThatIsNotFollowedHasItsWholeBody(transport: TransportUnderTest) async throws {
        let bytes = [UInt8](repeating: 0x61, count: 100_000)
        let server = try LoopbackServer { _ in
            .respond(status: 302, headers: ["Location": "http://other.invalid/"], body: bytes)
        }
        let options = CallOptions(acceptedStatuses: [302], redirects: .sameOrigin)
        let outcome = await (try transport.client()).outcome(of: URLRequest(url: server.url("/")), options: options)
        #expect(outcome == .answered(302, Data(bytes)))
    }

    @Test(.spec(205), arguments: TransportUnderTest.all(without: .gathersBodiesOfRedirects))
    func theExchangeTimeoutEndsTheCallWithinARedirectBody(transport: TransportUnderTest) async throws {
        let closed = Gate()
        let server = try server(.trickling, closed)
        let options = CallOptions(attemptTimeout: 0.2)
        let outcome = await (try transport.client()).outcome(of: URLRequest(url: server.url("/")), options: options)
        #expect(outcome == .failed(.timedOut))
        try await withDeadline { try await closed.wait() }
    }

    @Test(.spec(205), arguments: TransportUnderTest.all)
    func aStreamedBodyIsReadUntilALimitOfTime(transport: TransportUnderTest) async throws {
        let closed = Gate()
        let server = try LoopbackServer { _ in
            [.respond(status: 500, length: .stated(9), body: "part"), .awaitPeerClose(then: closed)]
        }
        let options = TransportOptions(streamsBody: true)
        let response = try await transport.transport().send(URLRequest(url: server.url), options: options)
        let limit = TimeLimit(seconds: 1, on: SystemTimeSource())
        let (data, isCut) = try await withDeadline {
            try await response.body.channel.prefix(limit: 1 << 20, until: limit)
        }
        #expect(data == Data("part".utf8) && isCut)
        try await withDeadline { try await closed.wait() }
    }
}
