import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import JSONDecoding
@testable import NetworkClient

struct EitherTests {
    private struct User: Codable, Hashable, Sendable {
        var name: String
    }

    private struct Legacy: Codable, Hashable, Sendable {
        var login: String
    }

    private func decode<T: Decodable>(_ text: String, as type: T.Type = T.self) throws -> T {
        try DefaultDecoder().decode(data: Data(text.utf8))
    }

    @Test(.spec(80)) func theFirstTypeThatMatchesIsTheValue() throws {
        #expect(try decode(#"{"name":"a"}"#) == Either<User, Legacy>.first(User(name: "a")))
        #expect(try decode(#"{"login":"b"}"#) == Either<User, Legacy>.second(Legacy(login: "b")))
        #expect(try decode(#"{"name":"a","login":"b"}"#) == Either<User, Legacy>.first(User(name: "a")))
        expect(try decode(#"[1,"a",2]"#), [.first(1), .second("a"), .first(2)] as [Either<Int, String>])
        expect(try decode(#"["2024-01-02"]"#, as: [Either<Int, Date>].self).count, 1)
    }

    @Test(.spec(80, 83)) func theErrorIsThatOfTheFirstTypeIfNoneMatches() {
        let error = #expect(throws: DecodingError.self) {
            try decode(#"[{"name":5}]"#, as: [Either<User, Either<Legacy, Int>>].self)
        }
        let sentence = "The value at '[0].name' is not of the type expected, String."
        expect(error.map { DecodingErrorText.sentence(for: $0) }, sentence)
    }

    private final class New: Decodable, Sendable {
        let next: Either<New, Old>?
        let id: Int
    }

    private final class Old: Decodable, Sendable {
        let next: Either<New, Old>?
        let id: String?
        let other: Int
    }

    @Test(.spec(80)) func aHostileBodyIsRefusedWithoutEndlessAttempts() throws {
        let depth = 40
        let begin = String(repeating: #"{"id":1,"next":"#, count: depth)
        let body = begin + #"{"id":"x"}"# + String(repeating: "}", count: depth)
        let error = #expect(throws: DecodingError.self) { try decode(body, as: Either<New, Old>.self) }
        let sentence = try #require(error.map { DecodingErrorText.sentence(for: $0) })
        #expect(sentence.hasSuffix("has too many alternatives to try."))
    }

    @Test(.spec(80)) func aPlainTypeIsTheWholeBodyIfThatIsNotJSON() throws {
        typealias UserOrText = Either<User, String>
        typealias UserOrNothing = Either<User, EmptyResponse>
        let user = #"{"name":"a"}"#
        let rows: [(body: String, contentType: String?, value: UserOrText?)] = [
            ("Hello", "text/plain", .second("Hello")), ("Hello", nil, .second("Hello")), ("Hello", "text/json", nil),
            (user, "text/plain", .first(User(name: "a"))), (user, nil, .first(User(name: "a"))),
            (#""Hello""#, "application/json", .second("Hello")), (#"{"id":1}"#, "application/json", nil),
            (#"{"id":1}"#, nil, nil), (#"{"id":1}"#, "text/plain", .second(#"{"id":1}"#)), ("", nil, .second("")),
        ]
        for implementation in [DefaultDecoder.Implementation.native, .foundation] {
            var decoder = DefaultDecoder()
            decoder.implementation = implementation
            func decode<T: Decodable>(_ body: String, _ type: String? = nil, as: T.Type = T.self) throws -> T {
                try decoder.decode(data: Data(body.utf8), contentType: type)
            }
            for row in rows {
                expect(try? decode(row.body, row.contentType, as: UserOrText.self), row.value, "\(row)")
                expect(try? decode(row.body, row.contentType, as: UserOrText?.self), row.value, "\(row)")
            }
            expect(try decode(""), UserOrNothing.second(EmptyResponse()))
            expect(try decode("", "application/json"), UserOrNothing.second(EmptyResponse()))
            let image: Either<User, Either<Legacy, Data>> = try decode("PNG", "image/png")
            expect(image, .second(.second(Data("PNG".utf8))))
            #expect(throws: DecodingError.self) { try decode("Hello", as: Either<User, Legacy>.self) }
            #expect(throws: DecodingError.self) { try decode("", as: Either<User, Bool>.self) }
        }
    }

    /// A nil could be cast to any Optional type, and an empty response takes any body.
    @Test(.spec(80)) func whatIsNeitherTypeIsAnErrorAlsoWithOptionalAndEmptyOnes() throws {
        func fails<T: Decodable>(_ body: String, _ contentType: String?, as type: T.Type) {
            #expect(throws: DecodingError.self, "\(type) of \(body)") {
                try DefaultDecoder().decode(data: Data(body.utf8), contentType: contentType) as T
            }
        }
        for (body, contentType) in [("", nil), ("<p>", "text/html")] as [(String, String?)] {
            fails(body, contentType, as: Either<User, Legacy>?.self)
        }
        fails("<p>", "text/html", as: Either<User, Bool?>.self)
        fails("<p>", "text/html", as: Either<User, EmptyResponse>.self)
        fails(#"{"name":1}"#, "application/json", as: Either<User, EmptyResponse>.self)
        let user: Either<EmptyResponse, User> = try DefaultDecoder().decode(data: Data(#"{"name":"a"}"#.utf8))
        expect(user, .second(User(name: "a")))
    }

    @Test(.spec(80), arguments: TransportUnderTest.all)
    func aResponseWithoutABodyIsTheEmptyAlternative(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond(status: 204) }
        let request = URLRequest(url: server.url)
        let nothing = try await transport.client().fetch(request: request, as: Either<User, EmptyResponse>.self)
        expect(nothing.item, .second(EmptyResponse()))
    }

    @Test(.spec(80)) func anEitherIsEncodedAsItsValue() throws {
        let values: [Either<User, Legacy>] = [.first(User(name: "a")), .second(Legacy(login: "b"))]
        let json = try DefaultJsonEncoder().encode(values)
        expect(String(decoding: json, as: UTF8.self), #"[{"name":"a"},{"login":"b"}]"#)
        expect(Set(values).count, 2)
    }

    @Test(.spec(80)) func anEitherCombinesWithLossyArraysAndEnvelopes() throws {
        let decoder = DefaultDecoder().unwrapping("items")
        let body = Data(#"{"items":[{"name":"a"},7,{"login":"b"}]}"#.utf8)
        let items: LossyArray<Either<User, Legacy>> = try decoder.decode(data: body)
        expect(items, [.first(User(name: "a")), .second(Legacy(login: "b"))])
        expect(items.drops.map(\.index), [1])
    }

    @Test(.spec(80), arguments: TransportUnderTest.all)
    func fetchTellsWhichTypeMatched(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .json(#"{"login":"b"}"#) }
        let request = URLRequest(url: server.url)
        let user: NetworkClient.Response<Either<User, Legacy>> = try await transport.client().fetch(request: request)
        expect(user.item, .second(Legacy(login: "b")))
        await #expect {
            let _: NetworkClient.Response<Either<[Int], User>> = try await transport.client().fetch(request: request)
        } throws: {
            "\($0)".hasSuffix("cannot be decoded: the body is not of the type expected, an array.")
        }
    }
}
