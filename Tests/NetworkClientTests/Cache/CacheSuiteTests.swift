import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The behaviours that http-tests/cache-tests checks, on real connections.
struct CacheSuiteTests {
    @Test(.spec(259), arguments: TransportUnderTest.all, CacheRow.all)
    func aStoredResponseIsUsedAsTheRowDemands(transport: TransportUnderTest, row: CacheRow) async throws {
        try await CacheScene.play(row, on: transport)
    }

    @Test func everyRowHasItsOwnId() {
        expect(Set(CacheRow.all.map(\.testDescription)).count, CacheRow.all.count)
    }
}

/// A client with a cache and a server, which have one clock, and the row that they play.
struct CacheScene {
    private let row: CacheRow
    private let origin: CacheOrigin
    private let server: LoopbackServer
    private let client: NetworkClient
    private let transport: TransportUnderTest

    private init(_ row: CacheRow, _ transport: TransportUnderTest) throws {
        self.row = row
        self.transport = transport
        let origin = CacheOrigin(row)
        self.origin = origin
        server = try LoopbackServer { origin.script(for: $0) }
        let cache = ResponseCache()
        client = try transport.client(
            configuration: .init {
                $0.acceptedStatuses = .all
                $0.redirects = .never
                $0.time = origin.clock
                $0.cache = cache
            }
        )
    }

    /// Performs the exchanges of a row, unless the transport can't receive its responses.
    static func play(_ row: CacheRow, on transport: TransportUnderTest) async throws {
        if let limitation = row.limitation, transport.has(limitation) { return }
        let scene = try CacheScene(row, transport)
        for index in row.exchanges.indices { try await scene.perform(index) }
        let expected = row.exchanges.enumerated().flatMap { Array(repeating: "\($0 + 1)", count: $1.requestCount) }
        let numbers = scene.server.requests.map { $0.value(forHeader: "X-Request-ID") ?? "" }
        expect(numbers, expected, "requests of exchanges")
    }

    private func perform(_ index: Int) async throws {
        let exchange = row.exchanges[index]
        let context = "exchange \(index + 1)"
        let received = server.requestCount
        do {
            let response = try await client.fetch(request: try request(index)) as NetworkClient.Response<Data>
            expect(response.cacheStatus, exchange.cacheStatus, context)
            check(response, index, context)
        } catch NetworkClient.Error.requestError(let error) {
            expect(error.reason, exchange.gets == .notInCache ? .notInCache : .connectionLost, context)
            expect(nil, exchange.cacheStatus, context)
        }
        if exchange.gets == .stale {
            // A request in the background may arrive later.
            let count = received + exchange.requestCount
            try await withDeadline(seconds: 20) { [server] in try await server.waitForRequests(count: count) }
        }
        if exchange.requestCount > 0 { checkRequest(index, context) }
        origin.clock.advance(by: exchange.pause)
    }

    private func request(_ index: Int) throws -> URLRequest {
        let exchange = row.exchanges[index]
        var request = URLRequest(url: server.url(exchange.path))
        request.method = try HTTPMethod(exchange.method)
        if !["GET", "HEAD"].contains(exchange.method) { request.httpBody = Data("abc".utf8) }
        for field in CacheRow.fields(exchange.sends, at: origin.now) {
            request.add(header: .custom(name: field.name, value: field.value))
        }
        request.setValue("\(index + 1)", forHTTPHeaderField: "X-Request-ID")
        return request
    }

    private func check(_ response: NetworkClient.Response<Data>, _ index: Int, _ context: String) {
        let exchange = row.exchanges[index]
        let source = row.source(of: index)
        let isReceived = exchange.gets == .network || exchange.gets.condition != nil
        expect(response.statusCode, row.exchanges[exchange.gets == .network ? index : source].status, context)
        let isDropped = transport.has(.dropsBodiesOfRedirects) && 300..<400 ~= response.statusCode
        if exchange.method != "HEAD", response.statusCode != 204, !isDropped {
            expect(response.item, Data(CacheOrigin.body(of: source).utf8), context)
        }
        let special = CacheRow.fields(exchange.has, at: origin.now)
        var excepted = Set(special.map { $0.name.lowercased().replacingOccurrences(of: "!", with: "") })
        if !isReceived {
            expect(response["Age"].flatMap { Int($0) } != nil, true, "\(context), Age")
            excepted.insert("age")
        }
        let used = origin.responses[isReceived ? index : exchange.from - 1] ?? WireFields()
        let fields = WireFields(used.filter { !excepted.contains($0.name.lowercased()) } + special)
        for name in Set(fields.map(\.name)) {
            let isMissing = name.hasPrefix("!")
            let expected = isMissing ? nil : fields.values(for: name).joined(separator: ", ")
            expect(response[isMissing ? String(name.dropFirst()) : name], expected, "\(context), \(name)")
        }
    }

    private func checkRequest(_ index: Int, _ context: String) {
        let exchange = row.exchanges[index]
        let received = server.requests.last { $0.value(forHeader: "X-Request-ID") == "\(index + 1)" }
        for text in [exchange.sends, exchange.forwards] {
            for field in CacheRow.fields(text, at: origin.now) {
                let isMissing = field.name.hasPrefix("!")
                let value = received?.value(forHeader: isMissing ? String(field.name.dropFirst()) : field.name)
                expect(value, isMissing ? nil : field.value, "\(context), \(field.name) on the server")
            }
        }
    }
}

/// The server's part of a row.
final class CacheOrigin: Sendable {
    /// Begins with the year 2026: some rows have dates before and after it.
    let clock = TestClock(date: Date(timeIntervalSince1970: 1_767_225_600))
    private let row: CacheRow
    private let sent = Locked<[Int: WireFields]>([:])

    init(_ row: CacheRow) {
        self.row = row
    }

    var now: Date { clock.date }

    /// The fields of the last response of each exchange, by index.
    var responses: [Int: WireFields] { sent.withLock { $0 } }

    /// Returns the body of a response, which has ten bytes.
    static func body(of index: Int) -> String { "exchange \(index + 1)" }

    func script(for request: RecordedRequest) -> Script {
        let index = (Int(request.value(forHeader: "X-Request-ID") ?? "") ?? 0) - 1
        guard row.exchanges.indices.contains(index) else { return .respond(status: 500) }
        let exchange = row.exchanges[index]
        clock.advance(by: exchange.delay)
        guard !exchange.disconnects else { return .close }
        var fields = CacheRow.fields(exchange.response, at: now)
        fields.append(WireField(name: "X-Request-ID", value: "\(index + 1)"))
        let stored = responses[exchange.from - 1]
        sent.withLock { $0[index] = fields }
        // Libcurl would send a request once more over a kept connection that the server closes.
        if row.exchanges.contains(where: \.disconnects) { fields.append(WireField(name: "Connection", value: "close")) }
        if isConfirmed(request, exchange, stored) { return .respond(status: 304, headers: fields) }
        let body = exchange.status == 204 ? "" : Self.body(of: index)
        if fields["Transfer-Encoding"] != nil {
            return .chunked([body], headers: WireFields(fields.filter { $0.name != "Transfer-Encoding" }))
        }
        let length: ScriptedResponse.Length = fields["Content-Length"] == nil ? .automatic : .omitted
        return .respond(status: exchange.status, headers: fields, length: length, body: body)
    }

    private func isConfirmed(_ request: RecordedRequest, _ exchange: CacheExchange, _ stored: WireFields?) -> Bool {
        if exchange.confirms { return request.value(forHeader: "If-None-Match") != nil }
        guard let condition = exchange.gets.condition else { return false }
        let value = request.value(forHeader: condition.field)
        return value != nil && value == stored?[condition.validator]
    }
}
