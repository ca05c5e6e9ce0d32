import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

private struct Book: Codable, Equatable, Sendable {
    var pageCount: Int
}

private struct BookNotFound: Error, Equatable {
    var id: Int
}

/// An endpoint that differs from the client in all that it can.
private struct BookEndpoint: Endpoint {
    typealias Response = Book
    let id: Int

    var options: CallOptions {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var options = CallOptions(
            acceptedStatuses: .successful.and(300),
            decoder: DefaultDecoder(decoder: decoder),
            errorMapper: [404: BookNotFound(id: id)],
            idleTimeout: 7
        )
        options.retry = RetryPolicy(retries: 1, backoff: Backoff(base: 1, throttledBase: 1, jitter: .none))
        return options
    }

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return
            try builder
            .encoding(with: URLRequestBuilderOptions(encoder: DefaultJsonEncoder(encoder: encoder)))
            .put(path: "/books/\(id)")
            .bodyJson(of: Book(pageCount: 3))
            .set(header: .custom(name: "X-Edition", value: "2"))
            .cachePolicy(.reloadIgnoringLocalCacheData)
            .build()
            .withInstanceCaching()
    }
}

struct EndpointOptionsTests {
    private let transport = StubTransport()
    private let clock = TestClock(advancesItself: true)

    private func client(
        interceptors: [any InterceptorProtocol] = [],
        mapper: ResponseErrorMapper = .default
    ) -> NetworkClient {
        NetworkClient(
            transport: transport,
            interceptors: interceptors,
            apiErrorMapper: mapper,
            configuration: .init(baseURL: url("https://api.example.com"), idleTimeout: 30, time: clock)
        )
    }

    @Test(.spec(148)) func anEndpointHasItsOwnDecoderEncoderStatusesHeadersTimeoutAndCachePolicy() async throws {
        let sent = Recorder<URLRequest>()
        transport.on(.put("/books/1"), .json(text: #"{"page_count":3}"#, status: 300))
        let recording = ClosureInterceptor { request, next in
            sent.record(request)
            return try await next(request)
        }
        let response = try await client(interceptors: [recording]).send(BookEndpoint(id: 1))
        expect(response.item, Book(pageCount: 3))
        expect(response.statusCode, 300)
        let request = try #require(sent.values.first)
        expect(request.timeoutInterval, 7)
        expect(request.cachePolicy, .reloadIgnoringLocalCacheData)
        expect(request.value(forHTTPHeaderField: "X-Edition"), "2")
        expect(request.httpBody, Data(#"{"page_count":3}"#.utf8))
    }

    @Test(.spec(89, 148)) func anEndpointNamesTheErrorOfAStatusAndLeavesTheOthersToTheClient() async throws {
        struct Other: Error {}
        transport.on(.put("/books/1"), .status(404))
        transport.on(.put("/books/2"), .status(410))
        let client = client(mapper: ResponseErrorMapper { _ in Other() })
        await #expect(throws: BookNotFound(id: 1)) { try await client.send(BookEndpoint(id: 1)) }
        await #expect(throws: Other.self) { try await client.send(BookEndpoint(id: 2)) }
    }

    @Test(.spec(103, 148)) func anEndpointHasItsOwnRetryPolicy() async throws {
        transport.on(.put("/books/1"), .status(503), .json(text: #"{"page_count":3}"#))
        let response = try await client(interceptors: [.retry()]).send(BookEndpoint(id: 1))
        expect(response.journey.attempts, 2)
        expect(clock.sleeps, [1])
    }

    @Test(.spec(115, 148)) func concurrentCallsOfAnEndpointThatOptsInShareOneExchange() async throws {
        let gate = Gate()
        transport.on(.any) { _ in
            try await gate.wait()
            return .json(text: #"{"page_count":3}"#)
        }
        let client = client()
        let first = Task { try await client.fetch(BookEndpoint(id: 1)).item }
        try await transport.waitForRequests(count: 1)
        let second = Task { try await client.send(BookEndpoint(id: 1)) }
        while client.sharing.waiterCount < 2 { await Task.yield() }
        gate.open()
        expect(try await first.value, Book(pageCount: 3))
        #expect(try await second.value.journey.steps.contains { $0.kind == .sharing })
        expect(transport.requests.count, 1)
    }

    @Test func theBuilderOfAClientHasItsEncoders() throws {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let encoders = URLRequestBuilderOptions(encoder: DefaultJsonEncoder(encoder: encoder))
        let client = NetworkClient(
            transport: transport,
            configuration: .init(baseURL: url("https://api.example.com/v1/"), encoders: encoders)
        )
        let request = try client.request.post(path: "/books").bodyJson(of: Book(pageCount: 3)).build()
        expect(request.url?.absoluteString, "https://api.example.com/v1/books")
        expect(request.httpBody, Data(#"{"page_count":3}"#.utf8))
    }
}
