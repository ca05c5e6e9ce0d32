import Foundation
import NetworkClient
import NetworkClientOpenAPI
import NetworkClientTesting
import OpenAPIRuntime
import Testing

/// `Client` and `Components` are generated from `openapi.yaml` in this folder.
@Suite(.timeLimit(.minutes(1)))
struct GeneratedClientTests {
    private let server = ShopServer()

    private func withClient(_ use: (Client) async throws -> Void) async throws {
        let network = NetworkClient(
            interceptors: [.retry()],
            configuration: .init(time: TestClock(advancesItself: true))
        )
        try await server.run { url in
            try await use(Client(serverURL: url, transport: NetworkClientTransport(client: network)))
        }
    }

    @Test func itemsAreCreatedReadAndListed() async throws {
        try await withClient { client in
            for (index, name) in ["tea", "dark coffee", "χυμός"].enumerated() {
                let created = try await client.createItem(body: .json(.init(name: name))).created
                #expect(created.headers.location == "/api/items/\(index + 1)")
                #expect(try created.body.json == .init(id: index + 1, name: name))
            }
            let coffee = try await client.getItem(path: .init(id: 2)).ok.body.json
            #expect(coffee == .init(id: 2, name: "dark coffee"))
            let list = try await client.listItems(query: .init(limit: 2)).ok.body.json
            #expect(list.map(\.name) == ["tea", "dark coffee"])
        }
    }

    @Test func aTemporaryFailureIsRetriedBelowTheGeneratedCode() async throws {
        try await withClient { client in
            let list = try await client.listItems().ok.body.json
            #expect(list.isEmpty)
            #expect(await server.requestsOfTheList == 2)
        }
    }

    @Test func aProblemDocumentIsAnOutcomeAndNoError() async throws {
        try await withClient { client in
            let problem = try await client.getItem(path: .init(id: 9)).notFound.body.applicationProblemJson
            #expect(problem == .init(title: "No such item", status: 404))
        }
    }

    /// Each side sends its second chunk after the other side has received the first one.
    @Test func bodiesAreStreamedInBothDirections() async throws {
        let chunk = [UInt8](repeating: 7, count: 1 << 16)
        try await withClient { client in
            let chunks = AsyncStream<[UInt8]> { continuation in
                Task {
                    continuation.yield(chunk)
                    await server.uploadBegan.wait()
                    for _ in 1..<64 { continuation.yield(chunk) }
                    continuation.finish()
                }
            }
            let body = HTTPBody(chunks, length: .unknown, iterationBehavior: .single)
            _ = try await client.putPhoto(path: .init(id: 1), body: .binary(body)).noContent

            var length = 0
            for try await received in try await client.getPhoto(path: .init(id: 1)).ok.body.binary {
                server.downloadBegan.open()
                length += received.count
                #expect(received.allSatisfy { $0 == 7 })
            }
            #expect(length == 64 * chunk.count)
        }
    }
}
