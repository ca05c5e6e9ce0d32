import Foundation
import NetworkTestSupport
import Testing

@testable import JSONDecoding
@testable import NetworkClient

struct EnvelopeDecoderTests {
    private struct User: Codable, Equatable {
        var id: Int
        var createdAt: Date?
    }

    private func decode<T: Decodable>(
        _ text: String,
        as type: T.Type = T.self,
        with decoder: any DecoderProtocol
    ) throws -> T {
        try decoder.decode(data: Data(text.utf8))
    }

    private func sentence<T: Decodable>(
        _ text: String,
        as type: T.Type = User.self,
        with decoder: any DecoderProtocol
    ) -> String? {
        let error = #expect(throws: DecodingError.self) { try decode(text, as: type, with: decoder) }
        return error.map { DecodingErrorText.sentence(for: $0) }
    }

    @Test(.spec(78), arguments: [#"{"user":{"id":1}}"#, #"{"meta":{"id":2},"user":{"id":1},"other":[]}"#])
    func aKeySelectsTheMemberOfAnEnvelope(json: String) throws {
        expect(try decode(json, with: .default.unwrapping("user")), User(id: 1))
    }

    @Test(.spec(78)) func aPathOfKeysSelectsANestedMember() throws {
        let json = #"{"data":{"user":{"id":1}},"user":{"id":2}}"#
        expect(try decode(json, with: .default.unwrapping("data", "user")), User(id: 1))
        expect(try decode(json, with: .default.unwrapping("data").unwrapping("user")), User(id: 1))
        expect(try decode(json, with: .default.unwrapping("data").unwrappingEnvelope), User(id: 1))
        // No key is the only member.
        expect(try decode(#"{"user":{"id":1}}"#, with: .default.unwrapping()), User(id: 1))
    }

    @Test(.spec(78)) func theOnlyMemberThatCanBeDecodedIsUnwrapped() throws {
        let json = #"{"meta":{"page":1},"took":3,"user":{"id":1},"next":null}"#
        expect(try decode(json, with: .default.unwrappingEnvelope), User(id: 1))
        expect(try decode(#"{"users":[{"id":1}],"took":3}"#, with: .default.unwrappingEnvelope), [User(id: 1)])
        expect(try decode(#"{"token":"x"}"#, with: .default.unwrappingEnvelope), "x")
    }

    @Test(.spec(78)) func twoMembersThatCanBeDecodedAreAnErrorThatNamesBoth() {
        let json = #"{"editor":{"id":1},"author":{"id":2},"took":3}"#
        expect(
            sentence(json, with: .default.unwrappingEnvelope),
            "The body has more than one member that can be decoded as User: 'author' and 'editor'."
        )
    }

    @Test(.spec(78, 83)) func anEnvelopeWithoutItsKeyIsAnErrorThatNamesTheKey() {
        expect(sentence("{}", with: .default.unwrapping("user")), "The value at 'user' is missing.")
        expect(
            sentence(#"{"data":{"id":1}}"#, with: .default.unwrapping("data", "user")),
            "The value at 'data.user' is missing."
        )
        expect(sentence("{}", as: User?.self, with: .default.unwrapping("user")), "The value at 'user' is missing.")
        expect(
            sentence("[]", with: .default.unwrapping("user")),
            "The body is not of the type expected, an object."
        )
    }

    @Test(.spec(78, 83)) func theErrorInsideOfAnEnvelopeIsThatOfItsValue() {
        let sentenceOfID = "The value at 'user.id' is not of the type expected, Int."
        expect(sentence(#"{"user":{"id":"x"},"a":{"id":1}}"#, with: .default.unwrapping("user")), sentenceOfID)
        expect(sentence(#"{"user":{"id":"x"},"next":null}"#, with: .default.unwrappingEnvelope), sentenceOfID)
        #expect(
            sentence(#"{"user":{"id":"x"},"page":{}}"#, with: .default.unwrappingEnvelope)
                == """
                The body has no member that can be decoded as User: the value at 'page.id' is missing; \
                the value at 'user.id' is not of the type expected, Int.
                """
        )
        expect(
            sentence("{}", with: .default.unwrappingEnvelope),
            "The body has no member that can be decoded as User."
        )
    }

    @Test(.spec(78)) func anInvalidMemberIsNotNilBesideANull() throws {
        let decoder: any DecoderProtocol = .default.unwrappingEnvelope
        #expect(throws: DecodingError.self) {
            try decode(#"{"user":{"id":"x"},"error":null}"#, as: User?.self, with: decoder)
        }
        expect(try decode(#"{"user":null,"meta":{}}"#, as: User?.self, with: decoder), nil)
        expect(try decode(#"{"user":null,"took":3}"#, as: User?.self, with: decoder), nil)
    }

    @Test(.spec(69, 70, 78), arguments: ["", " ", "null", #"{"user":null}"#])
    func anOptionalInAnEnvelopeIsNilForNothing(json: String) throws {
        let decoders: [any DecoderProtocol] = [
            .default.handlingOptionalResponses.unwrapping("user"),
            .default.unwrapping("user").handlingOptionalResponses,
            .default.handlingOptionalResponses.unwrappingEnvelope,
            .default.unwrappingEnvelope.handlingOptionalResponses,
        ]
        for decoder in decoders {
            expect(try decode(json, as: User?.self, with: decoder), nil)
            expect(try decode(#"{"user":{"id":1}}"#, as: User?.self, with: decoder), User(id: 1))
            #expect(throws: DecodingError.self) { try decode(json, as: User.self, with: decoder) }
        }
    }

    @Test(.spec(69, 78)) func anEmptyBodyIsAnErrorForADecoderThatDoesNotHandleOptionalResponses() throws {
        #expect(throws: DecodingError.self) { try decode("", as: User?.self, with: .default.unwrapping("user")) }
        expect(try decode(#"{"user":null}"#, as: User?.self, with: .default.unwrapping("user")), nil)
        #expect(throws: DecodingError.self) {
            try decode(#"{"user":null}"#, as: User.self, with: .default.unwrapping("user"))
        }
    }

    @Test(.spec(75, 78)) func keysAreThoseThatTheKeyStrategyLeaves() throws {
        let decoder = DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase).unwrapping("userData")
        let user: User = try decode(#"{"user_data":{"id":1,"created_at":"1970-01-01"}}"#, with: decoder)
        expect(user, User(id: 1, createdAt: Date(timeIntervalSince1970: 0)))
    }

    @Test(.spec(78)) func aKeyIsNeverReplacedByTheRuleForTheOnlyMember() throws {
        let json = #"{"tags":["a"],"posts":[{"id":1},{}]}"#
        let posts: LossyArray<User> = try decode(json, with: .default.unwrapping("posts"))
        expect(posts.elements, [User(id: 1)])
        expect(posts.drops.map(\.index), [1])
        let sentence = sentence(json, as: LossyArray<User>.self, with: .default.unwrappingEnvelope)
        expect(sentence?.hasSuffix("can be decoded as LossyArray<User>: 'posts' and 'tags'."), true)
    }

    @Test func anEnvelopeInTheInitialiserOfAValueIsIndependentOfTheOneAroundIt() throws {
        struct Outer: Decodable {
            let user: User
            init(from decoder: any Swift.Decoder) throws {
                let text = try decoder.singleValueContainer().decode(String.self)
                user = try DefaultDecoder().unwrapping("user").decode(data: Data(text.utf8))
            }
        }
        let outer: Outer = try decode(#"{"a":{"b":"{\"user\":{\"id\":1}}"}}"#, with: .default.unwrapping("a", "b"))
        expect(outer.user, User(id: 1))
    }

    @Test(.spec(85)) func theBodyOfAnErrorMayHaveTheEnvelopeOrNot() {
        let decoders: [any DecoderProtocol] = [
            .default.unwrapping("data"), .default.unwrappingEnvelope,
            .default.unwrapping("data").handlingOptionalResponses,
            .default.unwrapping("data").mapping { (user: User) in user },
            MediaTypeDecoder([.json: .default.unwrapping("data")]),
        ]
        for decoder in decoders {
            for body in [#"{"id":1}"#, #"{"data":{"id":1}}"#] {
                let response = HTTPURLResponse.made(404, headers: ["Content-Type": "application/json"])
                let error = NetworkClient.Error.apiError(response: response, data: Data(body.utf8))
                let user: User? = error.getError(using: decoder)
                expect(user, User(id: 1))
                let texts: [String]? = error.getError(using: decoder)
                expect(texts, nil)
            }
        }
    }

    @Test(.spec(78), arguments: TransportUnderTest.all)
    func fetchUnwrapsEnvelopesPerClientAndPerCall(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .json(#"{"user":{"id":1},"admin":{"id":2}}"#) }
        let client = try transport.client(decoder: .default.unwrapping("user"))
        let request = URLRequest(url: server.url)
        let user: NetworkClient.Response<User> = try await client.fetch(request: request)
        let options = CallOptions(decoder: .default.unwrapping("admin"))
        let admin: NetworkClient.Response<User> = try await client.fetch(request: request, options: options)
        expect([user.item, admin.item], [User(id: 1), User(id: 2)])
        await #expect {
            let _: NetworkClient.Response<User> = try await client.fetch(
                request: request,
                options: CallOptions(decoder: .default.unwrapping("owner"))
            )
        } throws: { error in
            guard let error = error as? NetworkClient.Error, case .decodingError = error else { return false }
            return "\(error)".hasSuffix("cannot be decoded: the value at 'owner' is missing.") && error.data != nil
        }
    }
}
