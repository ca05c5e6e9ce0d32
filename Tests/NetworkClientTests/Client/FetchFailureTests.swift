import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The failures that a caller can tell apart, each provoked on a socket.
struct FetchFailureTests {
    private let client = NetworkClient(logging: .off)

    private func reason(
        of request: URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> TransportError.Reason? {
        let client = client
        do {
            _ = try await withDeadline { try await client.fetch(request: request, options: options) }
            return nil
        } catch NetworkClient.Error.requestError(let error) {
            return error.reason
        }
    }

    private func reason(_ script: Script, options: CallOptions = CallOptions()) async throws -> TransportError.Reason? {
        let server = try LoopbackServer { _ in script }
        return try await reason(of: URLRequest(url: server.url("/items?token=secret")), options: options)
    }

    @Test(.spec(90)) func saysThatAConnectionIsRefused() async throws {
        let port = try RefusingPort()
        #expect(try await reason(of: URLRequest(url: port.url)) == .connectionRefused)
    }

    @Test(.spec(90)) func saysThatAHostHasNoAddress() async throws {
        #expect(try await reason(of: URLRequest(url: url("http://nowhere.invalid/"))) == .nameNotResolved)
    }

    @Test(.spec(90)) func saysThatTLSFailed() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let secure = url("https://127.0.0.1:\(server.port)/")
        #expect(try await reason(of: URLRequest(url: secure)) == .secureConnectionFailed)
    }

    @Test func saysThatAnAnswerBrokeOff() async throws {
        let lost: [Script] = [
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"), .close],
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"), .reset],
            [.reset],
        ]
        for script in lost {
            #expect(try await reason(script) == .connectionLost)
        }
        let chunked: Script = [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12"), .close]
        let outcome = try await reason(chunked)
        #expect(outcome == .connectionLost || outcome == .malformedResponse)
    }

    @Test(arguments: [
        "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
    ])
    func saysThatAnAnswerIsNotHTTP(bytes: String) async throws {
        #expect(try await reason([.send(bytes), .close]) == .malformedResponse)
    }

    @Test(.spec(90, 146)) func givesUpAfterTheTimeoutOfTheRequestTheCallOrTheClient() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate, orPeerClose: true), .close] }
        var request = URLRequest(url: server.url)
        request.timeoutInterval = 0.2
        #expect(try await reason(of: request) == .timedOut)
        let options = CallOptions(timeout: 0.2)
        #expect(try await reason(of: URLRequest(url: server.url), options: options) == .timedOut)
        let impatient = NetworkClient(logging: .off, configuration: .init(timeout: 0.2))
        await #expect { try await impatient.fetch(request: URLRequest(url: server.url)) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .timedOut
        }
        try await server.waitForOpenConnections(0)
    }

    @Test(.spec(146)) func countsTheTimeoutFromTheLastByte() async throws {
        let gates = (0..<4).map { _ in Gate() }
        let steps = gates.flatMap { [Step.send("1"), .wait($0)] }
        let server = try LoopbackServer { _ in
            Script([.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")] + steps + [.send("5")])
        }
        let timers = gates.indices.map { index in
            let timer = DispatchSource.makeTimerSource()
            timer.schedule(deadline: .now() + 0.4 * Double(index + 1))
            timer.setEventHandler { gates[index].open() }
            timer.resume()
            return timer
        }
        defer { timers.forEach { $0.cancel() } }
        // In all it takes 1.6 s, between two bytes 0.4 s.
        #expect(try await reason(of: URLRequest(url: server.url), options: CallOptions(timeout: 1)) == nil)
    }

    @Test func givesUpAfterTheTotalTimeoutThoughBytesArrive() async throws {
        let gate = Gate()
        let script: Script = [
            .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1"), .wait(gate, orPeerClose: true), .close,
        ]
        #expect(try await reason(script, options: CallOptions(timeout: 30, totalTimeout: 0.3)) == .timedOut)
    }

    @Test(arguments: [Double.infinity, .greatestFiniteMagnitude, 1e10])
    func takesAnyLongTimeout(seconds: Double) async throws {
        #expect(try await reason(.respond(), options: CallOptions(timeout: seconds, totalTimeout: seconds)) == nil)
    }

    @Test(.spec(135)) func stopsAtTheBodyLimit() async throws {
        let announced = Script.respond(body: String(repeating: "a", count: 1000))
        let unannounced: Script = [
            .send("HTTP/1.1 200 OK\r\n\r\n"), .repeat(String(repeating: "a", count: 1000), count: 100_000), .close,
        ]
        for script in [announced, unannounced] {
            #expect(try await reason(script, options: CallOptions(bodyLimit: 999)) == .bodyTooLarge)
        }
        #expect(try await reason(announced, options: CallOptions(bodyLimit: 1000)) == nil)
    }

    @Test func takesTheLengthThatA304AnnouncesForNoBody() async throws {
        let server = try LoopbackServer { _ in [.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 999999\r\n\r\n")] }
        let options = CallOptions(acceptedStatuses: [304], bodyLimit: 10)
        let response = try await client.fetch(request: URLRequest(url: server.url), options: options)
        #expect(response.statusCode == 304)
    }

    @Test func namesTheFailuresOfATransportThatSendsWithURLSession() async throws {
        let client = NetworkClient(transport: ClosureTransport { _ in throw URLError(.timedOut) }, logging: .off)
        await #expect { try await client.fetch(request: URLRequest(url: url("http://h/"))) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .timedOut
        }
    }

    @Test(.spec(135)) func takesNoMemoryForWhatHEADAnnounces() async throws {
        let server = try LoopbackServer { _ in [.send("HTTP/1.1 200 OK\r\nContent-Length: 4294967296\r\n\r\n")] }
        let request = URLRequest.build().head(url: server.url).build()
        let response: NetworkClient.Response<Data> = try await client.fetch(request: request)
        #expect(response.item.isEmpty)
        #expect(response["Content-Length"] == "4294967296")
    }

    @Test(.spec(87)) func takesTheAnswerAfterInterimOnes() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n"
        let server = try LoopbackServer { _ in
            [.send(interim), .respond(status: 201, headers: ["X-A": "1"], body: "hi")]
        }
        let response: NetworkClient.Response<String> = try await client.fetch(request: URLRequest(url: server.url))
        #expect(response.httpResponse.statusCode == 201)
        #expect(response.item == "hi")
    }

    @Test func takesA401ThatAsksForBasic() async throws {
        let script = Script.respond(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"x\""], body: "who?")
        let server = try LoopbackServer { _ in script }
        let client = client
        let request = URLRequest.get(url: server.url).set(header: .authorisation(.bearer("t"))).build()
        await #expect {
            try await withDeadline { try await client.fetch(request: request) }
        } throws: { error in
            guard case NetworkClient.Error.apiError(let response, let data) = error else { return false }
            return response.statusCode == 401 && data == Data("who?".utf8)
        }
    }

    @Test(.spec(91), arguments: ["file:///etc/hosts", "data:,hello"])
    func saysThatWhatAnswersIsNotHTTP(text: String) async {
        await #expect { try await client.fetch(request: URLRequest(url: url(text))) } throws: {
            if case NetworkClient.Error.invalidResponse = $0 { true } else { false }
        }
    }

    @Test func refusesWorkAfterItWasShutDown() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let transport = URLSessionTransport()
        let client = NetworkClient(transport: transport, logging: .off)
        try await client.fetch(request: URLRequest(url: server.url))
        transport.shutDown()
        transport.shutDown()
        await #expect { try await client.fetch(request: URLRequest(url: server.url)) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .transportClosed
        }
    }

    @Test(.spec(94)) func showsNothingSecretInItsText() async throws {
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
                #expect(!text.contains("s3cret"))
            }
            let place = "http://127.0.0.1:\(server.port)/items"
            #expect("\(error)" == "The server answered 500 to '\(place)', which the call does not accept.")
        }
    }
}
