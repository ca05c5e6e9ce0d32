import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The bytes that a server receives of a request.
struct RequestOnTheWireTests {
    @Test(
        .spec(17),
        arguments: TransportUnderTest.all,
        [
            "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY", "GET", "TRACE", "CONNECT", "patch",
            "Query", "x",
        ]
    )
    func aMethodIsSentUnchanged(transport: TransportUnderTest, token: String) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.build().method(try HTTPMethod(token), url: $0).noBody().build()
        }
        #expect(request.method == token)
        #expect(request.body.isEmpty)
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    @Test(.spec(17), arguments: TransportUnderTest.all)
    func aHEADRequestIsSent(transport: TransportUnderTest) async throws {
        #expect(
            try await LoopbackServer.received(by: transport) { URLRequest.build().head(url: $0).build() }.method
                == "HEAD"
        )
    }

    @Test(.spec(16), arguments: TransportUnderTest.all, [HTTPMethod.post, .put, .patch])
    func aRequestWithoutABodyStatesTheLength0(transport: TransportUnderTest, method: HTTPMethod) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.build().method(method, url: $0).noBody().add(query: "param", value: "value").build()
        }
        #expect(request.target == "/items?param=value")
        #expect(request.framing == .contentLength(0))
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    @Test(.spec(6, 7), arguments: TransportUnderTest.all)
    func aQueryIsSentAsItWasBuilt(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.get(url: $0).add(query: "q", value: "1+1 =2&;#é").add(query: "t", value: "jpg,png").build()
        }
        #expect(request.target == "/items?q=1%2B1%20%3D2%26%3B%23%C3%A9&t=jpg%2Cpng")
    }

    @Test(.spec(34, 49), arguments: TransportUnderTest.all)
    func aBodyIsSentWithItsLength(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).bodyJson(of: ["name": "é"]).build()
        }
        #expect(request.bodyText == #"{"name":"é"}"#)
        #expect(request.framing == .contentLength(13))
        #expect(request.headers.values(for: "Content-Length") == ["13"])
        #expect(request.value(forHeader: "Transfer-Encoding") == nil)
        #expect(request.value(forHeader: "Content-Type") == "application/json")
    }

    @Test(.spec(17, 46), arguments: TransportUnderTest.all)
    func aDELETERequestMayHaveABodyAndAQuery(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.build().method(.delete, url: $0).bodyJson(of: [1]).add(query: "a", value: "b").build()
        }
        #expect(request.method == "DELETE")
        #expect(request.bodyText == "[1]")
        #expect(request.query == "a=b")
    }

    @Test(arguments: TransportUnderTest.all)
    func aBodyWithoutATypeIsSentWithoutContentType(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            var request = URLRequest(url: $0)
            request.method = .post
            request.httpBody = Data([1, 2, 3])
            return request
        }
        #expect(request.body == Data([1, 2, 3]))
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    @Test(.spec(24, 30), arguments: TransportUnderTest.all)
    func headerFieldsKeepTheirSpelling(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.get(url: $0)
                .set(header: .custom(name: "X-API-Key", value: "k"))
                .set(header: .custom(name: "x-lower_1", value: "é"))
                .add(header: .custom(name: "X-Tag", value: "v1"))
                .add(header: .custom(name: "x-tag", value: "v2"))
                .set(header: .accept(type: .json))
                .build()
        }
        #expect(request.headers.contains { $0.name == "X-API-Key" && $0.value == "k" })
        #expect(request.headers.contains { $0.name == "x-lower_1" })
        #expect(request.headers.values(for: "X-Tag") == ["v1,v2"])
        #expect(request.headers.values(for: "Accept") == ["application/json"])
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    @Test(arguments: TransportUnderTest.all)
    func aCallersStreamIsSent(transport: TransportUnderTest) async throws {
        for length in [nil, "5"] {
            let request = try await LoopbackServer.received(by: transport) {
                var request = URLRequest(url: $0)
                request.method = .put
                request.httpBodyStream = InputStream(data: Data("hello".utf8))
                request.setValue(length, forHTTPHeaderField: "Content-Length")
                return request
            }
            #expect(request.bodyText == "hello")
            #expect(request.framing == (length == nil ? .chunked : .contentLength(5)))
        }
    }

    @Test(arguments: TransportUnderTest.all, [0, 4, 6])
    func aCallersStreamThatHasNotTheStatedLengthFailsTheRequest(
        transport: TransportUnderTest,
        length: Int
    ) async throws {
        let server = try LoopbackServer { _ in .respond() }
        var request = URLRequest(url: server.url)
        request.method = .put
        request.httpBodyStream = InputStream(data: Data("hello".utf8))
        request.setValue(String(length), forHTTPHeaderField: "Content-Length")
        #expect(await (try transport.client()).outcome(of: request) == .failed(.bodyUnreadable))
    }

    @Test(.spec(29)) func aRequestOverridesDefaultsAndAReplacingInterceptorOverridesIt() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let field = { HeaderField.custom(name: "X-Who", value: $0) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Who": "client"]
        let session = URLSession(configuration: configuration)
        let plain = NetworkClient(logging: .off, session: session)
        let keeping = NetworkClient(interceptors: [.headers([field("default")])], logging: .off)
        let last = HeadersInterceptor([field("last")], mode: .replacing)
        let replacing = NetworkClient(interceptors: [last], logging: .off, session: session)
        let own = URLRequest.get(url: server.url).set(header: field("request")).build()
        try await plain.fetch(request: URLRequest(url: server.url))
        try await keeping.fetch(request: URLRequest(url: server.url))
        try await plain.fetch(request: own)
        try await keeping.fetch(request: own)
        try await replacing.fetch(request: own)
        let expected = [["client"], ["default"], ["request"], ["request"], ["last"]]
        #expect(server.requests.map { $0.headers.values(for: "X-Who") } == expected)
    }

    @Test(.spec(29), arguments: TransportUnderTest.all)
    func theContentTypeOfTheRequestOverridesThatOfItsBody(transport: TransportUnderTest) async throws {
        let type = MediaType("application/merge-patch+json")
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.patch(url: $0).bodyJson(of: ["a": 1]).set(header: .content(type: type)).build()
        }
        #expect(request.headers.values(for: "Content-Type") == ["application/merge-patch+json"])
        #expect(request.bodyText == #"{"a":1}"#)
    }

    @Test(.spec(1, 30), arguments: TransportUnderTest.all)
    func aGETIsSentWithAQueryAndWithoutABody(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.build().get(url: $0).add(query: "page", value: "1").set(header: .accept(type: .json)).build()
        }
        #expect(request.headText.hasPrefix("GET /items?page=1 HTTP/1.1\r\n"))
        #expect(request.headers.values(for: "Accept") == ["application/json"])
        #expect(request.value(forHeader: "Content-Type") == nil)
        #expect(request.framing == .none)
    }

    @Test(.spec(7), arguments: TransportUnderTest.all)
    func aQueryIsReadBackByAFormDecoder(transport: TransportUnderTest) async throws {
        let query = try await LoopbackServer.received(by: transport) {
            URLRequest.get(url: $0).add(query: "formats", value: "jpg,png").add(query: "q", value: "1+1 =2&;#é").build()
        }.query
        let fields = try #require(query).split(separator: "&").map { item in
            item.split(separator: "=").map { $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding }
        }
        #expect(fields == [["formats", "jpg,png"], ["q", "1+1 =2&;#é"]])
    }

    @Test(.spec(8, 11), arguments: TransportUnderTest.all)
    func theBytesOfAPresignedURLAreSentUnchanged(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            let presigned = url($0.absoluteString + "/p%2fq?sig=a%2Bb%2Fc%3D&X=%7e~,:@!$'()*;#frag")
            return URLRequest.get(url: presigned).add(query: "x", value: "1").build()
        }
        let slash = transport.has(.writesEscapesInUpperCase) ? "%2F" : "%2f"
        #expect(request.target == "/items/p\(slash)q?sig=a%2Bb%2Fc%3D&X=%7e~,:@!$'()*;&x=1")
    }

    @Test(.spec(22, 23), arguments: TransportUnderTest.all)
    func anAuthorisationIsSent(transport: TransportUnderTest) async throws {
        let headers: [(HeaderField, String)] = [
            (.authorisation(auth: "some_jwt"), "some_jwt"), (.authorisation(.bearer("t")), "Bearer t"),
            (.authorisation(.custom(scheme: "Token", "t")), "Token t"),
            (
                .authorisation(try .basic(user: "Aladdin", password: "open sesame")),
                "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="
            ),
        ]
        for (header, value) in headers {
            let request = try await LoopbackServer.received(by: transport) {
                URLRequest.get(url: $0).add(header: header).build()
            }
            #expect(request.headers.values(for: "Authorization") == [value])
        }
    }

    @Test(.spec(25), arguments: TransportUnderTest.all)
    func theLastFieldOfANameIsSent(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).bodyJson(of: [1])
                .set(header: .custom(name: "Content-Type", value: "a/b"))
                .set(header: .custom(name: "content-type", value: "c/d"))
                .build()
        }
        #expect(request.headers.values(for: "Content-Type") == ["c/d"])
    }

    @Test(.spec(31), arguments: TransportUnderTest.all)
    func theHostFieldContainsThePortOfTheBaseURL(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client(configuration: .init(baseURL: url("http://127.0.0.1:\(server.port)")))
        try await client.fetch(request: URLRequest.get(url: url("/users/42")).build())
        try await client.fetch(request: URLRequest.get(url: server.url("/users/42")).build())
        for request in server.requests {
            #expect(request.headers.values(for: "Host") == ["127.0.0.1:\(server.port)"])
            #expect(request.target == "/users/42")
        }
        #expect(server.requestCount == 2)
    }
}
