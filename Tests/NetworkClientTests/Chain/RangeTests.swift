import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Requests for a part of a resource.
struct RangeTests {
    private func request(_ server: LoopbackServer) throws -> URLRequest {
        URLRequest.get(url: server.url).set(header: try .range(bytes: 0...99)).build()
    }

    @Test(.spec(179), arguments: TransportUnderTest.all)
    func aRequestForARangeAsksForNoCodingUnlessItNamesOne(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond(status: 206, body: "part") }
        let client = try transport.client()
        let request = try request(server)
        try await client.fetch(request: request)
        _ = try await client.stream(request: request).item.data()
        let coded = request.setting(header: .custom(name: "accept-encoding", value: "gzip"))
        try await client.fetch(request: coded)
        let codings = server.requests.map { $0.headers.values(for: "Accept-Encoding") }
        expect(codings, [["identity"], ["identity"], ["gzip"]])
        try await client.fetch(request: URLRequest(url: server.url))
        #expect(server.requests.last?.value(forHeader: "Accept-Encoding") != "identity")
    }

    @Test(.spec(179), arguments: TransportUnderTest.all)
    func aRangeOfAnInterceptorIsSentAndKeptByRedirects(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            request.path == "/a" ? .redirect(to: "/b") : .respond(status: 206, body: "part")
        }
        let headers = HeadersInterceptor([.custom(name: "range", value: "bytes=0-3")])
        try await transport.client(interceptors: [headers]).fetch(request: URLRequest(url: server.url("/a")))
        expect(server.requests.map { $0.value(forHeader: "Accept-Encoding") }, ["identity", "identity"])
    }

    @Test(.spec(179), arguments: TransportUnderTest.all(without: .decodesPartsOfCodedBodies))
    func aPartOfACodedBodyIsReturnedUndecoded(transport: TransportUnderTest) async throws {
        let part = Array(Gzip.stored("hello, world").dropFirst(7))
        let server = try LoopbackServer { _ in
            let fields: WireFields = ["Content-Encoding": "gzip", "Content-Range": "bytes 7-\(6 + part.count)/99"]
            return .respond(status: 206, headers: fields, body: part)
        }
        let client = try transport.client()
        let whole: NetworkClient.Response<Data> = try await client.fetch(request: request(server))
        expect(whole.item, Data(part))
        let streamed = try await client.stream(request: request(server))
        #expect(try await streamed.item.data() == Data(part))
        let response: NetworkClient.Response<Data> = try await client.fetch(request: request(server)) { _ in }
        expect(response.item, Data(part))
    }
}
