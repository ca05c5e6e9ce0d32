import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Pairs of requests that share an exchange, and pairs that do not.
struct SharingOnTheWireTests {
    typealias Change = @Sendable (inout URLRequest) -> Void

    /// Sends two requests that opted in at the same time, and returns how many exchanges the server saw.
    private func exchanges(
        _ one: @escaping Change,
        _ other: @escaping Change,
        expecting count: Int,
        hash: String? = nil,
        on transport: TransportUnderTest
    ) async throws -> Int {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .json("1")] }
        let client = try transport.client()
        let calls = [one, other].map { change in
            var request = URLRequest(url: server.url("/items"))
            change(&request)
            return Task { [request] in
                try await client.fetch(request: request.withInstanceCaching(customHash: hash))
            }
        }
        try await withDeadline("\(count) exchanges") {
            try await server.waitForHeads(count: count)
            // A request with a stream is never shared, so it has no waiter.
            let isStreamed = count == 2 && client.sharing.waiterCount == 0
            while !isStreamed, client.sharing.waiterCount < 2 { await Task.yield() }
        }
        gate.open()
        for call in calls { _ = try await call.value }
        #expect(client.sharing.exchangeCount == 0)
        return server.requestCount
    }

    private static func setting(_ name: String, _ value: String) -> Change {
        { $0.set(header: .custom(name: name, value: value)) }
    }

    private static func place(_ suffix: String, user: String = "") -> Change {
        { request in
            let text = request.url?.absoluteString.replacingOccurrences(of: "://", with: "://\(user)") ?? ""
            request.url = url(text + suffix)
        }
    }

    private static func body(_ text: String, method: HTTPMethod = .post) -> Change {
        { request in
            request.method = method
            request.httpBody = Data(text.utf8)
        }
    }

    private static let streamed: Change = { request in
        request.method = .put
        request.httpBodyStream = InputStream(data: Data("1".utf8))
    }

    private static let tracing = ["traceparent", "tracestate", "baggage", "b3", "X-B3-TraceId", "X-Request-ID"]

    @Test(.spec(115, 118), arguments: TransportUnderTest.all, tracing)
    func requestsThatDifferOnlyInTracingShareAnExchange(transport: TransportUnderTest, name: String) async throws {
        let count = try await exchanges(Self.setting(name, "1"), Self.setting(name, "2"), expecting: 1, on: transport)
        #expect(count == 1)
    }

    @Test(.spec(115, 118), arguments: TransportUnderTest.all)
    func equalRequestsShareAnExchange(transport: TransportUnderTest) async throws {
        let change: Change = { request in
            Self.body("{}")(&request)
            request.set(header: .authorisation(auth: "t"))
        }
        let other: Change = { request in
            Self.body("{}")(&request)
            request.set(header: .custom(name: "AUTHORIZATION", value: "t"))
        }
        #expect(try await exchanges(change, other, expecting: 1, hash: "same", on: transport) == 1)
    }

    @Test(
        .spec(118),
        arguments: TransportUnderTest.all,
        ["Authorization", "Accept", "Accept-Language", "Range", "Cookie", "X-Tenant"]
    )
    func requestsThatDifferInAHeaderFieldShareNoExchange(transport: TransportUnderTest, name: String) async throws {
        let (one, other) = (Self.setting(name, "bytes=0-1"), Self.setting(name, "bytes=0-2"))
        #expect(try await exchanges(one, other, expecting: 2, hash: "same", on: transport) == 2)
        #expect(try await exchanges(one, { _ in }, expecting: 2, hash: "same", on: transport) == 2)
    }

    @Test(.spec(118, 119, 120), arguments: TransportUnderTest.all)
    func requestsThatDifferInMethodOrBodyShareNoExchange(transport: TransportUnderTest) async throws {
        let head: Change = { $0.method = .head }
        #expect(try await exchanges(head, { _ in }, expecting: 2, hash: "same", on: transport) == 2)
        #expect(try await exchanges(Self.body("1"), Self.body("2"), expecting: 2, hash: "same", on: transport) == 2)
        let put = Self.body("1", method: .put)
        #expect(try await exchanges(Self.body("1"), put, expecting: 2, hash: "same", on: transport) == 2)
        #expect(try await exchanges(Self.streamed, Self.streamed, expecting: 2, hash: "same", on: transport) == 2)
    }

    @Test(
        .spec(118, 119, 120),
        arguments: TransportUnderTest.all,
        [
            ("?a=1&a=2", "?a=2&a=1"), ("?a=1%26b%3D2", "?a=1&b=2"), ("?a=%7e", "?a=~"), ("/x", "/X"), ("", "?"),
            ("/%7e", "/%7E"),
        ]
    )
    func requestsThatDifferInAByteOfTheURLShareNoExchange(
        transport: TransportUnderTest,
        places: (one: String, other: String)
    ) async throws {
        let (one, other) = (Self.place(places.one), Self.place(places.other))
        #expect(try await exchanges(one, other, expecting: 2, hash: "same", on: transport) == 2)
    }

    @Test(.spec(119), arguments: TransportUnderTest.all)
    func requestsOfTwoUsersShareNoExchange(transport: TransportUnderTest) async throws {
        let (one, other) = (Self.place("", user: "u1@"), Self.place("", user: "u2@"))
        #expect(try await exchanges(one, other, expecting: 2, hash: "same", on: transport) == 2)
    }

    @Test(.spec(116), arguments: TransportUnderTest.all)
    func everyCallerGetsTheErrorOfALostConnectionAndLaterCallsSendAgain(transport: TransportUnderTest) async throws {
        let gate = Gate()
        let server = try LoopbackServer { request in request.connection == 0 ? [.wait(gate), .reset] : .json("1") }
        let client = try transport.client()
        let request = URLRequest(url: server.url).withInstanceCaching()
        let calls = (0..<3).map { _ in Task { try await client.fetch(request: request) } }
        while client.sharing.waiterCount < 3 { await Task.yield() }
        gate.open()
        for call in calls {
            await #expect { try await call.value } throws: { error in
                guard case NetworkClient.Error.requestError(let type) = error else { return false }
                return type.reason == .connectionLost
            }
        }
        #expect(server.requestCount == 1)
        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
        #expect(response.item == 1)
        #expect(server.requestCount == 2)
    }

    private static let spellings: [@Sendable (String) -> String] = [
        { $0 }, { $0.lowercased() }, { $0.uppercased() },
    ]

    @Test(.spec(121), arguments: TransportUnderTest.all, spellings)
    func theOptInIsNotSentInAnyLetterCase(
        transport: TransportUnderTest,
        change: @Sendable (String) -> String
    ) async throws {
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: 307), "/b": .respond()])
        let marked = URLRequest(url: server.url("/a")).withInstanceCaching(customHash: "the-hash")
        var request = URLRequest(url: server.url("/a"))
        let fields = (marked.allHTTPHeaderFields ?? [:]).map { (change($0.key), $0.value) }
        #expect(fields.count == 2)
        request.allHTTPHeaderFields = Dictionary(uniqueKeysWithValues: fields)
        try await transport.client().fetch(request: request)
        #expect(server.requestCount == 2)
        for received in server.requests {
            let head = received.headText.lowercased()
            for field in fields { #expect(!head.contains(field.0.lowercased())) }
            #expect(!head.contains("the-hash"))
        }
    }

    @Test(.spec(153)) func aCallWithItsOwnLoggerHasItsOwnExchange() async throws {
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate), .respond()] }
        let client = try TransportUnderTest.all[0].client()
        let request = URLRequest(url: server.url).withInstanceCaching()
        let stream = RecordingStream()
        let options = CallOptions(logging: .default(logLevel: .status, logStream: stream))
        async let first = client.fetch(request: request)
        async let second = client.fetch(request: request, options: options)
        try await server.waitForHeads(count: 2)
        gate.open()
        _ = try await (first, second)
        #expect(stream.messages.count == 1)
    }
}
