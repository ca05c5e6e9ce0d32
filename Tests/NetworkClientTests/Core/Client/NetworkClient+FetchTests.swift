import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct NetworkClientFetchTests {
    private struct Item: Decodable, Equatable, Sendable {
        let id: Int
        let name: String
    }

    private func server(_ script: Script) throws -> LoopbackServer {
        try LoopbackServer { _ in script }
    }

    @Test(.spec(63), arguments: TransportUnderTest.all)
    func fetchDecodesJSON(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try server(.json(#"[{"id":1,"name":"a"}]"#))
        let request = URLRequest.get(url: server.url("/items")).build()
        let response: NetworkClient.Response<[Item]> = try await client.fetch(request: request)
        expect(response.item.count, 1)
        expect(response.item, [Item(id: 1, name: "a")])
        expect(response.httpResponse.statusCode, 200)
        expect(response.statusCode, 200)
        expect(response.status, .ok)
        expect(response["content-type"], "application/json")
        expect(response.value(forHeaderKey: "CONTENT-TYPE"), "application/json")
        expect(response.allHeaders["Content-Type"], "application/json")
    }

    @Test func theTextOfAResponseIsItsStatusAndItsItem() async throws {
        let server = try LoopbackServer { _ in
            .respond(status: 201, headers: ["Set-Cookie": "session=s3cret"], body: "[1, 2]")
        }
        let client = NetworkClient(logging: .off)
        let response = try await client.fetch(URLRequest.get(url: server.url), as: [Int].self)
        expect("\(response)", "201 Created: [1, 2]")
        expect("\([response])", "[201 Created: [1, 2]]")
        expect(String(reflecting: response), "201 Created: [1, 2]")
        let stream = try await client.stream(URLRequest.get(url: server.url))
        #expect("\(stream)".hasPrefix("201 Created: ") && !"\(stream)".contains("s3cret"))
    }

    @Test(.spec(64), arguments: TransportUnderTest.all)
    func fetchWithoutAValueIgnoresTheBody(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try server(.respond(status: 204))
        let request = URLRequest.get(url: server.url).build()
        _ = try await client.fetch(request: request)
        let response: NetworkClient.Response<()> = try await client.fetch(request: request)
        expect(response.httpResponse.statusCode, 204)
    }

    @Test(.spec(73), arguments: TransportUnderTest.all, [204, 200])
    func fetchDecodesAnyBodyAsAnEmptyResponse(transport: TransportUnderTest, status: Int) async throws {
        let client = try transport.client()
        let server = try server(.respond(status: status, body: status == 204 ? "" : "not JSON"))
        let _: NetworkClient.Response<EmptyResponse> = try await client.fetch(request: URLRequest(url: server.url))
    }

    @Test(.spec(65), arguments: TransportUnderTest.all)
    func fetchReturnsTheExactBytes(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let server = try server(.respond(body: bytes))
        let response: NetworkClient.Response<Data> = try await client.fetch(request: URLRequest(url: server.url))
        expect(response.item, Data(bytes))
    }

    @Test(.spec(66), arguments: TransportUnderTest.all)
    func fetchDecodesTextInTheCharsetOfTheResponse(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let type = ["Content-Type": "text/plain; charset=ISO-8859-1"] as WireFields
        let server = try server(.respond(headers: type, body: [0xE9] as [UInt8]))
        let response: NetworkClient.Response<String> = try await client.fetch(request: URLRequest(url: server.url))
        expect(response.item, "é")
    }

    @Test(.spec(75), arguments: TransportUnderTest.all)
    func fetchUsesTheDecoderOfTheCall(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        struct User: Decodable, Sendable {
            let firstName: String
        }
        let server = try server(.json(#"{"first_name":"Ada"}"#))
        let options = CallOptions(decoder: DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase))
        let request = URLRequest(url: server.url)
        let response: NetworkClient.Response<User> = try await client.fetch(request: request, options: options)
        expect(response.item.firstName, "Ada")
    }

    @Test(.spec(83), arguments: TransportUnderTest.all)
    func aDecodingErrorNamesThePathInTheBody(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try server(.json(#"[{"id":1,"name":"a"},{"id":"2","name":"b"}]"#))
        await #expect {
            let request = URLRequest(url: server.url("/items?token=secret"))
            let _: NetworkClient.Response<[Item]> = try await client.fetch(request: request)
        } throws: { error in
            guard case NetworkClient.Error.decodingError = error else { return false }
            let place = "http://127.0.0.1:\(server.port)/items"
            return "\(error)"
                == "The response 200 of '\(place)' cannot be decoded: "
                + "the value at '[1].id' is not of the type expected, Int."
        }
    }

    @Test(.spec(85), arguments: TransportUnderTest.all)
    func getErrorUsesTheDecoderOfTheCall(transport: TransportUnderTest) async throws {
        struct Problem: Decodable, Sendable {
            let lastSeen: Date
        }
        let server = try server(.json(#"{"last_seen":"2024-01-02T03:04:05.678Z"}"#, status: 404))
        let client = try transport.client(decoder: DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase))
        do {
            try await client.fetch(request: URLRequest(url: server.url))
            Issue.record("A 404 was accepted")
        } catch let error as NetworkClient.Error {
            expect(error.statusCode, 404)
            guard case .apiError(let response, let data) = error else { throw error }
            expect(response.value(forHTTPHeaderField: "content-type"), "application/json")
            expect(data, Data(#"{"last_seen":"2024-01-02T03:04:05.678Z"}"#.utf8))
            let problem: Problem = try #require(error.getError())
            #expect(abs(problem.lastSeen.timeIntervalSince1970 - 1_704_164_645.678) < 0.0005)
            let other: Problem? = error.getError(using: DefaultDecoder())
            #expect(other == nil)
        }
    }
}
