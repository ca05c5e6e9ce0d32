import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct LossyArrayTests {
    private struct Post: Codable, Hashable, Sendable {
        var title: String
    }

    private struct Feed: Codable, Equatable, Sendable {
        var posts: LossyArray<Post>
    }

    /// A decoder that stays at every element that it is asked for, and never reaches the end.
    private struct StuckDecoder: Swift.Decoder, UnkeyedDecodingContainer {
        struct Stuck: Error {}
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }
        var count: Int? { nil }
        var isAtEnd: Bool { false }
        var currentIndex: Int { 0 }
        func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> { throw Stuck() }
        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
        func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Stuck() }
        func decodeNil() throws -> Bool { throw Stuck() }
        func decode<T: Decodable>(_ type: T.Type) throws -> T { throw Stuck() }
        func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            throw Stuck()
        }
        func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
        func superDecoder() throws -> any Swift.Decoder { self }
    }

    private func decode<T: Decodable>(_ text: String, as type: T.Type = T.self) throws -> T {
        try DefaultDecoder().decode(data: Data(text.utf8))
    }

    @Test(.spec(79, 83)) func elementsThatCannotBeDecodedAreRecorded() throws {
        let feed: Feed = try decode(#"{"posts":[{"title":"a"},{"name":"b"},null]}"#)
        expect(feed.posts.elements, [Post(title: "a")])
        expect(feed.posts.drops.map(\.index), [1, 2])
        expect(feed.posts.dropCount, 2)
        expect(
            feed.posts.drops.map(\.description),
            [
                "[1]: The value at 'posts[1].title' is missing.",
                "[2]: The value at 'posts[2]' is missing or null where an object is expected.",
            ]
        )
        #expect(feed.posts.drops.allSatisfy { $0.error is DecodingError })
    }

    @Test(.spec(79)) func aLossyArrayMayBeTheWholeBody() throws {
        let posts: LossyArray<Post> = try decode(#"[5,{"title":"a"},[],{"title":"b"}]"#)
        expect(posts.map(\.title), ["a", "b"])
        expect(posts.drops.map(\.index), [0, 2])
        let numbers: LossyArray<LossyArray<Int>> = try decode(#"[[1,"x"],2,[3]]"#)
        expect(numbers, [[1], [3]])
        expect(numbers.first?.dropCount, 1)
    }

    @Test(.spec(79)) func typesThatTheDecoderTreatsSpeciallyAreDecodedAsUsual() throws {
        expect(try decode(#"["2024-01-02","x"]"#, as: LossyArray<Date>.self).count, 1)
        expect(try decode(#"["https://h/a",5]"#, as: LossyArray<URL>.self), [url("https://h/a")])
        expect(try decode(#"["aGk=",5]"#, as: LossyArray<Data>.self), [Data("hi".utf8)])
        expect(try decode("[1,null,2]", as: LossyArray<Int?>.self), [1, nil, 2])
        expect(try decode(#"[1,null,"x"]"#, as: LossyArray<Int?>.self).dropCount, 1)
        expect(try Set(decode(#"["a",1,"a"]"#, as: LossyArray<String>.self)), ["a"])
    }

    @Test(.spec(79), arguments: ["{}", "5", "null", "", "[1"]) func aBodyThatIsNotAnArrayIsAnError(json: String) {
        #expect(throws: DecodingError.self) { try decode(json, as: LossyArray<Int>.self) }
    }

    @Test(.spec(79)) func aLossyArrayIsACollectionOfItsElements() throws {
        var posts: LossyArray<Int> = try decode(#"[3,"x",1,2]"#)
        expect(posts.count, 3)
        expect(posts.first, 3)
        expect(posts.last, 2)
        expect(Array(posts), [3, 1, 2])
        expect(posts.sorted(), [1, 2, 3])
        expect(posts[1...].map { $0 }, [1, 2])
        expect(posts, [3, 1, 2])
        expect(posts.hashValue, LossyArray([3, 1, 2]).hashValue)
        expect("\(posts)", "[3, 1, 2]")
        posts[0] = 9
        posts.elements.append(4)
        expect(posts, [9, 1, 2, 4])
        #expect(LossyArray<Int>().isEmpty)
    }

    @Test(.spec(79)) func aLossyArrayIsEncodedAsItsElements() throws {
        let feed: Feed = try decode(#"{"posts":[{"title":"a"},7]}"#)
        expect(try DefaultJsonEncoder().encode(feed), Data(#"{"posts":[{"title":"a"}]}"#.utf8))
        expect(try decode(#"{"posts":[{"title":"a"}]}"#), feed)
    }

    @Test(.spec(79)) func theRecordOfDropsIsBounded() throws {
        let json = "[" + Array(repeating: "null", count: 20_000).joined(separator: ",") + ",1]"
        let numbers: LossyArray<Int> = try decode(json)
        expect(numbers, [1])
        expect(numbers.dropCount, 20_000)
        expect(numbers.drops.map(\.index), Array(0..<1000))
    }

    @Test(.spec(79)) func aDecoderThatStaysAtAnElementIsAnErrorInsteadOfAnEndlessLoop() {
        #expect(throws: StuckDecoder.Stuck.self) { try LossyArray<Int>(from: StuckDecoder()) }
    }

    @Test(.spec(79, 94)) func theTextOfADropHoldsNoValue() throws {
        struct Card: Decodable {
            init(from decoder: any Swift.Decoder) throws {
                throw MediaTypeError(text: try decoder.singleValueContainer().decode(String.self), reason: .essence)
            }
        }
        let cards: LossyArray<Card> = try decode(#"["secret"]"#)
        expect(cards.drops.map(\.description), ["[0]: The value has a form that its type does not accept."])
        #expect(cards.drops.first?.error is MediaTypeError)
    }

    @Test(.spec(79), arguments: TransportUnderTest.all)
    func fetchKeepsTheElementsThatCanBeDecoded(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .json(#"{"posts":[{"title":"a"},{},null]}"#) }
        let client = try transport.client(decoder: .default.unwrapping("posts"))
        let request = URLRequest(url: server.url)
        let posts: NetworkClient.Response<LossyArray<Post>> = try await client.fetch(request: request)
        expect(posts.item, [Post(title: "a")])
        expect(posts.item.drops.map(\.index), [1, 2])
    }
}
