import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Options of one call to an endpoint, which override the endpoint's own.
struct CallsWithOptionsTests {
    private struct Item: Codable, Equatable, Sendable {
        var firstName: String
    }

    private struct Slow: Endpoint {
        typealias Response = Data

        var options: CallOptions { CallOptions(acceptedStatuses: [203], idleTimeout: 50, redirects: .sameOrigin) }

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            try builder.get(path: "slow").build()
        }
    }

    private let transport = StubTransport(otherwise: .data(Data("x".utf8), status: 203))
    private let client: NetworkClient

    init() throws {
        client = try NetworkClient(baseURL: "https://h", transport: transport)
    }

    /// The seven kinds of call, events and pages.
    private static let calls: [(String, @Sendable (NetworkClient, CallOptions) async throws -> Void)] = [
        ("send", { try await $0.send(Slow(), options: $1) }),
        ("fetch", { try await $0.fetch(Slow(), options: $1) }),
        ("another type", { _ = try await $0.fetch(Slow(), as: Data.self, options: $1) }),
        ("start", { await $0.start(Slow(), options: $1) { _ in }.value }),
        ("upload", { _ = try await $0.upload(Slow(), options: $1).value }),
        ("stream", { _ = try await $0.stream(Slow(), options: $1).item.data() }),
        (
            "download",
            { client, options in
                let folder = try TemporaryDirectory()
                _ = try await client.download(Slow(), to: folder.url.appendingPathComponent("f"), options: options)
                    .value
            }
        ),
        ("pages", { for try await _ in $0.pages(Slow(), options: $1) {} }),
    ]

    @Test(.spec(146, 148, 229)) func optionsOfTheCallOverrideTheEndpoints() async throws {
        for (name, call) in Self.calls {
            try await call(client, CallOptions(idleTimeout: 5))
            expect(transport.requests.last?.urlRequest.timeoutInterval, 5, name)
        }
        expect(transport.requests.count, Self.calls.count)
        try await client.send(Slow(), options: CallOptions(redirects: .follow))
        expect(transport.requests.last?.urlRequest.timeoutInterval, 50)
    }

    @Test func optionsAreOverriddenOneByOne() async throws {
        struct Mapped: Error, Equatable { var name: String }
        var (own, others) = (CallOptions(idleTimeout: 1, bodyLimit: 2), CallOptions(attemptTimeout: 3, bodyLimit: 4))
        own.deadline = 9
        own.isIdempotent = true
        others.isIdempotent = false
        own.errorMapper = [404: Mapped(name: "own"), 409: Mapped(name: "own")]
        others.errorMapper = [404: Mapped(name: "other")]
        let both = own.overridden(by: others)
        expect(both.idleTimeout, 1)
        expect(both.attemptTimeout, 3)
        expect(both.bodyLimit, 4)
        expect(both.deadline, 9)
        expect(both.isIdempotent, false)
        for (status, name) in [(404, "other"), (409, "own")] {
            transport.on(.get("/\(status)"), .status(status))
            let error = await #expect(throws: Mapped.self) {
                try await client.fetch(.get(path: "\(status)"), options: both)
            }
            expect(error?.name, name)
        }
    }

    /// The mirror names what is stored, so that no option is forgotten.
    @Test func everyOptionCountsAndOverrides() {
        let changes: [String: (inout CallOptions) -> Void] = [
            "acceptedStatuses": { $0.acceptedStatuses = .all }, "decoder": { $0.decoder = .default },
            "decoding": { $0.decoding = { $0 } }, "formatDecoding": { $0.formatDecoding = { $0 } },
            "errorMapper": { $0.errorMapper = .default }, "idleTimeout": { $0.idleTimeout = 1 },
            "attemptTimeout": { $0.attemptTimeout = 1 }, "redirects": { $0.redirects = .never },
            "bodyLimit": { $0.bodyLimit = 1 }, "decodesBody": { $0.decodesBody = false },
            "progress": { $0.progress = { _ in } }, "series": { $0.series = CallSeries() },
            "logging": { $0.logging = .off }, "label": { $0.label = "a" },
            "deadline": { $0.deadline = 1 }, "values": { $0.retry = .never },
        ]
        let names = Mirror(reflecting: CallOptions()).children.compactMap(\.label)
        // The type of the response decides about the last one, in each call.
        expect(Set(names), Set(changes.keys).union(["isDecoded"]))
        for (name, change) in changes {
            let options = CallOptions(change)
            #expect(!options.isEmpty && CallOptions().isEmpty, "\(name)")
            #expect(!options.overridden(by: CallOptions()).isEmpty, "\(name)")
            #expect(!CallOptions().overridden(by: options).isEmpty, "\(name)")
        }
    }

    @Test func theInitialiserSetsTheOptionsThatItIsGiven() async throws {
        let options = CallOptions(
            attemptTimeout: 1,
            deadline: 2,
            isIdempotent: true,
            authentication: .none
        )
        expect(options.attemptTimeout, 1)
        expect(options.isIdempotent, true)
        expect(options.deadline, 2)
        expect(options.authentication, .none)
        expect(CallOptions(retry: .never).retry?.retries, 0)
        expect(CallOptions(idleTimeout: 1).authentication, CallOptions().authentication)
    }

    @Test(.spec(78, 148, 229)) func aCallChangesTheClientsDecoder() async throws {
        transport.on(.any, .json(text: #"{"user":{"first_name":"f"}}"#))
        let snake = DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase)
        let client = try NetworkClient(baseURL: "https://h", transport: transport, decoder: snake)
        let options = CallOptions { $0.decoding = { $0.unwrapping("user") } }
        expect(try await client.fetch(.get(path: "a"), as: Item.self, options: options).item, Item(firstName: "f"))
        let plain = options.overridden(by: CallOptions(decoder: snake))
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(.get(path: "a"), as: Item.self, options: plain)
        }
    }

    @Test(.spec(65, 78)) func bytesAndTextAreWholeUnderAnEnvelope() async throws {
        transport.on(.any, .json(text: #"{"data":"x"}"#))
        transport.on(.get("/text"), .text("plain"))
        for decoder in [DefaultDecoder.default.unwrapping("data"), DefaultDecoder.default.unwrappingEnvelope] {
            let client = try NetworkClient(baseURL: "https://h", transport: transport, decoder: decoder)
            expect(try await client.fetch(.get(path: "text"), as: Data.self).item, Data("plain".utf8))
            expect(try await client.fetch(.get(path: "text"), as: String.self).item, "plain")
            expect(try await client.fetch(.get(path: "text"), as: Data?.self).item, Data("plain".utf8))
            expect(try await client.fetch(.get(path: "text"), as: String?.self).item, "plain")
            expect(try await client.fetch(.get(path: "json"), as: Data.self).item, Data(#"{"data":"x"}"#.utf8))
            expect(try await client.fetch(.get(path: "json"), as: String.self).item, "x")
            expect(try await client.send(Slow(), options: CallOptions(acceptedStatuses: .successful)).item.count, 12)
        }
    }

    @Test(.spec(78)) func aGraphQLOperationHasNoEnvelope() async throws {
        transport.on(.any, .json(text: #"{"data":{"firstName":"f"}}"#), .json(text: #"{"errors":[{"message":"m"}]}"#))
        let decoder = DefaultDecoder.default.unwrapping("data").handlingOptionalResponses
        let client = try NetworkClient(baseURL: "https://h", transport: transport, decoder: decoder)
        let query = GraphQLOperation<Item>.query("{ item { firstName } }")
        expect(try await client.fetch(query).item, Item(firstName: "f"))
        await #expect(throws: GraphQLResponseError.self) { try await client.fetch(query).item }
    }

    private struct Search: RoutedEndpoint, Hashable {
        static let route: Route = .get("/items/:id")

        @Path var id: Int
        @Query @Named("q") var text: String
        @Header var acceptLanguage: String?
        @Body var content: [Int]
    }

    @Test func anEndpointIsHashableIfItsValuesAre() {
        let search = Search(id: 1, text: "a", acceptLanguage: nil, content: [1])
        expect(Set([search, search]).count, 1)
        for other in [
            Search(id: 2, text: "a", acceptLanguage: nil, content: [1]),
            Search(id: 1, text: "b", acceptLanguage: nil, content: [1]),
            Search(id: 1, text: "a", acceptLanguage: "el", content: [1]),
            Search(id: 1, text: "a", acceptLanguage: nil, content: []),
        ] {
            #expect(search != other)
        }
    }
}
