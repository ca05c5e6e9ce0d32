import Foundation
import NetworkClient
import NetworkTestSupport
import NetworkUtilities
import Testing

/// The code that users were shown, with the loopback in place of its host, and what they were told that it does.
struct ReadmeSnippetsTests {
    struct Item: Codable, Sendable {
        let id: Int
        let name: String
    }

    struct Payload: Encodable { let name: String }

    struct SomeModel: Decodable, Sendable {
        let id: Int
    }

    private let server: CannedServer
    private let authToken = "some_jwt"

    init() throws {
        server = try CannedServer([
            "GET /items": #"[{"id":1,"name":"a"},{"id":2,"name":"b"}]"#, "POST /create": #"{"id":3,"name":"Alice"}"#,
            "GET /upload": "{}", "POST /upload": "{}", "GET /nothing": "", "GET /model": #"{"id":7}"#,
        ])
    }

    @Test func quickStart() async throws {
        let request = URLRequest.build()
            .get(url: server.url("/items"))
            .add(query: "page", value: "1")
            .set(header: .accept(type: .json))
            .build()

        let client = NetworkClient()

        let response: NetworkClient.Response<[Item]> = try await client.fetch(request: request)
        let items = response.item

        expect(items.count, 2)
        let received = try #require(server.requests.first)
        expect(received.target, "/items?page=1")
        expect(received.headers["accept"], "application/json")
    }

    @Test func jsonPost() async throws {
        let request = try URLRequest.build()
            .post(url: server.url("/create"))
            .bodyJson(of: Payload(name: "Alice"))
            .set(header: .content(type: .json))
            .build()

        let response: NetworkClient.Response<Item> = try await NetworkClient().fetch(request: request)

        expect(response.item.name, "Alice")
        let received = try #require(server.requests.first)
        expect(received.method, "POST")
        expect(received.body, #"{"name":"Alice"}"#)
        expect(received.headers["content-type"], "application/json")
    }

    @Test func multipart() async throws {
        let fileUrl = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).jpg")
        try Data("<bytes>".utf8).write(to: fileUrl)
        defer { try? FileManager.default.removeItem(at: fileUrl) }

        let request = try URLRequest.build()
            .post(url: server.url("/upload"))
            .bodyMultipart { builder in
                builder.add(
                    key: "description",
                    value: "My file"
                )

                try builder.add(
                    key: "file",
                    file: .init(
                        file: fileUrl,
                        filename: "photo.jpg",
                        mimeType: .auto()
                    )
                )
            }
            .build()

        try await NetworkClient().fetch(request: request)

        let received = try #require(server.requests.first)
        expect(received.headers["content-type"]?.hasPrefix("multipart/form-data; boundary="), true)
        expect(received.body, contains: "name=\"description\"\r\n\r\nMy file\r\n")
        expect(received.body, contains: "filename=\"photo.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n<bytes>\r\n")
    }

    @Test func stages() async throws {
        let requestGET = URLRequest.builder()
            .get(url: server.url("/upload"))
            .add(query: "param1", value: "value1")
            .add(query: "param2", value: "value2")
            .add(header: .authorisation(auth: authToken))
            .build()

        let requestPOST = try URLRequest.builder()
            .post(url: server.url("/upload"))
            .bodyJson(of: Payload(name: "Alice"))
            .add(query: "param", value: "value")
            .add(header: .authorisation(auth: authToken))
            .build()

        let requestWithoutBody = URLRequest.builder()
            .post(url: server.url("/upload"))
            .noBody()
            .add(query: "param", value: "value")
            .build()

        for request in [requestGET, requestPOST, requestWithoutBody] {
            _ = try await NetworkClient().fetch(request: request)
        }
        let targets = ["/upload?param1=value1&param2=value2", "/upload?param=value", "/upload?param=value"]
        expect(server.requests.map(\.target), targets)
        expect(server.requests.map { $0.headers["authorization"] }, ["some_jwt", "some_jwt", nil])
        expect(server.requests.map(\.body), ["", #"{"name":"Alice"}"#, ""])
        expect(server.requests.last?.headers["content-length"], "0")
    }

    @Test func optionalResponses() async throws {
        let request = URLRequest.get(url: server.url("/nothing")).build()
        let client = NetworkClient(decoder: .default)
        let clientWithNullDecoder = NetworkClient(
            decoder: .default.handlingOptionalResponses
        )

        await expectDecodingError {
            let _: NetworkClient.Response<SomeModel> = try await client.fetch(request: request)
        }
        await expectDecodingError {
            let _: NetworkClient.Response<SomeModel?> = try await client.fetch(request: request)
        }
        await expectDecodingError {
            let _: NetworkClient.Response<SomeModel> = try await clientWithNullDecoder.fetch(request: request)
        }
        let response: NetworkClient.Response<SomeModel?> = try await clientWithNullDecoder.fetch(request: request)
        #expect(response.item == nil)

        let model = URLRequest.get(url: server.url("/model")).build()
        let some: NetworkClient.Response<SomeModel?> = try await clientWithNullDecoder.fetch(request: model)
        expect(some.item?.id, 7)
    }

    private func expectDecodingError(_ fetch: () async throws -> Void) async {
        await #expect {
            try await fetch()
        } throws: {
            if case NetworkClient.Error.decodingError = $0 { true } else { false }
        }
    }

    @Test func interceptor() async throws {
        struct TokenStorage: Sendable {
            struct Missing: Error {}
            let token: String?

            var requireAuthorization: String {
                get throws {
                    guard let token else { throw Missing() }
                    return token
                }
            }
        }

        struct AuthInterceptor: InterceptorProtocol {
            let tokenStorage: TokenStorage

            func process(
                _ request: URLRequest,
                next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
            ) async throws -> NetworkClient.ChainResult {
                let accessToken = try tokenStorage.requireAuthorization

                let authorizedRequest =
                    request
                    .setting(header: .authorisation(auth: accessToken))

                return try await next(authorizedRequest)
            }
        }

        let someStorage = TokenStorage(token: "t")
        let client = NetworkClient(interceptors: [AuthInterceptor(tokenStorage: someStorage)])

        let request = URLRequest.get(url: server.url("/items")).build()
        try await client.fetch(request: request)
        expect(server.requests.first?.headers["authorization"], "t")
        let without = NetworkClient(interceptors: [AuthInterceptor(tokenStorage: TokenStorage(token: nil))])
        await #expect(throws: TokenStorage.Missing.self) { try await without.fetch(request: request) }
        expect(server.requests.count, 1)
    }

    @Test func instanceCaching() async throws {
        let client = NetworkClient()

        let request = URLRequest.build()
            .get(url: server.url("/items"))
            .set(header: .accept(type: .json))
            .build()
            .withInstanceCaching()

        async let first: NetworkClient.Response<[Item]> = try client.fetch(request: request)
        async let second: NetworkClient.Response<[Item]> = try client.fetch(request: request)

        let (r1, r2) = try await (first, second)
        expect(r1.item.map(\.id), [1, 2])
        expect(r2.item.map(\.id), [1, 2])
        // How many exchanges there were depends on how close the two came; SharedFetchTests makes them meet.
        let count = server.requests.count
        #expect(count == 1 || count == 2)
        let _: NetworkClient.Response<[Item]> = try await client.fetch(request: request)
        expect(server.requests.count, count + 1)
    }

    @Test func errorMapping() async throws {
        struct NotFound: Error, Equatable {}
        let request = URLRequest.get(url: server.url("/missing")).build()
        await #expect { try await NetworkClient().fetch(request: request) } throws: {
            guard case NetworkClient.Error.apiError(let response, let data) = $0 else { return false }
            return response.statusCode == 404 && data == Data("{}".utf8)
        }
        let mapper = ResponseErrorMapper { info in
            info.response.statusCode == 404 ? NotFound() as any Error : info.error
        }
        await #expect(throws: NotFound()) { try await NetworkClient(apiErrorMapper: mapper).fetch(request: request) }
    }
}
