import Foundation
import NetworkClient
import Testing

@Suite(.server(.h2), .timeLimit(.minutes(2)))
struct HTTP2Tests {
    /// A request as the server read it.
    struct Seen: Decodable, Sendable {
        let method: String
        let id: String
        let connection: Int
        let isProcessed: Bool
    }

    private func url(_ path: String) throws -> URL {
        try ServerProcess.of(.h2).url(path, scheme: "https", host: "localhost")
    }

    private func seen(_ key: String) async throws -> [Seen] {
        try await NetworkClient.forTests().fetch(.get(url: url("/seen?key=\(key)")), as: [Seen].self).item
    }

    @Test(arguments: ["/trailers", "/hints"])
    func trailersAndInterimResponsesAreNoFieldsOfTheResponse(path: String) async throws {
        let response = try await NetworkClient.forTests().fetch(.get(url: url(path)), as: String.self)
        #expect(response.item == path && response.fields.values(named: "X-Kind") == ["field"])
        #expect(response["X-Checksum"] == nil && response["Link"] == nil)
        #expect((response.trailers["X-Checksum"] == nil) == (path == "/hints"))
    }

    /// Each portion is sent after the one before has come back.
    @Test func aBodyGoesOnAfterTheHeadOfTheResponse() async throws {
        let client = try NetworkClient.forTests()
        // Before 8.1, libcurl streams over HTTP/1.1, which this server does not speak.
        guard (try? await client.stream(.get(url: url("/trailers")))) != nil else { return }
        try await client.expectEcho(from: url("/duplex"))
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        var hasKey = false
        var testDescription: String { method + (hasKey ? " with a key" : "") }
        /// Whether a second request does no harm.
        var isRepeatable: Bool { hasKey || !["POST", "PATCH"].contains(method) }
    }

    static let rows = [
        Row(method: "GET"), Row(method: "PUT"), Row(method: "DELETE"), Row(method: "POST"), Row(method: "PATCH"),
        Row(method: "POST", hasKey: true),
    ]

    private func request(_ row: Row, _ path: String) throws -> URLRequest {
        let request = URLRequest.method(try HTTPMethod(row.method), url: try url(path))
            .bodyText(["GET", "DELETE"].contains(row.method) ? nil : "body").build()
        return row.hasKey ? request.setting(header: .idempotencyKey(UUID().uuidString)) : request
    }

    private func client() throws -> NetworkClient {
        try .forTests([
            .retry(RetryPolicy(retries: 3, backoff: Backoff(base: 0)), budget: RetryBudget(ratio: 1, reserve: 1_000))
        ])
    }

    /// A server that resets a stream may have processed the request.
    ///
    /// One that refuses it has not (RFC 9113 §8.7), but libcurl does not tell the two apart: a POST is not sent again
    /// after either, as documented.
    @Test(arguments: rows, [("/reset", 1), ("/refuse", 1), ("/refuse", 2)])
    func aStreamThatEndsWithoutAResponseIsSentAgainOnlyIfThatIsSafe(row: Row, end: (path: String, times: Int))
        async throws
    {
        let key = UUID().uuidString
        let request = try request(row, "\(end.path)?key=\(key)&times=\(end.times)")
        if row.isRepeatable {
            try await client().fetch(request: request)
        } else {
            let error = try await failure { try await client().fetch(request: request) }
            guard case .requestError(let failure) = error else { throw error }
            #expect(failure.reason == .connectionLost)
        }
        #expect(try await seen(key).count == (row.isRepeatable ? end.times + 1 : 1))
    }

    /// Streams after the last one that a GOAWAY names were not processed (RFC 9113 §6.8); code 11 asks for calm.
    @Test(arguments: rows, [0, 11])
    func noCallIsDoubledAndNoneThatIsRepeatableIsLostWhenTheServerGoesAway(row: Row, code: Int) async throws {
        let key = UUID().uuidString
        let client = try client()
        let path = "/leave?key=\(key)&count=30&kept=10&code=\(code)"
        let reasons = try await withThrowingTaskGroup(of: TransportError.Reason?.self) { group in
            for id in 0..<30 {
                let request = try request(row, "\(path)&id=\(id)")
                group.addTask {
                    do {
                        try await client.fetch(request: request)
                        return nil
                    } catch NetworkClient.Error.requestError(let failure) {
                        return failure.reason
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let processed = try await seen(key).filter(\.isProcessed).map(\.id)
        #expect(Set(processed).count == processed.count, "a request was processed twice")
        #expect(reasons.allSatisfy { $0 == nil || $0 == .connectionLost }, "\(reasons)")
        let done = reasons.count { $0 == nil }
        #expect(done == processed.count && done == (row.isRepeatable ? 30 : 10))
    }
}

extension NetworkClient {
    /// Sends a body in 100 portions, each after the one before has come back.
    func expectEcho(from url: URL) async throws {
        let (parts, source) = AsyncStream.makeStream(of: Data.self)
        let response = try await stream(.post(url: url).bodyStream(parts))
        var chunks = response.item.makeAsyncIterator()
        for number in 0..<100 {
            source.yield(Data("\(number)".utf8))
            let chunk = try await chunks.next()
            #expect(chunk == Data("\(number)".utf8))
        }
        source.finish()
        #expect(try await chunks.next() == nil)
    }
}
