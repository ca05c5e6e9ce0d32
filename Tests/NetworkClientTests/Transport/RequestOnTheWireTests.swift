import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a request looks like to the server, byte for byte.
struct RequestOnTheWireTests {
    private let client = NetworkClient(logging: .off)

    private func received(_ build: (URL) throws -> URLRequest) async throws -> RecordedRequest {
        let server = try LoopbackServer { _ in .respond() }
        try await client.fetch(request: try build(server.url("/items")))
        return try await server.request(at: 0)
    }

    @Test(
        .spec(17),
        arguments: ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY", "GET", "TRACE", "CONNECT"]
    )
    func sendsTheMethodAsItIs(token: String) async throws {
        let request = try await received {
            URLRequest.build().method(try HTTPMethod(token), url: $0).noBody().build()
        }
        #expect(request.method == token)
        #expect(request.body.isEmpty)
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    @Test(.spec(17)) func sendsHEAD() async throws {
        #expect(try await received { URLRequest.build().head(url: $0).build() }.method == "HEAD")
    }

    @Test(.spec(16), arguments: [HTTPMethod.post, .put, .patch])
    func saysThatThereIsNoBody(method: HTTPMethod) async throws {
        let request = try await received {
            URLRequest.build().method(method, url: $0).noBody().add(query: "param", value: "value").build()
        }
        #expect(request.target == "/items?param=value")
        #expect(request.framing == .contentLength(0))
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    @Test(.spec(6, 7)) func sendsTheQueryAsItWasBuilt() async throws {
        let request = try await received {
            URLRequest.get(url: $0).add(query: "q", value: "1+1 =2&;#é").add(query: "t", value: "jpg,png").build()
        }
        #expect(request.target == "/items?q=1%2B1%20%3D2%26%3B%23%C3%A9&t=jpg%2Cpng")
    }

    @Test(.spec(34, 49)) func sendsTheLengthOfABodyAndItsBytes() async throws {
        let request = try await received { try URLRequest.post(url: $0).bodyJson(of: ["name": "é"]).build() }
        #expect(request.bodyText == #"{"name":"é"}"#)
        #expect(request.framing == .contentLength(13))
        #expect(request.headers.values(for: "Content-Length") == ["13"])
        #expect(request.value(forHeader: "Transfer-Encoding") == nil)
        #expect(request.value(forHeader: "Content-Type") == "application/json")
    }

    @Test(.spec(17, 46)) func carriesABodyWithDELETEAndAQuery() async throws {
        let request = try await received {
            try URLRequest.build().method(.delete, url: $0).bodyJson(of: [1]).add(query: "a", value: "b").build()
        }
        #expect(request.method == "DELETE")
        #expect(request.bodyText == "[1]")
        #expect(request.query == "a=b")
    }

    @Test func putsNoContentTypeOnABodyThatHasNone() async throws {
        let request = try await received {
            var request = URLRequest(url: $0)
            request.method = .post
            request.httpBody = Data([1, 2, 3])
            return request
        }
        #expect(request.body == Data([1, 2, 3]))
        #expect(request.value(forHeader: "Content-Type") == nil)
    }

    @Test func namesThePortInTheHost() async throws {
        let server = try LoopbackServer { _ in .respond() }
        try await client.fetch(request: URLRequest(url: server.url))
        #expect(try await server.request(at: 0).value(forHeader: "Host") == "127.0.0.1:\(server.port)")
    }

    @Test(.spec(24, 30)) func sendsHeaderFieldsAsTheyAreSpelled() async throws {
        let request = try await received {
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

    @Test(.spec(26)) func sendsNoTraceOfAnInjection() async throws {
        let request = try await received {
            URLRequest.get(url: $0)
                .set(header: .custom(name: "X-A", value: "1\r\nX-Evil: 1"))
                .set(header: .custom(name: "X-B\r\nX-Evil", value: "1"))
                .build()
        }
        #expect(request.value(forHeader: "X-A") == "1  X-Evil: 1")
        #expect(request.value(forHeader: "X-Evil") == nil)
        #expect(!request.headText.contains("X-B"))
    }

    @Test(.spec(26)) func sendsNothingOfARequestThatIsNotValid() async throws {
        let server = try LoopbackServer { _ in .respond() }
        var request = URLRequest(url: server.url)
        request.httpMethod = "GET / HTTP/1.1\r\nX-Evil: 1\r\n\r\nGET"
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        request.httpMethod = "GET"
        request.allHTTPHeaderFields = ["X-A: 1\r\nX-Evil": "1"]
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        #expect(server.connectionCount == 0)
    }

    @Test(.spec(60, 62)) func sendsAMultipartFormTwiceWithTheSameBytes() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
        try Data("file content".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let request = try URLRequest.post(url: server.url)
            .bodyMultipart { builder in
                builder.add(key: "description", value: "é")
                try builder.add(key: "file", file: .init(file: file, filename: "a.txt", mimeType: .auto()))
            }
            .build()
        try await client.fetch(request: request)
        try await client.fetch(request: request)
        let (first, second) = (try await server.request(at: 0), try await server.request(at: 1))
        #expect(first.bodyText.contains("file content"))
        #expect(first.body == second.body)
        #expect(first.framing == .contentLength(first.body.count))
        let boundary = try #require(first.value(forHeader: "Content-Type")?.components(separatedBy: "boundary=").last)
        #expect(first.bodyText.hasPrefix("--\(boundary)\r\n"))
        #expect(first.bodyText.hasSuffix("\r\n--\(boundary)--\r\n"))
    }

    @Test func sendsAStreamOfTheUsersOwn() async throws {
        for length in [nil, "5"] {
            let request = try await received {
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

    @Test(.spec(29)) func goesByTheOrderDefaultRequestInterceptor() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let field = { HeaderField.custom(name: "X-Who", value: $0) }
        let keeping = NetworkClient(interceptors: [.headers([field("client")])], logging: .off)
        let replacing = NetworkClient(interceptors: [.headers([field("last")], mode: .replacing)], logging: .off)
        let own = URLRequest.get(url: server.url).set(header: field("request")).build()
        try await keeping.fetch(request: URLRequest(url: server.url))
        try await keeping.fetch(request: own)
        try await replacing.fetch(request: own)
        #expect(server.requests.map { $0.value(forHeader: "X-Who") } == ["client", "request", "last"])
    }
}
