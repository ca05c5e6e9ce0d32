import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct JSONValuesTests {
    private struct Item: Decodable, Equatable, Sendable {
        var firstName: Int
    }

    private let transport = StubTransport()

    private var client: NetworkClient {
        NetworkClient(
            transport: transport,
            decoder: DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase),
            logging: .off,
            configuration: .init(baseURL: url("https://h/"))
        )
    }

    private func values<Values: AsyncSequence>(_ values: Values) async throws -> [Values.Element] {
        var all: [Values.Element] = []
        for try await value in values { all.append(value) }
        return all
    }

    @Test(.spec(225)) func eachLineIsAValueHoweverTheBodyIsCut() async throws {
        let text = "\u{FEFF}{\"first_name\":1}\r\n\n \r\n{\"first_name\": \r 2}\n{\"first_name\":3}"
        for length in [1, 2, 5, 100] {
            let bytes = Data(text.utf8)
            let cuts = stride(from: 0, to: bytes.count, by: length).map { Data(bytes.dropFirst($0).prefix(length)) }
            transport.on(.get("/\(length)"), .chunks(cuts, type: MediaType("application/jsonl")))
            let response = try await client.stream(.get(path: "\(length)"))
            expect(try await values(response.item.values(of: Item.self)).map(\.firstName), [1, 2, 3])
        }
    }

    @Test(.spec(225)) func aBadValueIsAnErrorWithItsIndexOrIsSkippedAndTold() async throws {
        transport.on(.get("/"), .text("{\"first_name\":1}\n{\"first_name\":\"x\"}\nnonsense\n{\"first_name\":4}\n"))
        let body = try await client.stream(.get(path: "/")).item
        var iterator = body.values(of: Item.self).makeAsyncIterator()
        expect(try await iterator.next(), Item(firstName: 1))
        let error = await #expect(throws: NetworkClient.Error.self) { try await iterator.next() }
        expect(error?.description, contains: "'[1].firstName'")
        expect(try await iterator.next(), nil)
        let told = Recorder<NetworkClient.Error>()
        let other = try await client.stream(.get(path: "/")).item
        let items = try await values(other.values(of: Item.self, malformed: .skipping { told.record($0) }))
        expect(items.map(\.firstName), [1, 4])
        expect(told.values.count, 2)
        expect(told.values.last?.description, contains: "the value at '[2]' is not valid JSON")
    }

    /// A value whose initialiser throws a custom error.
    private struct Odd: Decodable, Sendable {
        struct Refusal: Error {}

        let number: Int

        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            if number % 2 == 0 { throw Refusal() }
        }
    }

    @Test(.spec(225)) func anErrorOfAnInitialiserIsOneOfItsValue() async throws {
        transport.on(.get("/"), .text("1\n2\n3\n"))
        let told = Recorder<NetworkClient.Error>()
        let body = try await client.stream(.get(path: "/")).item
        let values = try await values(body.values(of: Odd.self, malformed: .skipping { told.record($0) }))
        expect(values.map(\.number), [1, 3])
        #expect(told.values.first?.underlyingError is Odd.Refusal)
    }

    @Test(.spec(225)) func aStopWordEndsTheValuesOfAStream() async throws {
        let events = ["{\"first_name\":1}", "{\"first_name\":2}", "[DONE]", "{\"first_name\":3}"].map {
            ServerSentEvent(data: $0)
        }
        transport.on(.post("/chat"), .events(events))
        let stream = try client.events(.post(path: "chat").noBody())
        expect(try await values(stream.values(of: Item.self, until: "[DONE]")).map(\.firstName), [1, 2])
        let response = try await client.stream(.post(path: "chat").noBody())
        expect(try await values(response.item.events.values(of: Item.self, until: "[DONE]")).map(\.firstName), [1, 2])
        expect(client.calls.count, 0)
        expect(transport.requests.count, 2)
    }

    /// How a reader leaves a stream, and the error in its report; nil for a success.
    @Test(
        .spec(237),
        arguments: [
            ("a page", "the response is text/plain, not an event stream"),
            ("a long event", "an event is longer than the eventLimit of 1048576 bytes"),
            ("a long line", "a line of the body is longer than 16777216 bytes"),
            ("a malformed value", "'[1].firstName'"),
            ("the stop word of a stream", nil), ("the stop word of events", nil), ("the stop word of lines", nil),
        ]
    )
    func aReportHasTheErrorThatTheReaderGot(end: String, text: String?) async throws {
        let reports = Recorder<CallReport>()
        let client = NetworkClient(
            transport: transport,
            decoder: DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase),
            configuration: .init(baseURL: url("https://h/"), observer: { reports.record($0) })
        )
        let items = ["{\"first_name\":1}", "{\"first_name\":\"x\"}", "[DONE]", "{\"first_name\":3}"]
        transport.on(.get("/page"), .text("sign in"))
        transport.on(.get("/long"), .events([ServerSentEvent(data: String(repeating: "x", count: 2 << 20))]))
        transport.on(.get("/line"), .chunks(Array(repeating: Data(repeating: 0x31, count: 1 << 20), count: 18)))
        transport.on(.get("/feed"), .events(items.map { ServerSentEvent(data: $0) }))
        transport.on(.get("/lines"), .text(items.joined(separator: "\n")))
        func read<Values: AsyncSequence>(_ values: Values) async throws { for try await _ in values {} }
        func lines(_ path: RequestPath) async throws -> ResponseBody { try await client.stream(.get(path: path)).item }
        do {
            switch end {
            case "a page": try await read(client.events(.get(path: "page")))
            case "a long event": try await read(client.events(.get(path: "long")))
            case "a long line": try await read(lines("line").lines)
            case "a malformed value": try await read(client.events(.get(path: "feed")).values(of: Item.self))
            case "the stop word of a stream":
                let stream = try client.events(.get(path: "feed"))
                try await read(stream.values(of: Item.self, until: "[DONE]", malformed: .skipping()))
            case "the stop word of events":
                let events = try await lines("feed").events
                try await read(events.values(of: Item.self, until: "[DONE]", malformed: .skipping()))
            default: try await read(lines("lines").values(of: Item.self, until: "[DONE]", malformed: .skipping()))
            }
            expect(text, nil)
        } catch {
            expect(text.map { "\(error)".contains($0) }, true, "\(error)")
        }
        #expect(reports.count == 1 && reports.values.allSatisfy { !$0.isCancelled })
        let reported = reports.values.first?.error.map { "\($0)" }
        #expect(text.map { reported?.contains($0) == true } ?? (reported == nil), "\(reported ?? "")")
    }

    @Test(.spec(225)) func theDataOfAnEventIsDecodedAlone() throws {
        let event = ServerSentEvent(data: "{\"firstName\":1}")
        expect(try event.decoded(as: Item.self), Item(firstName: 1))
        #expect(throws: DecodingError.self) { try ServerSentEvent(data: "x").decoded(as: Item.self) }
    }

    @Test(.spec(225)) func aLineOfAStreamOfJSONValuesHasALimit() async throws {
        transport.on(.get("/"), .chunks(Array(repeating: Data(repeating: 0x31, count: 1 << 20), count: 18)))
        let body = try await client.stream(.get(path: "/")).item
        let error = await #expect(throws: NetworkClient.Error.self) { try await values(body.values(of: Int.self)) }
        expect(error?.transportReason, .bodyTooLarge)
    }
}
