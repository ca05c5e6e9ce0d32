import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Requests for a part of a resource, and bodies with a content coding.
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
        _ = try await client.stream(request).item.data()
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
        let streamed = try await client.stream(request(server))
        expect(try await streamed.item.data(), Data(part))
        let response: NetworkClient.Response<Data> = try await client.fetch(
            request: request(server),
            options: CallOptions { $0.progress = { _ in } }
        )
        expect(response.item, Data(part))
    }

    private static let text = "hello, world"

    private static func coded(_ request: RecordedRequest) -> Script {
        let fields: WireFields = [
            "Content-Encoding": "gzip", "X-Coding": request.value(forHeader: "Accept-Encoding") ?? "-",
        ]
        return .respond(headers: fields, body: Gzip.stored(text))
    }

    @Test(.spec(250), arguments: TransportUnderTest.all)
    func aDecodedResponseIsNotAnnouncedAsCoded(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { Self.coded($0) }
        let client = try transport.client()
        let request = URLRequest(url: server.url)
        let fetched: NetworkClient.Response<Data> = try await client.fetch(request: request)
        let streamed = try await client.stream(request)
        for response in [fetched.httpResponse, streamed.httpResponse] {
            for name in ["content-encoding", "Content-Length"] {
                expect(response.value(forHTTPHeaderField: name), nil)
                expect(response.receivedFields.values(named: name), [])
            }
            expect(response.expectedContentLength, -1)
        }
        expect(fetched.item, Data(Self.text.utf8))
        expect(streamed.item.expectedLength, nil)
        expect(try await streamed.item.data(), Data(Self.text.utf8))
        // A response without a body says what one would have.
        let head = try await client.fetch(request: URLRequest.head(url: server.url).build())
        expect(head["Content-Encoding"], "gzip")
    }

    @Test(.spec(250), arguments: TransportUnderTest.all)
    func aCallThatDecodesNothingGetsBytesAndFieldsAsTheyWereSent(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            request.value(forHeader: "Accept-Encoding") == "gzip" ? Self.coded(request) : .respond(body: Self.text)
        }
        let client = try transport.client()
        let request = URLRequest.get(url: server.url).set(header: .custom(name: "Accept-Encoding", value: "gzip"))
            .build()
        let options = CallOptions(decodesBody: false)
        let fetched: NetworkClient.Response<Data> = try await client.fetch(request: request, options: options)
        let streamed = try await client.stream(request, options: options)
        let isCoded = !transport.has(.decodesPartsOfCodedBodies)
        let bytes = isCoded ? Data(Gzip.stored(Self.text)) : Data(Self.text.utf8)
        expect(fetched.item, bytes)
        expect(try await streamed.item.data(), bytes)
        for fields in [fetched.fields, streamed.fields] {
            expect(fields["Content-Encoding"], isCoded ? "gzip" : nil)
            expect(fields["Content-Length"], String(bytes.count))
        }
        // By itself, the transport asks for no coding then, also where it has just asked for one.
        for decodesBody in [false, true, false, true] {
            let options = CallOptions(decodesBody: decodesBody)
            _ = try await client.fetch(request: URLRequest(url: server.url), options: options)
            let coding = server.requests.last?.value(forHeader: "Accept-Encoding")
            expect(coding?.contains("gzip"), decodesBody ? true : isCoded ? nil : false)
        }
    }
}
