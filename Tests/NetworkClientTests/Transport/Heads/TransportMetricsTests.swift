import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct TransportMetricsTests {
    @Test(arguments: TransportUnderTest.all, [true, false])
    func metricsCountRedirects(transport: TransportUnderTest, isIntercepted: Bool) async throws {
        let server = try LoopbackServer(routes: [
            "/1": .redirect(to: "/2"), "/2": .redirect(to: "/3"), "/3": .json("[]"),
        ])
        let client = try transport.client(interceptors: isIntercepted ? [NoOpAdapter()] : [])
        let response = try await client.fetch(request: URLRequest.get(url: server.url("/1")).build())
        let metrics = try #require(response.metrics)
        expect(metrics.redirects, 2)
        #expect(metrics.total > 0)
    }

    @Test func metricsAreInTheResponseOfAnError() async throws {
        let server = try LoopbackServer { _ in .respond(status: 500) }
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await NetworkClient(logging: .off).fetch(request: URLRequest.get(url: server.url).build())
        }
        guard case .apiError(let response, _)? = error else {
            Issue.record("not an answer")
            return
        }
        #expect((response.metrics?.total ?? 0) > 0)
    }

    @Test func metricsContainTheTotalTimeOfATransportWithoutMetrics() async throws {
        let client = NetworkClient(transport: ClosureTransport(json: "[]"), logging: .off)
        let response: NetworkClient.Response<[Int]> = try await client.fetch(
            request: URLRequest.get(url: url("https://h/")).build()
        )
        let metrics = try #require(response.metrics)
        #expect(metrics.total >= 0 && metrics.redirects == 0)
        expectAll((metrics.firstByte, metrics.isConnectionReused, metrics.httpVersion), (nil, nil, nil))
    }

    @Test func metricsAreNilForTheResponseOfAnInterceptor() async throws {
        let canned = ClosureInterceptor { _, _ in
            (Data("[]".utf8), .made(200, url: "https://h/"))
        }
        let client = NetworkClient(interceptors: [canned], logging: .off)
        let response = try await client.fetch(request: URLRequest.get(url: url("https://h/")).build())
        expect(response.metrics, nil)
    }

    #if os(Linux)
    @Test func metricsDescribeAnExchangeOfLibcurl() async throws {
        let server = try LoopbackServer { _ in .respond(body: "hello") }
        let client = NetworkClient(transport: try CurlTransport(), logging: .off)
        // Or else libcurl before 7.80 is given a connection of its own for it.
        let key = HeaderField.custom(name: "Idempotency-Key", value: "\"1\"")
        let request = URLRequest.post(url: server.url).bodyText("four").set(header: key).build()
        let first = try #require(try await client.fetch(request: request).metrics)
        expect(first.isConnectionReused, false)
        expect(first.httpVersion, "HTTP/1.1")
        expectAll((first.bodyBytesSent, first.bodyBytesReceived), (4, 5))
        #expect((first.connect ?? 0) > 0 && first.secureConnection == 0)
        #expect((first.firstByte ?? 0) > 0 && first.total >= first.firstByte ?? .infinity)
        let second = try #require(try await client.fetch(request: request).metrics)
        expect(second.isConnectionReused, true)
        expectAll((second.nameLookup, second.connect), (0, 0))
        expect(server.requests.map(\.connection), [0, 0])
    }
    #endif
}
