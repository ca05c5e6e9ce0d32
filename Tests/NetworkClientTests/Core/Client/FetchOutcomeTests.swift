import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The outcomes that a caller can tell apart.
struct FetchOutcomeTests {
    /// A transport without a network.
    private final class Offline: URLProtocol {
        override class func canInit(with request: URLRequest) -> Bool { true }
        override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

        override func startLoading() {
            client?.urlProtocol(self, didFailWithError: URLError(.notConnectedToInternet))
        }

        override func stopLoading() {}
    }

    @Test(.spec(90), arguments: TransportUnderTest.all)
    func sixKindsOfFailureAreToldApart(transport: TransportUnderTest) async throws {
        let (arrived, never) = (Gate(), Gate())
        let slow = try LoopbackServer { _ in [.open(arrived), .wait(never, orPeerClose: true), .close] }
        let plain = try LoopbackServer { _ in .respond() }
        let port = try RefusingPort()
        let client = try transport.client()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Offline.self]
        // No transport can be taken off the network here.
        let offline = NetworkClient(logging: .off, session: URLSession(configuration: configuration))
        let request = URLRequest(url: slow.url)
        let outcomes = [
            await offline.outcome(of: request),
            await client.outcome(of: URLRequest(url: url("http://nowhere.invalid/"))),
            await client.outcome(of: URLRequest(url: port.url)),
            await client.outcome(of: request, options: CallOptions(idleTimeout: 0.1)),
            await client.outcome(of: URLRequest(url: url("https://127.0.0.1:\(plain.port)/"))),
            await Outcome {
                let call = Task { () -> NetworkClient.Response<Data> in try await client.fetch(request: request) }
                try await arrived.wait()
                call.cancel()
                return try await call.value
            },
        ]
        expect(
            outcomes,
            [
                .failed(.offline), .failed(.nameNotResolved), .failed(.connectionRefused), .failed(.timedOut),
                .failed(transport.has(.findsNoAuthorities) ? .other : .secureConnectionFailed), .cancelled,
            ]
        )
        expect(Set(outcomes).count, 6)
    }

    @Test(.spec(90), arguments: TransportUnderTest.all)
    func aTimeoutIsNeverReportedAsACancellation(transport: TransportUnderTest) async throws {
        let never = Gate()
        let server = try LoopbackServer { _ in
            [.respond(length: .stated(9), body: "1"), .wait(never, orPeerClose: true), .close]
        }
        let client = try transport.client()
        let shared = URLRequest(url: server.url).withInstanceCaching()
        for request in [URLRequest(url: server.url), shared] {
            for options in [CallOptions(idleTimeout: 0.1), CallOptions(attemptTimeout: 0.1)] {
                expect(await client.outcome(of: request, options: options), .failed(.timedOut))
            }
        }
    }

    @Test(.spec(146), arguments: TransportUnderTest.all, ["request", "call", "client"])
    func aCallEndsAtItsTimeout(transport: TransportUnderTest, whose: String) async throws {
        let gate = Gate()
        let configuration = NetworkClient.Configuration(idleTimeout: whose == "client" ? 1 : nil)
        let (client, server) = try await transport.connected(configuration: configuration) {
            DispatchQueue.global().asyncAfter(deadline: .now() + 30) { gate.open() }
            return [.wait(gate, orPeerClose: true), .respond()]
        }
        var request = URLRequest(url: server.url)
        if whose == "request" { request.timeoutInterval = 1 }
        let start = DispatchTime.now().uptimeNanoseconds
        let outcome = await client.outcome(
            of: request,
            options: CallOptions(idleTimeout: whose == "call" ? 1 : nil)
        )
        let seconds = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
        // The call ended before the response was sent; the time for which the test waits for a thread does not count.
        expect(outcome, .failed(.timedOut))
        #expect(seconds >= 0.95)
    }

    @Test(.spec(87), arguments: TransportUnderTest.all, [425, 520, 599])
    func aStatusWithoutANameKeepsItsNumberInEveryTransport(transport: TransportUnderTest, status: Int) async throws {
        let server = try LoopbackServer { _ in .respond(status: status, body: "why") }
        await #expect { try await transport.client().fetch(request: URLRequest(url: server.url)) } throws: {
            ($0 as? NetworkClient.Error)?.statusCode == status
        }
    }

    @Test(.spec(87), arguments: TransportUnderTest.all)
    func anEarlyHintIsNotTheResponse(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in
            [.respond(status: 103, headers: ["Link": "</style.css>"]), .wait(gate), .json("[1]")]
        }
        let client = try transport.client()
        let request = URLRequest(url: server.url)
        async let response: NetworkClient.Response<[Int]> = client.fetch(request: request)
        try await server.waitForHeads(count: 1)
        gate.open()
        expect(try await response.item, [1])
        expect(try await response.httpResponse.statusCode, 200)
        expect(try await response["Link"], nil)
    }

    @Test(.spec(88), arguments: TransportUnderTest.all)
    func everyTransportLetsAClientOrACallAcceptOtherStatuses(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in .respond(status: Int(request.path.dropFirst()) ?? 500) }
        let client = try transport.client()
        let lenient = try transport.client(configuration: .init(acceptedStatuses: [200, 404]))
        let request = { (status: Int) in URLRequest(url: server.url("/\(status)")) }
        let accepting304 = CallOptions(acceptedStatuses: .successful.and(304))
        expect(await client.outcome(of: request(200)), .answered(200))
        expect(await client.outcome(of: request(304)), .refused(304))
        expect(await client.outcome(of: request(304), options: accepting304), .answered(304))
        expect(await lenient.outcome(of: request(404)), .answered(404))
        expect(await lenient.outcome(of: request(204)), .refused(204))
        expect(await client.outcome(of: request(404)), .refused(404))
    }

    @Test(.spec(86), arguments: TransportUnderTest.all)
    func theMapperGetsAnErrorAfterTheInterceptors(transport: TransportUnderTest) async throws {
        struct SignInRequired: Error, Equatable {}
        let server = try LoopbackServer { _ in .respond(status: 401, body: "who") }
        let seen = Recorder<Int>()
        let look = ClosureInterceptor { request, next in
            do {
                return try await next(request)
            } catch NetworkClient.Error.apiError(let response, let data) {
                seen.record(response.statusCode * 10 + data.count)
                throw NetworkClient.Error.apiError(response: response, data: data)
            }
        }
        let mapper = ResponseErrorMapper { info in
            guard info.response.statusCode == 401, info.data == Data("who".utf8) else { return info.error }
            return SignInRequired()
        }
        let looks = [look, look, look]
        let client = try transport.client(interceptors: looks, apiErrorMapper: mapper)
        await #expect(throws: SignInRequired()) { try await client.fetch(request: URLRequest(url: server.url)) }
        expect(seen.values, [4013, 4013, 4013])
    }
}
