import Foundation
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
        #expect(error?.description.contains("'[1].firstName'") == true)
        expect(try await iterator.next(), nil)
        let told = Recorder<NetworkClient.Error>()
        let other = try await client.stream(.get(path: "/")).item
        let items = try await values(other.values(of: Item.self, malformed: .skipping { told.record($0) }))
        expect(items.map(\.firstName), [1, 4])
        expect(told.values.count, 2)
        #expect(told.values.last?.description.contains("The value at '[2]' is not valid JSON") == true)
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

    @Test(.spec(225)) func theDataOfAnEventIsDecodedAlone() throws {
        let event = ServerSentEvent(data: "{\"firstName\":1}")
        expect(try event.value(of: Item.self), Item(firstName: 1))
        #expect(throws: DecodingError.self) { try ServerSentEvent(data: "x").value(of: Item.self) }
    }

    @Test(.spec(225)) func aLineHasALimit() async throws {
        transport.on(.get("/"), .chunks(Array(repeating: Data(repeating: 0x31, count: 1 << 20), count: 18)))
        let body = try await client.stream(.get(path: "/")).item
        let error = await #expect(throws: NetworkClient.Error.self) { try await values(body.values(of: Int.self)) }
        expect(error?.transportReason, .bodyTooLarge)
    }
}
