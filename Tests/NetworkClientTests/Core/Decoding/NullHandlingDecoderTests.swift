import NetworkTestSupport
import Foundation
import Testing

@testable import NetworkClient

struct NullHandlingDecoderTests {
    private struct Item: Decodable, Equatable {
        var id: Int
    }

    private struct NilLiteral: Decodable, ExpressibleByNilLiteral {
        init(nilLiteral: ()) {}
    }

    private struct Wrapper<Value: Decodable>: Decodable {
        var value: Value?
    }

    /// A decoder that throws its own error, and records which of its methods was called.
    private struct FailingDecoder: DecoderProtocol {
        enum Failure: Error, Equatable {
            case withoutHead
            case withHead(Int)
        }

        func decode<T: Decodable>(data: Data) throws -> T {
            throw Failure.withoutHead
        }

        func decode<T: Decodable>(data: Data, response: HTTPURLResponse) throws -> T {
            throw Failure.withHead(response.statusCode)
        }
    }

    private func decode<T: Decodable>(
        _ text: String,
        as type: T.Type = T.self,
        with decoder: any DecoderProtocol = .default.handlingOptionalResponses
    ) throws -> T {
        try decoder.decode(data: Data(text.utf8))
    }

    @Test(.spec(69, 70), arguments: ["", " ", "\r\n\t", "null", " null "])
    func anEmptyBodyIsNilForAnOptional(text: String) throws {
        expect(try decode(text, as: Item?.self), nil)
        expect(try decode(text, as: [Item]?.self), nil)
        expect(try decode(text, as: String?.self), nil)
        expect(try decode(text, as: Bool?.self), nil)
        expect(try decode(text, as: Data?.self), nil)
        expect(try decode(text, as: Int??.self), .none)
        expect(try decode(text, as: EmptyResponse?.self), nil)
        #expect(try decode(text, as: NilLiteral?.self) == nil)
    }

    @Test(.spec(69), arguments: ["", " ", "null"])
    func anEmptyBodyIsAnErrorForOtherTypes(text: String) {
        #expect(throws: DecodingError.self) { try decode(text, as: Item.self) }
        #expect(throws: DecodingError.self) { try decode(text, as: [Item?].self) }
        #expect(throws: DecodingError.self) { try decode(text, as: Wrapper<Int>.self) }
        #expect(throws: DecodingError.self) { try decode(text, as: Bool.self) }
        #expect(throws: DecodingError.self) { try decode(text, as: Int.self) }
    }

    @Test(.spec(71)) func anEmptyBodyIsAnErrorForACustomTypeWithANilLiteral() {
        #expect(throws: DecodingError.self) { try decode("", as: NilLiteral.self) }
    }

    @Test(.spec(68, 72)) func aBodyThatIsNotNullIsDecodedByTheWrappedDecoder() throws {
        expect(try decode(#"{"id":1}"#, as: Item?.self), Item(id: 1))
        expect(try decode("Hello", as: String?.self), "Hello")
        expect(try decode("Hello", as: String??.self), "Hello")
        expect(try decode("True", as: Bool?.self), true)
        expect(try decode("1", as: Int??.self), 1)
        expect(try decode("[1,null]", as: [Int?]?.self), [1, nil])
        expect(try decode(#"{"value":null}"#, as: Wrapper<Int>.self).value, nil)
        #expect(throws: DecodingError.self) { try decode("x", as: Item?.self) }
    }

    @Test func theWrappedDecoderGetsTheHead() throws {
        let url = try #require(URL(string: "https://example.com"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 203, httpVersion: nil, headerFields: nil)
        )
        let decoder = FailingDecoder().handlingOptionalResponses
        #expect(throws: FailingDecoder.Failure.withHead(203)) {
            try decoder.decode(data: Data("1".utf8), response: response) as Int?
        }
        #expect(throws: FailingDecoder.Failure.withHead(203)) {
            try decoder.decode(data: Data(), response: response) as Int
        }
        #expect(throws: FailingDecoder.Failure.withoutHead) { try decoder.decode(data: Data("1".utf8)) as Int? }
        expect(try decoder.decode(data: Data(), response: response) as Int?, nil)
    }

    @Test func wrappingADecoderTwiceChangesNothing() throws {
        let twice: any DecoderProtocol = .default.handlingOptionalResponses.handlingOptionalResponses
        expect(try decode("", as: Item?.self, with: twice), nil)
        expect(try decode(#"{"id":1}"#, as: Item?.self, with: twice), Item(id: 1))
        #expect(throws: DecodingError.self) { try decode("", as: Item.self, with: twice) }
    }

    @Test func anyDecoderCanBeWrappedToDecodeNull() throws {
        let decoder: any DecoderProtocol = DefaultDecoder()
        expect(try decode("", as: Int?.self, with: decoder.handlingOptionalResponses), nil)
    }
}

struct DecodedTests {
    @Test func aDecodedValueKeepsEveryLevelOfAnOptional() throws {
        let inner: Int?? = .some(nil)
        expect(try Decoded(value: inner).unwrapped(as: Int??.self), .some(nil))
        expect(try Decoded(value: Int??.none).unwrapped(as: Int??.self), .none)
        expect(try Decoded(value: Int?.none).unwrapped(as: Int?.self), nil)
        expect(try Decoded(value: Int?.some(1)).unwrapped(as: Int?.self), 1)
    }

    @Test func aDecodedValueOfAnotherTypeIsAnError() {
        #expect(throws: DecodingError.self) { try Decoded(value: 1).unwrapped(as: Int?.self) }
        #expect(throws: DecodingError.self) { try Decoded(value: Int?.some(1)).unwrapped(as: Int.self) }
    }
}
