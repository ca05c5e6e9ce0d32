import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a body looks like to the server, byte for byte.
struct BodiesOnTheWireTests {
    private let client = NetworkClient(logging: .off)

    private func boundary(of request: RecordedRequest) throws -> String {
        let type = try #require(request.value(forHeader: "Content-Type"))
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        return try #require(MediaType(type).parameter("boundary"))
    }

    @Test(.spec(34, 47)) func sendsJSONAndAQuery() async throws {
        struct Payload: Encodable { let name: String }
        let request = try await LoopbackServer.received {
            try URLRequest.post(url: $0).bodyJson(of: Payload(name: "Alice")).add(query: "grant_type", value: "x")
                .build()
        }
        #expect(request.method == "POST")
        #expect(request.target == "/items?grant_type=x")
        #expect(request.bodyText == #"{"name":"Alice"}"#)
        #expect(request.headers.values(for: "Content-Type") == ["application/json"])
    }

    @Test(.spec(37, 38, 39)) func sendsForms() async throws {
        let params: Params = ["query": "hello world", "filter": "name=foo&bar", "a&b=c": ["x y"]]
        let text = "a%26b%3Dc%5B%5D=x+y&filter=name%3Dfoo%26bar&query=hello+world"
        let type = "application/x-www-form-urlencoded"
        let plain = try await LoopbackServer.received { try URLRequest.post(url: $0).bodyForm(params: params).build() }
        #expect(plain.bodyText == text)
        #expect(plain.headers.values(for: "Content-Type") == [type])
        let marked = try await LoopbackServer.received {
            try URLRequest.post(url: $0).bodyFormUtf8(params: params).build()
        }
        #expect(marked.bodyText == text)
        #expect(marked.headers.values(for: "Content-Type") == [type + "; charset=utf-8"])
    }

    @Test(.spec(36)) func sendsNothingOfABodyThatCannotBeEncoded() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let error = BodyEncodingError.json(path: "prices[1]", reason: "is a number that is not finite")
        await #expect(throws: error) {
            let stage = URLRequest.post(url: server.url)
            try await client.fetch(request: try stage.bodyJson(of: ["prices": [1, Double.infinity]]).build())
        }
        #expect(server.connectionCount == 0)
    }

    @Test(.spec(49)) func statesTheLengthOfEveryFixedBody() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("é.txt", "é")
        let boundary = try MultipartBoundary("B")
        let bodies: [@Sendable (URL) throws -> (URLRequest, Int)] = [
            { url in
                var request = URLRequest(url: url)
                request.method = .post
                request.httpBody = Data("é".utf8)
                return (request, 2)
            },
            { (try URLRequest.post(url: $0).bodyJson(of: "é").build(), 4) },
            { (try URLRequest.put(url: $0).bodyForm(params: ["é": "é"]).build(), 13) },
            { (try URLRequest.patch(url: $0).bodyFormUtf8(params: ["k": "é"]).build(), 8) },
            { (try URLRequest.put(url: $0).bodyForm(params: [:]).build(), 0) },
            {
                (
                    URLRequest.post(url: $0).bodyMultipart(boundary: boundary) { $0.add(key: "é", value: "é") }.build(),
                    61
                )
            },
            { url in
                let stage = URLRequest.post(url: url)
                return (
                    try stage.bodyMultipart(boundary: boundary) { try $0.add(key: "f", file: .init(file: file)) }
                        .build(), 105
                )
            },
        ]
        for body in bodies {
            let server = try LoopbackServer { _ in .respond() }
            let (request, length) = try body(server.url)
            try await client.fetch(request: request)
            let received = try await server.request(at: 0)
            #expect(received.headers.values(for: "Content-Length") == [String(length)])
            #expect(received.value(forHeader: "Transfer-Encoding") == nil)
            #expect(received.body.count == length)
        }
    }

    @Test(.spec(17)) func carriesABodyWithAMethodOfTheUsersOwn() async throws {
        let request = try await LoopbackServer.received {
            try URLRequest.build().method(HTTPMethod("PROPFIND"), url: $0).bodyJson(of: [1]).build()
        }
        #expect(request.method == "PROPFIND")
        #expect(request.bodyText == "[1]")
        #expect(request.framing == .contentLength(3))
    }

    @Test(.spec(75)) func translatesTheKeysOfBothDirections() async throws {
        struct User: Codable, Sendable { let firstName: String }
        let server = try LoopbackServer { request in .json(request.body) }
        let options = URLRequestBuilderOptions(encoder: DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase))
        let snake = NetworkClient(decoder: DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase), logging: .off)
        let builder = URLRequest.builder(options: options).post(url: server.url)
        let request = try builder.bodyJson(of: User(firstName: "Ada")).build()
        let ofTheClient: NetworkClient.Response<User> = try await snake.fetch(request: request)
        #expect(ofTheClient.item.firstName == "Ada")
        #expect(try await server.request(at: 0).bodyText == #"{"first_name":"Ada"}"#)
        let plain = try URLRequest.post(url: server.url).bodyJson(of: User(firstName: "Ada")).build()
        let ofTheCall: NetworkClient.Response<User> = try await snake.fetch(
            request: plain,
            options: CallOptions(decoder: .default)
        )
        #expect(ofTheCall.item.firstName == "Ada")
        #expect(try await server.request(at: 1).bodyText == #"{"firstName":"Ada"}"#)
    }
}

extension BodiesOnTheWireTests {
    @Test(.spec(50, 62)) func sendsAMultipartForm() async throws {
        let directory = try TemporaryDirectory()
        let bytes = Data((0...255).map { UInt8($0) })
        let photo = try directory.file("local.bin", bytes)
        let request = try await LoopbackServer.received {
            try URLRequest.post(url: $0)
                .bodyMultipart(boundary: try MultipartBoundary("B")) { builder in
                    builder.add(key: "description", value: "My file")
                    try builder.add(key: "file", file: .init(file: photo, filename: "photo.jpg", mimeType: .auto()))
                }
                .build()
        }
        let head = """
            --B\r
            Content-Disposition: form-data; name="description"\r
            \r
            My file\r
            --B\r
            Content-Disposition: form-data; name="file"; filename="photo.jpg"\r
            Content-Type: image/jpeg\r
            \r\n
            """
        #expect(request.body == Data(head.utf8) + bytes + Data("\r\n--B--\r\n".utf8))
        #expect(request.headers.values(for: "Content-Type") == ["multipart/form-data; boundary=B"])
        #expect(request.framing == .contentLength(request.body.count))
    }

    @Test(.spec(51)) func closesAFormWithoutParts() async throws {
        let request = try await LoopbackServer.received { URLRequest.post(url: $0).bodyMultipart { _ in }.build() }
        #expect(request.bodyText == "--\(try boundary(of: request))--\r\n")
    }

    @Test(.spec(52, 54, 55, 61)) func keepsHostilePartsInTheirPlaces() async throws {
        let request = try await LoopbackServer.received {
            URLRequest.post(url: $0)
                .bodyMultipart { builder in
                    builder.add(key: "a\nb", value: "é\nü")
                    builder.add(
                        key: "f",
                        value: Data("1".utf8),
                        filename: "a\"b\r\nX-Evil: 1.jpg",
                        type: MediaType("a/b")
                    )
                    builder.add(key: "g", value: Data("2".utf8), filename: "føø.jpg", type: MediaType("a/b"))
                    builder.add(key: "h", value: Data([10, 13]))
                }
                .build()
        }
        let parts = request.bodyText.components(separatedBy: "--\(try boundary(of: request))")
        #expect(
            parts == [
                "", "\r\nContent-Disposition: form-data; name=\"a%0D%0Ab\"\r\n\r\né\r\nü\r\n",
                "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a%22b%0D%0AX-Evil: 1.jpg\"\r\n"
                    + "Content-Type: a/b\r\n\r\n1\r\n",
                "\r\nContent-Disposition: form-data; name=\"g\"; filename=\"føø.jpg\"\r\n"
                    + "Content-Type: a/b\r\n\r\n2\r\n",
                "\r\nContent-Disposition: form-data; name=\"h\"\r\n\r\n\n\r\r\n", "--\r\n",
            ]
        )
    }

    @Test(.spec(60, 62)) func sendsAMultipartFormTwiceWithTheSameBytes() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "file content")
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
        let boundary = try boundary(of: first)
        #expect(first.bodyText.hasPrefix("--\(boundary)\r\n"))
        #expect(first.bodyText.hasSuffix("\r\n--\(boundary)--\r\n"))
    }

    @Test(.spec(60, 62), arguments: [true, false])
    func keepsTheBoundaryOverRetriesAndRedirects(isFile: Bool) async throws {
        struct Again: InterceptorProtocol {
            func process(
                _ request: URLRequest,
                next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
            ) async throws -> NetworkClient.ChainResult {
                _ = try? await next(request)
                return try await next(request)
            }
        }
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: 307), "/b": .respond(status: 503)])
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "file content")
        let request = try URLRequest.post(url: server.url("/a"))
            .bodyMultipart { builder in
                builder.add(key: "k", value: "file content")
                if isFile { try builder.add(key: "file", file: .init(file: file)) }
            }
            .build()
        let client = NetworkClient(interceptors: [Again()], logging: .off)
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        #expect(server.requests.map(\.path) == ["/a", "/b", "/a", "/b"])
        for received in server.requests {
            #expect(received.body == server.requests.first?.body)
            #expect(received.bodyText.contains("file content"))
            #expect(received.bodyText.hasPrefix("--\(try boundary(of: received))\r\n"))
            #expect(received.bodyText.hasSuffix("\r\n--\(try boundary(of: received))--\r\n"))
        }
    }
}
