import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Servers that don't accept a coding.
struct CompressionRefusalTests {
    private let transport = StubTransport()
    private let body = Data(String(repeating: "Every word is repeated. ", count: 100).utf8)

    private func client(_ interceptors: [any InterceptorProtocol] = [.compression(), .retry()]) -> NetworkClient {
        NetworkClient(transport: transport, interceptors: interceptors)
    }

    private func post(_ place: String = "https://h/a") -> URLRequest {
        URLRequest.post(url: url(place)).bodyData(body, type: .plainText).build()
    }

    /// The coding of each request that was sent, or "-".
    private var codings: [String] { transport.requests.map { $0[header: "Content-Encoding"] ?? "-" } }

    @Test(.spec(257)) func aPostThatIsRefusedWith415IsSentOnceMoreAndLaterOnesArePlain() async throws {
        let first = StubTransport.Response.status(415).adding(header: .custom(name: "Accept-Encoding", value: "br"))
        transport.on(.post("/a"), first, .status(201), .status(202))
        transport.on(.post("https://other/a"), .status(203))
        let client = client([.compression(), .idempotencyKey(), .retry()])
        let response = try await client.fetch(request: post())
        expectAll((response.statusCode, response.journey.attempts), (201, 2))
        expect(response.journey.description, contains: "sends the body plain, since gzip was refused with 415")
        expect(try await client.fetch(request: post()).statusCode, 202)
        expect(try await client.fetch(request: post("https://other/a")).statusCode, 203)
        expect(codings, ["gzip", "-", "-", "gzip"])
        expect(transport.requests.map(\.body), Array(repeating: body, count: 4))
        expect(transport.requests[0][header: "Idempotency-Key"], transport.requests[1][header: "Idempotency-Key"])
    }

    /// The server has performed nothing by then.
    @Test(.spec(257)) func aPlainPostWithoutAConnectionIsRetried() async throws {
        transport.on(.any, .status(415), .failure(.connectionRefused), .status(201))
        let client = client([.compression(), .retry(RetryPolicy(backoff: Backoff(base: 0)))])
        expect(try await client.fetch(request: post()).statusCode, 201)
        expect(codings, ["gzip", "-", "-"])
    }

    @Test(.spec(257)) func aServerThatRefusesEverythingGetsOneMoreRequestInAll() async throws {
        transport.on(.any, .status(415), .status(415), .status(415))
        let client = client()
        for _ in 0..<2 {
            let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: post()) }
            expect(error?.statusCode, 415)
        }
        expect(codings, ["gzip", "-", "-"])
    }

    @Test(.spec(257), arguments: [400, 413, 422])
    func aCompressedRequestIsNotRepeatedAfterAnErrorOtherThan415(status: Int) async throws {
        transport.on(.any, .status(status), .status(status))
        let client = client()
        for _ in 0..<2 {
            await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: post()) }
        }
        expect(codings, ["gzip", "gzip"])
    }

    @Test(.spec(257)) func a415ThatTheCallAcceptsIsRepeatedToo() async throws {
        transport.on(.any, .status(415), .status(200))
        let options = CallOptions(acceptedStatuses: .successful.and(415))
        expect(try await client().fetch(request: post(), options: options).statusCode, 200)
    }

    @Test(.spec(257)) func aServerThatAcceptsTheCodingRefusesTheMediaType() async throws {
        let refusal = StubTransport.Response.status(415)
            .adding(header: .custom(name: "Accept-Encoding", value: "deflate, gzip;q=0.5"))
        transport.on(.any, refusal, .status(200))
        let client = client()
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: post()) }
        try await client.fetch(request: post())
        expect(codings, ["gzip", "gzip"])
    }

    /// The server has performed the POST, and refuses what its redirect led to.
    @Test(.spec(257), arguments: [(303, ["gzip", "-"]), (307, ["gzip", "gzip", "-", "-"])])
    func aPostIsSentAgainUnlessARedirectHasMadeItAGet(status: Int, codings expected: [String]) async throws {
        let redirect = StubTransport.Response.status(status)
            .adding(header: .custom(name: "Location", value: "/b"))
        transport.on(.path("/a"), redirect, redirect)
        transport.on(.path("/b"), .status(415), .status(415))
        let error = await #expect(throws: NetworkClient.Error.self) { try await client().fetch(request: post()) }
        expect(error?.statusCode, 415)
        expect(codings, expected)
    }

    @Test(.spec(257)) func a415BelongsToTheServerThatARedirectHasReached() async throws {
        let redirect = StubTransport.Response.status(307)
            .adding(header: .custom(name: "Location", value: "https://b/a"))
        transport.on(.path("/a"), redirect, .status(415), redirect, .status(201))
        let client = client()
        expect(try await client.fetch(request: post()).statusCode, 201)
        expect(try await client.fetch(request: post("https://b/a")).statusCode, 201)
        expect(codings, ["gzip", "gzip", "-", "-", "-"])
    }

    /// Calls another server after each response.
    private func audit(by other: NetworkClient) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            let result = try await next(request)
            try await other.fetch(request: URLRequest(url: url("https://audit/")))
            return result
        }
    }

    @Test(.spec(257)) func a415OfAnotherCallIsNoRefusal() async throws {
        transport.on(.any, .status(201), .status(201))
        let audit = audit(by: NetworkClient(transport: StubTransport(otherwise: .status(415))))
        let client = client([.compression(), audit])
        for _ in 0..<2 {
            await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: post()) }
        }
        expect(codings, ["gzip", "gzip"])
    }

    /// The second of two identical calls only gets what the exchange of the first one has led to.
    @Test(.spec(257)) func aCallThatJoinedAPostWhoseRedirectIsRefusedDoesNotSendItAgain() async throws {
        let clock = TestClock()
        let transport = StubTransport(time: clock)
        let redirect = StubTransport.Response.status(303).adding(header: .custom(name: "Location", value: "/b"))
        transport.on(.path("/a"), redirect.delayed(by: 10))
        transport.on(.path("/b"), .status(415))
        let client = NetworkClient(
            transport: transport,
            interceptors: [.compression()],
            configuration: .init(time: clock)
        )
        let request = post().withInstanceCaching()
        let calls = (0..<2).map { _ in Task { try await client.status(request) } }
        while client.sharing.waiterCount < 2 { await Task.yield() }
        try await clock.waitForSleepers(1)
        clock.advance(by: 10)
        for call in calls { expect(try await withDeadline { try await call.value }, 415) }
        expect(transport.requests.map(\.method), [.post, .get])
    }

    @Test(.spec(257)) func anyResponseCanSayThatTheNextBodyMustBePlain() async throws {
        let response = StubTransport.Response.status(200)
        transport.on(.any, response.adding(header: .custom(name: "Accept-Encoding", value: "identity")), response)
        let client = client()
        for _ in 0..<2 { try await client.fetch(request: post()) }
        expect(codings, ["gzip", "-"])
    }

    @Test(
        .spec(257),
        arguments: [
            ("gzip", true), ("br, GZIP", true), ("x-gzip", true), ("*", true), ("gzip;q=0.1, *;q=0", true),
            ("gzip ; q=1", true), ("", false), ("identity", false), ("gzip;q=0", false), ("*;q=0.000", false),
            ("*, gzip;q=0", false), ("gzip;q=nonsense", false), (";;,=\u{1F600},", false), ("gzipped", false),
        ]
    )
    func anAcceptEncodingOfAResponseIsRead(value: String, isAccepted: Bool) {
        expect(RequestCoding.gzip.isAccepted(by: value), isAccepted)
    }
}
