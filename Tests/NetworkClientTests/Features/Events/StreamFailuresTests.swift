import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Errors that a server sends inside a stream, and ends that do not come.
struct StreamFailuresTests {
    /// Has only optional members, so that an error would be an empty value.
    private struct Item: Decodable, Equatable, Sendable {
        var n: Int?
    }

    private struct Details: Decodable {
        struct Inner: Decodable {
            var message: String
        }

        var error: Inner
    }

    private let transport = StubTransport(time: TestClock(advancesItself: true))
    private let reports = Recorder<CallReport>()

    private func client(mapper: ResponseErrorMapper = .default) -> NetworkClient {
        NetworkClient(
            transport: transport,
            logging: .off,
            apiErrorMapper: mapper,
            configuration: .init(
                baseURL: url("https://h/"),
                time: TestClock(advancesItself: true),
                observer: { [reports] in reports.record($0) }
            )
        )
    }

    private static func body(_ blocks: [String]) -> StubTransport.Response {
        .data(Data((blocks.joined(separator: "\n\n") + "\n\n").utf8), type: .eventStream)
    }

    private static func n(_ number: Int) -> String { "data: {\"n\":\(number)}" }

    /// The values, and the error after them; nil for an end.
    private func read<Values: AsyncSequence>(
        _ values: Values
    ) async -> (values: [Values.Element], error: (any Error)?) where Values.Element: Sendable {
        var all: [Values.Element] = []
        do {
            for try await value in values { all.append(value) }
            return (all, nil)
        } catch {
            return (all, error)
        }
    }

    private static let secret = "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"s3cret\"}}"

    private static let forms: [(block: String, words: String)] = [
        ("event: error\ndata: \(secret)", "the error overloaded_error in an event 'error'"),
        ("data: \(secret)", "the error overloaded_error"),
        ("data: {\"id\":\"s3cret\",\"a\":{\"b\":[1]},\"error\":{\"code\":529}}", "the error 529"),
        ("data: {\"error\":{\"type\":\"a s3cret text\",\"code\":\"rate_limit\"}}", "the error rate_limit"),
        ("data: {\"\\u0065rror\":\"s3cret\"}", "an error"),
        ("data: {\"a\":null, \"error\" : {\"message\":\"s3cret", "an error"), ("data: {\"error\":", "an error"),
        ("data: {\"error\":{\"code\":\"s3cretSplxlOBeZQQ\"}}", "an error"),
        ("data: {\"error\":{\"code\":482913}}", "an error"),
        ("event: error\ndata: s3cret", "an error in an event 'error'"),
        ("event: error\ndata:", "an error in an event 'error'"), ("event: error", "an error in an event 'error'"),
        ("event: s3cret of a person\ndata: {\"error\":1}", "an error"),
        ("data: {\"error\":1,\"a\":\"\(String(repeating: "x", count: 70_000))\"}", "an error"),
    ]

    @Test(.spec(252), arguments: forms, 0...2)
    func anErrorEndsTheValuesAfterThoseBeforeItAndIsSkippedByNobody(
        form: (block: String, words: String),
        place: Int
    ) async throws {
        var blocks = [Self.n(1), Self.n(2)]
        blocks.insert(form.block, at: place)
        transport.on(.any, Self.body(blocks), .status(204))
        let told = Recorder<NetworkClient.Error>()
        let stream = try client().events(.get(path: "feed"))
        let result = await read(
            stream.values(of: Item.self, until: "[DONE]", failing: .member("error"), malformed: .skipping(told.record))
        )
        expect(result.values.map(\.n), Array([1, 2].prefix(place)))
        let error = try #require(result.error as? EventStreamError)
        let count = ["0 values", "1 value", "2 values"][place]
        let text = "The stream from 'https://h/feed' failed: the server sent \(form.words), after \(count)."
        expect([error.description, error.localizedDescription], [text, text])
        expect(error.response?.statusCode, 200)
        #expect(form.block.hasSuffix(error.event.data))
        expect(told.count, 0)
        // Not sent again, although it is a GET.
        expect(transport.requests.count, 1)
        let report = try #require(reports.values.first)
        #expect(report.error is EventStreamError)
        let events = place == 0 ? "1 event" : "\(place + 1) events"
        expect("\(report.journey)", contains: "decision: EventStream: ended after \(events)")
        expect("\(report) \(error)", lacks: "s3cret")
    }

    @Test(.spec(252)) func anErrorIsDecodedWithTheDecoderOfTheCall() async throws {
        transport.on(.any, Self.body(["event: error\ndata: \(Self.secret)"]))
        let values = try client().events(.post(path: "chat").noBody()).values(of: Item.self)
        let error = try #require(await read(values).error as? EventStreamError)
        expect(try error.decoded(as: Details.self).error.message, "s3cret")
        #expect(throws: DecodingError.self) { try error.decoded(as: [Int].self) }
    }

    /// What is no error, for each rule.
    @Test(.spec(252))
    func anEventIsAnErrorByTheRuleOfTheCallOnly() async throws {
        let blocks = [
            "data: {\"n\":1,\"error\":null}", "data: {\"a\":{\"error\":1},\"b\":[{\"error\":2}],\"n\":2}",
            "data: {\"a\":\"error\",\"b\":\"\\\"error\\\":1\",\"n\":3}", "event: failed\ndata: {\"n\":4}",
        ]
        transport.on(.any, Self.body(blocks + ["event: error\ndata: {\"n\":5}"]))
        let all: [Int?] = [1, 2, 3, 4, 5]
        let cases: [(StreamFailures, Int)] = [
            (.none, 5), (.standard, 4), (.member("error"), 4), (StreamFailures { $0.type == "failed" }, 3),
        ]
        for (failing, count) in cases {
            let stream = try client().events(.get(path: "feed"), reconnecting: .never)
            let result = await read(stream.values(of: Item.self, failing: failing))
            expect(result.values.map(\.n), Array(all.prefix(count)))
            expect(result.error is EventStreamError, count < 5)
        }
        let raw = await read(try client().events(.get(path: "feed"), reconnecting: .never))
        expect(raw.values.map(\.type), ["message", "message", "message", "failed", "error"])
        #expect(raw.error == nil)
    }

    @Test(.spec(252)) func anErrorTakesPrecedenceOverTheEndInTheSameEvent() async throws {
        transport.on(.any, Self.body([Self.n(1), "event: done\ndata: {\"error\":{\"code\":503}}"]))
        let stream = try client().events(.get(path: "feed"))
        let result = await read(stream.values(of: Item.self, until: .event("done"), failing: .member("error")))
        expect(result.values.map(\.n), [1])
        #expect(result.error is EventStreamError)
        #expect(!StreamFailures.member("error").contains(StreamPart(Data("{\"error\":nu".utf8))))
    }

    /// The last line has no line break, and the length of the body is not known.
    @Test(.spec(237)) func linesThatWereReadToTheEndAreNoCancellation() async throws {
        transport.on(.any, .chunks([Data("{\"n\":1}\n\n{\"n\":2}".utf8)], every: 0, type: .ndjson))
        let lines = try await client().stream(.get(path: "lines")).item
        var iterator = lines.values(of: Item.self, failing: StreamFailures { $0.data.isEmpty }).makeAsyncIterator()
        expect([try await iterator.next()?.n, try await iterator.next()?.n], [1, 2])
        iterator = lines.values(of: Item.self).makeAsyncIterator()
        expect(reports.values.map { $0.error == nil }, [true])
    }

    @Test(.spec(252)) func linesAndEventsOfABodyHaveErrorsToo() async throws {
        transport.on(.get("/lines"), .text("{\"n\":1}\n{\"error\":\"model is unloaded\"}\n{\"n\":2}"))
        transport.on(.get("/events"), Self.body([Self.n(1), "event: error\ndata: {}"]))
        let client = client()
        let lines = try await client.stream(.get(path: "lines")).item
        let read1 = await read(lines.values(of: Item.self, failing: .member("error")))
        expect(read1.values.map(\.n), [1])
        expect((read1.error as? EventStreamError)?.event.data, "{\"error\":\"model is unloaded\"}")
        let events = try await client.stream(.get(path: "events")).item.events
        let read2 = await read(events.values(of: Item.self))
        expect(read2.values.map(\.n), [1])
        #expect(read2.error is EventStreamError)
        #expect(reports.values.allSatisfy { $0.error is EventStreamError && $0.response?.statusCode == 200 })
        expect(reports.count, 2)
    }

    private struct Overloaded: Error {}

    @Test(.spec(252)) func aMapperReplacesAnErrorOrLeavesIt() async throws {
        transport.on(.any, Self.body(["event: error\ndata: \(Self.secret)"]))
        let mapper = ResponseErrorMapper { info in
            guard String(decoding: info.data, as: UTF8.self).contains("overloaded") else { return info.error }
            return Overloaded()
        }
        let mapped = try client(mapper: mapper).events(.post(path: "chat").noBody()).values(of: Item.self)
        #expect(await read(mapped).error is Overloaded)
        let other = try client(mapper: [529: Overloaded()]).events(.post(path: "chat").noBody()).values(of: Item.self)
        #expect(await read(other).error is EventStreamError)
    }

    /// A stream over several connections, each complete or cut.
    @Test(.spec(253), arguments: ["GET", "POST"], [true, false])
    func aStreamWithoutItsEndIsAnErrorAfterTheLastConnection(method: String, isCut: Bool) async throws {
        let end: StreamEnd = isCut ? "[DONE]" : .event("stop")
        let events = [1, 2, 3].map { ServerSentEvent(data: "{\"n\":\($0)}", id: "\($0)") }
        let last = [ServerSentEvent(data: "{\"n\":4}"), ServerSentEvent(type: "stop", data: "[DONE]")]
        let first = StubTransport.Response.events(events)
        transport.on(.any, isCut ? first.cut(after: 2) : first, .events(last))
        var request = URLRequest(url: url("https://h/"))
        request.httpMethod = method
        let result = await read(client().events(request).values(of: Item.self, until: end))
        let count = isCut ? 2 : 3
        let error = (result.error as? NetworkClient.Error)
        guard method == "POST" else {
            expect(result.values.map(\.n), Array([1, 2, 3].prefix(count)) + [4])
            expect(error, nil)
            return expect(reports.values.last?.error == nil, true)
        }
        expect(result.values.map(\.n), Array([1, 2, 3].prefix(count)))
        expect(error?.transportReason, isCut ? .connectionLost : .endedEarly)
        expect((reports.values.first?.error as? NetworkClient.Error)?.transportReason, error?.transportReason)
        expect("\(reports.values.map(\.journey))", contains: "EventStream: ended after \(count) events")
        expect(transport.requests.count, 1)
    }

    /// Without an id, another connection would give the values once more.
    @Test(.spec(290), arguments: [true, false])
    func aGetWithoutIDsIsNotReadOnceMoreAfterAValue(isCut: Bool) async throws {
        let events = [1, 2].map { ServerSentEvent(data: "{\"n\":\($0)}") }
        let first = StubTransport.Response.events(events)
        transport.on(.any, .events([]), isCut ? first.cut(after: 2) : first)
        let stream = client().events(URLRequest(url: url("https://h/")))
        let result = await read(stream.values(of: Item.self, until: "[DONE]"))
        expect(result.values.map(\.n), [1, 2])
        let error = result.error as? NetworkClient.Error
        expect(error?.transportReason, .endedEarly)
        expect(error.map { "\($0)" } ?? "", contains: "has ended without '[DONE]', after 2 values.")
        let underlying = error?.transportError?.underlying as? TransportError
        expect(underlying?.reason, isCut ? .connectionLost : nil)
        let failure = error?.journey?.steps.first { $0.kind == .failure }?.detail
        expect(failure, isCut ? "connectionLost" : "endedEarly")
        expect(transport.requests.count, 2)
    }

    @Test(.spec(253)) func theErrorOfAMissingEndNamesTheEndAndTheValues() async throws {
        transport.on(.get("/feed"), .events([ServerSentEvent(data: "{\"n\":1}")]), .events([]))
        transport.on(.get("/lines"), .text("{\"n\":1}\n{\"text\":\"[DONE]\"}\n"))
        let client = client()
        var reconnection = Reconnection.standard
        reconnection.maximumAttempts = 2
        let stream = try client.events(.get(path: "feed"), reconnecting: reconnection)
        var iterator = stream.values(of: Item.self, until: .event("stop")).makeAsyncIterator()
        expect(try await iterator.next()?.n, 1)
        let error = await #expect(throws: NetworkClient.Error.self) { try await iterator.next() }
        let start = "The request to 'https://h/feed' failed: the stream has ended without"
        expect(error?.description, "\(start) an event 'stop', after 1 value.")
        expect(try await iterator.next(), nil)
        expect(reports.values.map { $0.error == nil }, [false])
        let lines = try await client.stream(.get(path: "lines")).item.values(of: Item.self, until: "[DONE]")
        let result = await read(lines)
        expect(result.values.map(\.n), [1, nil])
        #expect("\(result.error.map { "\($0)" } ?? "")".hasSuffix("has ended without '[DONE]', after 2 values."))
        expect((reports.values.last?.error as? NetworkClient.Error)?.transportReason, .endedEarly)
        var optional = StreamEnd.data("[DONE]")
        optional.isRequired = false
        let other = try client.events(.get(path: "feed"), reconnecting: .never)
        #expect(await read(other.values(of: Item.self, until: optional)).error == nil)
    }

    @Test(.spec(254)) func eventsOfOtherTypesAreNotDecoded() async throws {
        let blocks = [
            "event: ping\ndata: nonsense", "event: delta\ndata: {\"n\":1}", Self.n(7), "event: delta\ndata: {\"n\":2}",
            "event: delta\ndata: {\"n\":\"x\"}", "event: stop\ndata: nonsense", "event: delta\ndata: {\"n\":3}",
        ]
        transport.on(.any, Self.body(blocks))
        let told = Recorder<NetworkClient.Error>()
        let values = { (malformed: MalformedValue) in
            try client().events(.get(path: "feed"), reconnecting: .never)
                .values(of: Item.self, in: ["delta"], until: .event("stop"), malformed: malformed)
        }
        let skipped = await read(try values(.skipping(told.record)))
        expect(skipped.values.map(\.n), [1, 2])
        #expect(skipped.error == nil)
        expect(told.count, 1)
        expect(told.values.first?.description, contains: "'[2].n'")
        expect((await read(try values(.throwing)).error as? NetworkClient.Error)?.isDecodingFailure, true)
        // An end without data counts, too.
        let bare = StubTransport()
        bare.on(.any, Self.body([Self.n(1), "event: stop"]))
        let stream = NetworkClient(transport: bare, logging: .off)
            .events(URLRequest(url: url("https://h/")), reconnecting: .never)
        expect(await read(stream.values(of: Item.self, until: .event("stop"))).values.map(\.n), [1])
    }
}
