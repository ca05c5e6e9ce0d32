import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Routed endpoints together with sharing, redirects, logs, `cancelAll()` and retries.
struct RoutedEndpointPairsTests {
    private struct Item: Codable, Equatable, Sendable {
        let id: Int
    }

    private struct GetItem: RoutedEndpoint {
        typealias Response = Item
        static let route: Route = .get("/items/:id")
        @Path var id = 1
        @Query var page: Int? = nil
        @Header("X-Secret-Key") var secret: String? = nil
        @Header("X-House") var house: String? = nil
        @Header var acceptLanguage: String? = nil
        var isShared = false

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            let request = try routedRequest(from: builder)
            return isShared ? request.withInstanceCaching() : request
        }
    }

    private struct PutItem: RoutedEndpoint {
        typealias Response = Item
        static let route: Route = .put("/items/:id")
        @Path var id: Int
        @Header("X-Secret-Key") var secret: String? = nil
        @Body var item: Item
    }

    private struct PostItem: RoutedEndpoint {
        typealias Response = Item
        static let route: Route = .post("/items")
        @Header var idempotencyKey: String? = nil
        @Body var item: Item
    }

    private func client(
        _ transport: TransportUnderTest,
        _ server: LoopbackServer,
        _ interceptors: [any InterceptorProtocol] = [],
        configure: (inout NetworkClient.Configuration) -> Void = { _ in }
    ) throws -> NetworkClient {
        var configuration = NetworkClient.Configuration(baseURL: server.url("/v1"))
        configure(&configuration)
        return try transport.client(interceptors: interceptors, configuration: configuration)
    }

    // MARK: - Sharing

    private static let pairs: [(GetItem, GetItem, Int)] = [
        (GetItem(page: 2, secret: "a"), GetItem(page: 2, secret: "a"), 1),
        (GetItem(id: 1), GetItem(id: 2), 2),
        (GetItem(page: 1), GetItem(page: 2), 2),
        (GetItem(page: 1), GetItem(), 2),
        (GetItem(secret: "a"), GetItem(secret: "b"), 2),
        (GetItem(acceptLanguage: "el"), GetItem(), 2),
    ]

    @Test(.spec(115, 118), arguments: TransportUnderTest.all, pairs.indices)
    func twoRoutedEndpointsShareAnExchangeIfAllTheirPropertiesAreEqual(
        transport: TransportUnderTest,
        index: Int
    ) async throws {
        let (one, other, count) = Self.pairs[index]
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json(#"{"id":7}"#)] }
        let client = try client(transport, server)
        let calls = [one, other].map { endpoint in
            Task {
                var endpoint = endpoint
                endpoint.isShared = true
                return try await client.fetch(endpoint).item
            }
        }
        try await withDeadline {
            try await server.waitForHeads(count: count)
            while client.sharing.waiterCount < 2 { await Task.yield() }
        }
        gate.open()
        for call in calls { expect(try await call.value, Item(id: 7)) }
        expect(server.requestCount, count)
    }

    // MARK: - Redirects

    @Test(.spec(162, 163, 184), arguments: TransportUnderTest.all, [302, 303, 307])
    func aRedirectToAnotherOriginTakesNoSecretOfAProperty(
        transport: TransportUnderTest,
        status: Int
    ) async throws {
        let other = try LoopbackServer { _ in .json(#"{"id":1}"#) }
        let server = try LoopbackServer { _ in .redirect(to: other.url("/far").absoluteString, status: status) }
        let client = try client(transport, server) { $0.sensitiveHeaders = ["X-House"] }
        let get = GetItem(page: 2, secret: "s3cret", house: "h0use", acceptLanguage: "el")
        expect(try await client.fetch(get).item, Item(id: 1))
        let far = try #require(other.requests.first)
        expectAll((far.value(forHeader: "X-Secret-Key"), far.value(forHeader: "X-House")), (nil, nil))
        expectAll((far.value(forHeader: "Accept-Language"), far.target), ("el", "/far"))
        expect(server.requests.first?.value(forHeader: "X-Secret-Key"), "s3cret")
        expect(server.requests.first?.value(forHeader: "X-House"), "h0use")
    }

    @Test(.spec(163), arguments: TransportUnderTest.all)
    func aRedirectWithinTheOriginTakesThePropertiesAlong(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            request.path == "/v1/moved" ? .json(request.bodyText) : .redirect(to: "/v1/moved", status: 307)
        }
        let client = try client(transport, server)
        let endpoint = PutItem(id: 1, secret: "s3cret", item: Item(id: 9))
        expect(try await client.fetch(endpoint).item, Item(id: 9))
        let moved = try #require(server.requests.last)
        expectAll((moved.method, moved.target), ("PUT", "/v1/moved"))
        expect(moved.value(forHeader: "X-Secret-Key"), "s3cret")
        expect(moved.value(forHeader: "Content-Type"), "application/json")
    }

    // MARK: - Logs and reports

    @Test(.spec(94, 149, 184), arguments: TransportUnderTest.all)
    func noLogAndNoReportHasTheSecretOfAProperty(transport: TransportUnderTest) async throws {
        let (stream, reports) = (RecordingStream(), Recorder<CallReport>())
        let server = try LoopbackServer { $0.path == "/v1/items/1" ? .json("{}") : .respond(status: 401) }
        var configuration = NetworkClient.Configuration(baseURL: server.url("/v1"), sensitiveHeaders: ["X-House"])
        configuration.observer = { reports.record($0) }
        let client = NetworkClient(
            transport: try transport.transport(),
            logging: DefaultLogger.default(logLevel: .full, logStream: stream),
            configuration: configuration
        )
        for id in [1, 2] {
            let endpoint = GetItem(id: id, secret: "s3cret", house: "h0use", acceptLanguage: "el")
            let error = await #expect(throws: NetworkClient.Error.self) { try await client.send(endpoint) }
            var dumped = "\(endpoint) \(String(reflecting: endpoint)) \(String(describing: error))"
            dump(endpoint, to: &dumped)
            expect(dumped, lacks: "s3cret", "h0use")
        }
        expect(reports.count, 2)
        let text = stream.text + reports.values.map(\.description).joined()
        expect(text, lacks: "s3cret", "h0use")
        expect(text, contains: "X-Secret-Key", "X-House", "el")
        #expect(server.requests.allSatisfy { $0.value(forHeader: "X-House") == "h0use" })
    }

    // MARK: - Cancellation and retries

    @Test(.spec(126), arguments: TransportUnderTest.all)
    func cancelAllEndsRoutedEndpointsInFlightAndTheirRetries(transport: TransportUnderTest) async throws {
        let (never, clock) = (Gate(), TestClock())
        let server = try LoopbackServer { request in
            switch request.path {
            case "/v1/items/1": [.wait(never), .json(#"{"id":1}"#)]
            case "/v1/items/2": .respond(status: 503)
            default: .json(#"{"id":3}"#)
            }
        }
        let client = try client(transport, server, [.retry()]) { $0.time = clock }
        let calls = [1, 2].map { id in Task { try await client.fetch(GetItem(id: id)).item } }
        try await withDeadline {
            try await server.waitForRequests(count: 2)
            try await clock.waitForSleepers()
        }
        client.cancelAll()
        for call in calls {
            await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        }
        expect(try await client.fetch(GetItem(id: 3)).item, Item(id: 3))
        expect(server.requestCount, 3)
        never.open()
    }

    @Test(.spec(105, 110), arguments: TransportUnderTest.all, [nil, "once"])
    func aPostIsRetriedIfAPropertyIsItsIdempotencyKey(transport: TransportUnderTest, key: String?) async throws {
        let isFirst = Locked(true)
        let server = try LoopbackServer { request in
            let fails = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            return fails ? .respond(status: 503) : .json(request.bodyText)
        }
        let client = try client(transport, server, [.retry()]) { $0.time = TestClock(advancesItself: true) }
        let value = try? await client.fetch(PostItem(idempotencyKey: key, item: Item(id: 5))).item
        expect(value, (key == nil ? nil : Item(id: 5)))
        expect(server.requestCount, (key == nil ? 1 : 2))
        for request in server.requests {
            expectAll((request.value(forHeader: "Idempotency-Key"), request.bodyText), (key, #"{"id":5}"#))
            expect(request.target, "/v1/items")
        }
    }

    @Test(.spec(110, 163), arguments: TransportUnderTest.all)
    func aRetryAfterARedirectSendsTheWholeOriginalRequest(transport: TransportUnderTest) async throws {
        let count = Locked(0)
        let server = try LoopbackServer { request in
            guard request.path == "/v1/moved" else { return .redirect(to: "/v1/moved", status: 307) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? .respond(status: 503) : .json(request.bodyText)
        }
        let client = try client(transport, server, [.retry()]) { $0.time = TestClock(advancesItself: true) }
        let endpoint = PutItem(id: 1, secret: "s3cret", item: Item(id: 9))
        expect(try await client.fetch(endpoint).item, Item(id: 9))
        expect(server.requests.map(\.path), ["/v1/items/1", "/v1/moved", "/v1/items/1", "/v1/moved"])
        for request in server.requests {
            expectAll((request.bodyText, request.value(forHeader: "X-Secret-Key")), (#"{"id":9}"#, "s3cret"))
        }
    }
}
