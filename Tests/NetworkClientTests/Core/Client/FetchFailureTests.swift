import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The failures that a caller can tell apart, each provoked on a socket.
struct FetchFailureTests {
    @Test(.spec(90), arguments: TransportUnderTest.all)
    func aRefusedConnectionIsReportedAsSuch(transport: TransportUnderTest) async throws {
        let port = try RefusingPort()
        expect(try await transport.reason(of: URLRequest(url: port.url)), .connectionRefused)
    }

    @Test(.spec(90), arguments: TransportUnderTest.all)
    func aHostWithoutAnAddressIsReportedAsSuch(transport: TransportUnderTest) async throws {
        expect(try await transport.reason(of: URLRequest(url: url("http://nowhere.invalid/"))), .nameNotResolved)
    }

    @Test(.spec(90), arguments: TransportUnderTest.all)
    func aFailedTLSHandshakeIsReportedAsSuch(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let secure = url("https://127.0.0.1:\(server.port)/")
        let reason = try await transport.reason(of: URLRequest(url: secure))
        expect(reason, transport.has(.findsNoAuthorities) ? .other : .secureConnectionFailed)
    }

    @Test(.spec(90, 146), arguments: TransportUnderTest.all)
    func aCallTimesOutAfterTheTimeoutOfTheRequestTheCallOrTheClient(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate, orPeerClose: true), .close] }
        var request = URLRequest(url: server.url)
        request.timeoutInterval = 0.2
        expect(try await transport.reason(of: request), .timedOut)
        let options = CallOptions(idleTimeout: 0.2)
        expect(try await transport.reason(of: URLRequest(url: server.url), options: options), .timedOut)
        let impatient = try transport.client(configuration: .init(idleTimeout: 0.2))
        await #expect { try await impatient.fetch(request: URLRequest(url: server.url)) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .timedOut
        }
        try await server.waitForOpenConnections(0)
    }

    @Test(.spec(146), arguments: TransportUnderTest.all)
    func theTimeoutIsCountedFromTheLastByte(transport: TransportUnderTest) async throws {
        let gates = (0..<5).map { _ in Gate() }
        let steps = gates.flatMap { [Script.send("1"), .wait($0)] }
        let (client, server) = try await transport.connected {
            Script([.respond(length: .stated(6))] + steps + [.send("6")])
        }
        let timers = gates.indices.map { index in
            let timer = DispatchSource.makeTimerSource()
            timer.schedule(deadline: .now() + Double(index + 1))
            timer.setEventHandler { gates[index].open() }
            timer.resume()
            return timer
        }
        defer { timers.forEach { $0.cancel() } }
        // In all it takes 5 s, between two bytes 1 s, and a busy machine may add 3 s.
        let outcome = await client.outcome(of: URLRequest(url: server.url), options: CallOptions(idleTimeout: 4))
        expect(outcome, .answered(200, "111116"))
        expect(server.connectionCount, 1)
    }

    @Test(arguments: TransportUnderTest.all)
    func theAttemptTimeoutEndsACallAlthoughBytesArrive(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let script: Script = [
            .respond(length: .stated(9), body: "1"), .wait(gate, orPeerClose: true), .close,
        ]
        expect(
            try await transport.reason(script, options: CallOptions(idleTimeout: 30, attemptTimeout: 0.3)),
            .timedOut
        )
    }

    @Test(arguments: TransportUnderTest.all, [Double.infinity, .greatestFiniteMagnitude, 1e10])
    func aTimeoutMayBeOfAnyLength(transport: TransportUnderTest, seconds: Double) async throws {
        let options = CallOptions(idleTimeout: seconds, attemptTimeout: seconds)
        expect(try await transport.reason(.respond(), options: options), nil)
    }

    @Test(.spec(199), arguments: TransportUnderTest.all, [Double.infinity, .nan])
    func anAttemptTimeoutThatIsNoNumberOfSecondsIsNoLimit(transport: TransportUnderTest, seconds: Double) async throws {
        let client = try transport.client(configuration: .init(attemptTimeout: 0))
        let server = try LoopbackServer { _ in .respond() }
        let request = URLRequest(url: server.url)
        expect(try await client.fetch(request: request, options: CallOptions(attemptTimeout: seconds)).statusCode, 200)
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
    }

    @Test(.spec(135), arguments: TransportUnderTest.all)
    func aBodyBeyondTheLimitIsAnError(transport: TransportUnderTest) async throws {
        let announced = Script.respond(body: String(repeating: "a", count: 1000))
        let unannounced: Script = [
            .respond(length: .omitted), .repeat(String(repeating: "a", count: 1000), count: 100_000), .close,
        ]
        for script in [announced, unannounced] {
            expect(try await transport.reason(script, options: CallOptions(bodyLimit: 999)), .bodyTooLarge)
        }
        expect(try await transport.reason(announced, options: CallOptions(bodyLimit: 1000)), nil)
    }

    /// Pages that are longer than 64 bytes: of a stated length, until the end of the connection, in chunks, and coded.
    private static func pages(_ status: Int, _ fields: String) -> [Script] {
        let page = String(repeating: "p", count: 1000)
        let head = "HTTP/1.1 \(status) X\r\n\(fields)"
        return [
            [.send("\(head)Content-Length: 1000\r\n\r\n\(page)")],
            [.send("\(head)\r\n"), .repeat(page, count: 100), .close],
            [
                .send("\(head)Transfer-Encoding: chunked\r\n\r\n"),
                .repeat("3e8\r\n\(page)\r\n", count: 100), .send("0\r\n\r\n"), .close,
            ],
            [
                .send("\(head)Content-Encoding: gzip\r\nConnection: close\r\n\r\n"),
                .send(Gzip.stored(String(repeating: "p", count: 100_000))), .close,
            ],
        ]
    }

    @Test(.spec(186), arguments: TransportUnderTest.all, [false, true])
    func aRedirectIsFollowedAlthoughItsBodyIsLongerThanTheLimit(transport: TransportUnderTest, isShared: Bool)
        async throws
    {
        for script in Self.pages(302, "Location: /there\r\n") {
            let server = try LoopbackServer { request in request.path == "/there" ? .respond(body: "there") : script }
            let client = try transport.client()
            let request = URLRequest(url: server.url("/"))
            // Even if the status of a redirect is accepted.
            for accepted in [AcceptedStatuses.successful, .all] {
                let options = CallOptions(acceptedStatuses: accepted, bodyLimit: 64)
                let sent = isShared ? request.withInstanceCaching() : request
                let outcome = await client.outcome(of: sent, options: options)
                expect(outcome, .answered(200, "there"), "\(script.steps.count) steps")
            }
            server.stop()
        }
    }

    @Test(.spec(186), arguments: TransportUnderTest.all, [false, true])
    func theBodyOfAnErrorIsCutAtTheLimitAndItsStatusIsKept(transport: TransportUnderTest, isShared: Bool) async throws {
        for script in Self.pages(404, "X-A: 1\r\n") + Self.pages(302, "X-A: 1\r\n") {
            let server = try LoopbackServer { _ in script }
            let client = try transport.client()
            let request = isShared ? URLRequest(url: server.url).withInstanceCaching() : URLRequest(url: server.url)
            let error = await #expect(throws: NetworkClient.Error.self) {
                try await withDeadline {
                    try await client.fetch(request: request, options: CallOptions(bodyLimit: 64))
                }
            }
            #expect([404, 302].contains(error?.statusCode))
            expect(error?.response?.value(forHTTPHeaderField: "X-A"), "1")
            let losesBodies = transport.has(.dropsBodiesOfRedirects) && error?.statusCode == 302
            if !losesBodies { expect(error?.data, Data(repeating: UInt8(ascii: "p"), count: 64)) }
            // The limit applies to the body of an accepted response.
            let options = CallOptions(acceptedStatuses: .all, bodyLimit: 64)
            if !losesBodies { expect(await client.outcome(of: request, options: options), .failed(.bodyTooLarge)) }
            server.stop()
        }
    }

    @Test(.spec(135, 218, 283)) func aBodyThatIsDecodedHasALimitOfItsOwnWhichTheErrorNames() async throws {
        let transport = ClosureTransport { _ in (Data("[1,2,3,4]".utf8), HTTPURLResponse.made()) }
        let configuration = NetworkClient.Configuration(decodingLimit: 8)
        let client = NetworkClient(transport: transport, logging: .off, configuration: configuration)
        let request = URLRequest(url: url("https://h/"))
        let rows: [(URLRequest, CallOptions, String)] = [
            (request, CallOptions(), "decodingLimit of 8"),
            (request.withInstanceCaching(), CallOptions(), "decodingLimit of 8"),
            (request, CallOptions(bodyLimit: 3), "bodyLimit of 3"),
        ]
        for (request, options, limit) in rows {
            let error = await #expect(throws: NetworkClient.Error.self) {
                let _: NetworkClient.Response<[Int]> = try await client.fetch(request: request, options: options)
            }
            expect(error?.transportReason, .bodyTooLarge)
            expect(error?.description, contains: "the body is longer than the \(limit) bytes")
        }
        let bytes: NetworkClient.Response<Data> = try await client.fetch(request: request)
        let text: NetworkClient.Response<String> = try await client.fetch(request: request)
        expectAll((bytes.item.count, text.item.count), (9, 9))
        let options = CallOptions(bodyLimit: 9)
        let numbers: NetworkClient.Response<[Int]> = try await client.fetch(request: request, options: options)
        expect(numbers.item, [1, 2, 3, 4])
        #expect(NetworkClient.Configuration().decodingLimit == 32 << 20)
    }

    @Test(.spec(135, 186)) func theBodyLimitAppliesToATransportThatIgnoresIt() async throws {
        let options = CallOptions(bodyLimit: 3)
        for (status, outcome) in [(200, Outcome.failed(.bodyTooLarge)), (404, .refused(404, "123"))] {
            let client = NetworkClient(transport: ClosureTransport(status: status, json: "1234"), logging: .off)
            expect(await client.outcome(of: URLRequest(url: url("http://h/")), options: options), outcome)
        }
    }

    @Test func theErrorsOfATransportThatUsesURLSessionAreClassified() async throws {
        let client = NetworkClient(transport: ClosureTransport { _ in throw URLError(.timedOut) }, logging: .off)
        await #expect { try await client.fetch(request: URLRequest(url: url("http://h/"))) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .timedOut
        }
    }

    @Test(.spec(91), arguments: TransportUnderTest.all, ["file:///etc/hosts", "data:,hello"])
    func aURLWithoutHTTPIsAnInvalidResponse(transport: TransportUnderTest, text: String) async throws {
        let client = try transport.client()
        await #expect { try await client.fetch(request: URLRequest(url: url(text))) } throws: {
            if case NetworkClient.Error.invalidResponse = $0 { true } else { false }
        }
    }

    @Test(.spec(94), arguments: TransportUnderTest.all)
    func theTextOfAFailureShowsNoSecret(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer { _ in
            .respond(status: 500, headers: ["Set-Cookie": "s3cret"], body: "s3cret")
        }
        let place = url("http://user:s3cret@127.0.0.1:\(server.port)/items?token=s3cret#s3cret")
        let request = URLRequest.get(url: place).set(header: .authorisation(auth: "s3cret")).build()
        do {
            try await client.fetch(request: request)
            Issue.record("A 500 was accepted")
        } catch {
            var dumped = ""
            dump(error, to: &dumped)
            for text in ["\(error)", String(reflecting: error), error.localizedDescription, dumped] {
                expect(text, lacks: "s3cret")
            }
            let place = "http://127.0.0.1:\(server.port)/items"
            expect("\(error)", "HTTP 500 Internal Server Error from '\(place)', which the call does not accept.")
        }
    }

    @Test(
        arguments: [
            (302, nil, "'http://h/a', which the call does not accept; the redirect has no 'Location'"),
            (302, "/b", "'http://h/a', which the call does not accept; the redirect was not followed"),
            (407, nil, "a proxy before 'http://h/a', which the call does not accept"),
        ] as [(Int, String?, String)]
    )
    func theErrorOfAStatusSaysWhoSentItAndWhyNobodyFollowed(status: Int, location: String?, end: String) async {
        let field = HeaderField.custom(name: "Location", value: location)
        let client = NetworkClient(transport: StubTransport(otherwise: .status(status).setting(header: field)))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(.get(http: "http://h/a"), options: CallOptions { $0.redirects = .never })
        }
        expect(error.map { "\($0)" }, "HTTP \(HTTPStatus(rawValue: status)) from \(end).")
    }
}

extension TransportUnderTest {
    fileprivate func reason(
        of request: URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> TransportError.Reason? {
        switch try await client().outcome(of: request, options: options) {
        case .failed(let reason): return reason
        case .answered: return nil
        case let outcome:
            Issue.record("The call came to another end: \(outcome).")
            return nil
        }
    }

    fileprivate func reason(
        _ script: Script,
        options: CallOptions = CallOptions()
    ) async throws -> TransportError.Reason? {
        let server = try LoopbackServer { _ in script }
        return try await reason(of: URLRequest(url: server.url("/items?token=secret")), options: options)
    }
}
