import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The bytes that a server receives of a body.
struct BodiesOnTheWireTests {
    @Test(.spec(34, 47), arguments: TransportUnderTest.all)
    func jsonAndAQueryAreSent(transport: TransportUnderTest) async throws {
        struct Payload: Encodable { let name: String }
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).bodyJson(of: Payload(name: "Alice")).add(query: "grant_type", value: "x")
                .build()
        }
        #expect(request.method == "POST")
        #expect(request.target == "/items?grant_type=x")
        #expect(request.bodyText == #"{"name":"Alice"}"#)
        #expect(request.headers.values(for: "Content-Type") == ["application/json"])
    }

    @Test(.spec(37, 38, 39), arguments: TransportUnderTest.all)
    func formsAreSent(transport: TransportUnderTest) async throws {
        let params: Params = ["query": "hello world", "filter": "name=foo&bar", "a&b=c": ["x y"]]
        let text = "a%26b%3Dc%5B%5D=x+y&filter=name%3Dfoo%26bar&query=hello+world"
        let type = "application/x-www-form-urlencoded"
        let plain = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).bodyForm(params: params).build()
        }
        #expect(plain.bodyText == text)
        #expect(plain.headers.values(for: "Content-Type") == [type])
        let marked = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0).bodyFormUtf8(params: params).build()
        }
        #expect(marked.bodyText == text)
        #expect(marked.headers.values(for: "Content-Type") == [type + "; charset=utf-8"])
    }

    @Test(.spec(36), arguments: TransportUnderTest.all)
    func aBodyThatCannotBeEncodedSendsNothing(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer { _ in .respond() }
        let error = BodyEncodingError.json(path: "prices[1]", reason: "is a number that is not finite")
        await #expect(throws: error) {
            let stage = URLRequest.post(url: server.url)
            try await client.fetch(request: try stage.bodyJson(of: ["prices": [1, Double.infinity]]).build())
        }
        #expect(server.connectionCount == 0)
    }

    @Test(.spec(49), arguments: TransportUnderTest.all)
    func everyFixedBodyIsSentWithItsLength(transport: TransportUnderTest) async throws {
        let client = try transport.client()
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

    @Test(.spec(17), arguments: TransportUnderTest.all)
    func aCustomMethodMayHaveABody(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.build().method(HTTPMethod("PROPFIND"), url: $0).bodyJson(of: [1]).build()
        }
        #expect(request.method == "PROPFIND")
        #expect(request.bodyText == "[1]")
        #expect(request.framing == .contentLength(3))
    }

    @Test(.spec(75), arguments: TransportUnderTest.all)
    func keysAreTranslatedInBothDirections(transport: TransportUnderTest) async throws {
        struct User: Codable, Sendable { let firstName: String }
        let server = try LoopbackServer { request in .json(request.body) }
        let options = URLRequestBuilderOptions(encoder: DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase))
        let snake = try transport.client(decoder: DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase))
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
