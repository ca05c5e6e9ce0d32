import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The values that callers get for bodies from a socket.
struct FetchDecodingTests {
    private struct Item: Codable, Equatable, Sendable {
        let id: Int
    }

    private struct Wrapper<Value: Decodable & Sendable & Equatable>: Decodable, Sendable, Equatable {
        let value: Value
    }

    private struct NilLiteral: Decodable, ExpressibleByNilLiteral, Sendable {
        init(nilLiteral: ()) {}
    }

    private static let nullable: any DecoderProtocol = .default.handlingOptionalResponses

    @Test(.spec(65), arguments: TransportUnderTest.all, [200, 201, 206, 299])
    func fetchReturnsTheExactBytesOfAnyAcceptedResponse(transport: TransportUnderTest, status: Int) async throws {
        for bytes in [
            [], [0], [0xFF, 0xFE, 0, 13, 10], [UInt8](" \"null\" ".utf8), [UInt8](repeating: 7, count: 70_000),
        ] {
            expect(try await transport.fetch(bytes, status: status), Data(bytes))
            expect(try await transport.fetch(bytes, status: status, type: nil, with: Self.nullable), Data(bytes))
        }
    }

    @Test(.spec(66), arguments: TransportUnderTest.all)
    func fetchReturnsTheTextOfALiteralOrOfTheBody(transport: TransportUnderTest) async throws {
        expect(try await transport.fetch("\"Hello\""), "Hello")
        expect(try await transport.fetch("Hello"), "Hello")
        expect(try await transport.fetch("\"Hello\"", type: "text/plain"), "\"Hello\"")
        expect(try await transport.fetch([0x93, 0xFA] as [UInt8], type: "text/plain; charset=Shift_JIS"), "日")
        expect(try await transport.fetch("é", type: nil), "é")
        expect(try await transport.fetch([0xE9] as [UInt8], type: "text/plain; charset=iso-8859-1"), "é")
        expect(
            try await transport.fetch([0x22, 0xE9, 0x22] as [UInt8], type: "application/json; charset=ISO-8859-1"),
            "é"
        )
        expect(try await transport.fetch(""), "")
        await transport.expectDecodingError([0x61, 0xFF] as [UInt8], as: String.self)
        await transport.expectDecodingError([0xE9] as [UInt8], as: String.self, contentType: nil)
        await transport.expectDecodingError(
            [0x93] as [UInt8],
            as: String.self,
            contentType: "text/plain; charset=shift_jis"
        )
    }

    @Test(.spec(67), arguments: TransportUnderTest.all)
    func fetchDecodesTrueAndFalseAlsoCapitalisedOrQuoted(transport: TransportUnderTest) async throws {
        for body in ["true", "True", "\"true\"", "true\n"] { expect(try await transport.fetch(body), true) }
        for body in ["false", "False", "\"false\"", "false\n"] { expect(try await transport.fetch(body), false) }
        for body in ["", "maybe", "1", "null"] { await transport.expectDecodingError(body, as: Bool.self) }
        await transport.expectDecodingError([0xFF] as [UInt8], as: Bool.self)
    }

    @Test(.spec(68), arguments: TransportUnderTest.all)
    func fetchDecodesPlainOptionals(transport: TransportUnderTest) async throws {
        expect(try await transport.fetch("Hello", as: String?.self, with: Self.nullable), "Hello")
        expect(try await transport.fetch("True", as: Bool?.self, with: Self.nullable), true)
    }

    @Test(.spec(69), arguments: TransportUnderTest.all)
    func anEmptyBodyIsNilOnlyForADecoderThatHandlesOptionals(transport: TransportUnderTest) async throws {
        await transport.expectDecodingError("", as: Item?.self)
        await transport.expectDecodingError("", as: Item?.self, with: .default)
        expect(try await transport.fetch("", as: Item?.self, with: Self.nullable), nil)
        expect(try await transport.fetch("", as: Item?.self, status: 204, with: Self.nullable), nil)
        expect(try await transport.fetch(#"{"id":1}"#, as: Item?.self, with: Self.nullable), Item(id: 1))
        await transport.expectDecodingError("", as: Item.self)
        await transport.expectDecodingError("", as: Item.self, with: Self.nullable)
    }

    @Test(.spec(70), arguments: TransportUnderTest.all, ["null", " ", " \r\n\t", "\n null \n"])
    func nullAndBlanksAreDecodedAsNil(transport: TransportUnderTest, body: String) async throws {
        expect(try await transport.fetch(body, as: Item?.self, with: Self.nullable), nil)
        expect(try await transport.fetch(body, as: [Item]?.self, with: Self.nullable), nil)
        expect(try await transport.fetch(body, as: String?.self, with: Self.nullable), nil)
    }

    @Test(.spec(71), arguments: TransportUnderTest.all)
    func anEmptyBodyIsNotDecodedAsACustomType(transport: TransportUnderTest) async throws {
        await transport.expectDecodingError("", as: NilLiteral.self)
        await transport.expectDecodingError("", as: NilLiteral.self, with: Self.nullable)
    }

    @Test(.spec(71)) func theErrorOfAnEmptyBodySaysThatItIsEmpty() async {
        let transport = StubTransport()
        transport.on(.any, .status(204))
        let client = NetworkClient(transport: transport, logging: .off)
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(.get(http: "https://example.org/a"), as: Item.self)
        }
        let sentence = "The response 204 of 'https://example.org/a' cannot be decoded: its body is empty."
        expect(error?.description, sentence)
    }

    @Test(.spec(72), arguments: TransportUnderTest.all)
    func optionalsAreDecodedAsInJSON(transport: TransportUnderTest) async throws {
        for decoder in [.default, Self.nullable] {
            expect(try await transport.fetch("1", as: Int??.self, with: decoder), 1)
            expect(try await transport.fetch("null", as: Int??.self, with: decoder), .none)
            expect(try await transport.fetch("[1,null]", as: [Int?].self, with: decoder), [1, nil])
            expect(try await transport.fetch(#"{"value":null}"#, with: decoder), Wrapper<Int?>(value: nil))
            #expect(
                try await transport.fetch(#"{"value":[null,1]}"#, with: decoder) == Wrapper<[Int?]>(value: [nil, 1])
            )
            expect(
                try await transport.fetch(#"{"value":1}"#, as: Wrapper<Int>?.self, with: decoder),
                Wrapper(value: 1)
            )
        }
        await transport.expectDecodingError("", as: Int??.self)
        expect(try await transport.fetch("", as: Int??.self, with: Self.nullable), .none)
        await transport.expectDecodingError("", as: [Int?].self, with: Self.nullable)
    }

    @Test(.spec(73), arguments: TransportUnderTest.all)
    func anyBodyIsDecodedAsAnEmptyResponse(transport: TransportUnderTest) async throws {
        for decoder in [.default, Self.nullable] {
            expect(
                try await transport.fetch("", as: EmptyResponse.self, status: 204, with: decoder),
                EmptyResponse()
            )
            for bytes in [[], [0xFF, 0], [UInt8]("<html>".utf8), [UInt8]("{}".utf8), [UInt8]("null".utf8)] {
                expect(try await transport.fetch(bytes, as: EmptyResponse.self, with: decoder), EmptyResponse())
                expect(try await transport.fetch(bytes, as: EmptyResponse?.self, with: decoder), EmptyResponse())
            }
        }
    }

    @Test(.spec(74), arguments: TransportUnderTest.all)
    func datesAreDecodedInEveryUsualForm(transport: TransportUnderTest) async throws {
        let instant = 1_704_164_645.0
        let forms = [
            (#""2024-01-02T03:04:05Z""#, instant), (#""2024-01-02T03:04:05.123Z""#, instant + 0.123),
            (#""2024-01-02T03:04:05.1234567Z""#, instant + 0.1234567), (#""2024-01-02T05:04:05+02:00""#, instant),
            (#""2024-01-02T05:04:05+0200""#, instant), (#""2024-01-02T03:04:05""#, instant),
            (#""2024-01-02""#, 1_704_153_600), ("1704164645", instant),
        ]
        let list = forms.map(\.0).joined(separator: ",")
        let dates = try await transport.fetch("[\(list)]", as: [Date].self)
        expect(dates.count, forms.count)
        for (date, form) in zip(dates, forms) {
            #expect(abs(date.timeIntervalSince1970 - form.1) < 0.000_001, "\(form.0)")
        }
    }

    @Test(.spec(74, 83), arguments: TransportUnderTest.all)
    func theErrorOfAnInvalidDateNamesItsPath(transport: TransportUnderTest) async throws {
        let body = #"{"value":["2024-02-29","2024-02-30"]}"#
        await #expect { _ = try await transport.fetch(body, as: Wrapper<[Date]>.self) } throws: { error in
            guard case NetworkClient.Error.decodingError(let type) = error else { return false }
            guard case .dataCorrupted(let context) = type else { return false }
            expect("\(error)", contains: "the value at 'value[1]' is not a date in ISO 8601 (")
            return context.codingPath.map(\.stringValue).first == "value" && context.codingPath.last?.intValue == 1
        }
    }

    private struct Refusal: Error {}

    private struct Refusing: Decodable, Sendable {
        init(from decoder: any Decoder) throws {
            let context = DecodingError.Context(
                codingPath: decoder.codingPath,
                debugDescription: "",
                underlyingError: Refusal()
            )
            throw DecodingError.dataCorrupted(context)
        }
    }

    @Test(.spec(94, 189), arguments: TransportUnderTest.all, [3, 3 << 20])
    func aDecodingErrorHasTheResponse(transport: TransportUnderTest, length: Int) async throws {
        let body = "\"" + String(repeating: "s", count: length) + "\""
        let server = try LoopbackServer { _ in .respond(status: 203, headers: ["X-A": "s3cret"], body: body) }
        let client = try transport.client()
        let error = await #expect(throws: NetworkClient.Error.self) {
            let request = URLRequest(url: server.url("/item"))
            let _: NetworkClient.Response<Refusing> = try await client.fetch(request: request)
        }
        expect(error?.response?.statusCode, 203)
        expect(error?.response?.value(forHTTPHeaderField: "X-A"), "s3cret")
        expect(error?.response?.receivedFields["x-a"], "s3cret")
        expect(error?.data, Data(body.utf8.prefix(1 << 20)))
        #expect(error?.underlyingError is Refusal)
        expect(error?.statusCode, nil)
        guard case .decodingError(.dataCorrupted(let context))? = error else {
            Issue.record("not a decoding error")
            return
        }
        let undecodable = try #require(context.underlyingError as? UndecodableResponse)
        #expect(undecodable.response === error?.response)
        #expect(undecodable.underlyingError is Refusal)
        var texts = ["\(undecodable)", String(reflecting: undecodable), "\(context)", undecodable.localizedDescription]
        texts.append("")
        dump(context, to: &texts[4])
        for text in texts { expect(text, lacks: "s3cret", "sss") }
        expect("\(undecodable)", "UndecodableResponse (203 of '\(server.url("/item").absoluteString)')")
    }

    @Test(.spec(189), arguments: TransportUnderTest.all)
    func everyKindOfDecodingErrorHasTheResponse(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in .json(request.path.dropFirst().removingPercentEncoding ?? "") }
        let client = try transport.client()
        for body in ["x", "%7B%7D", "%7B%22id%22:null%7D", "%7B%22id%22:%22a%22%7D", ""] {
            let error = await #expect(throws: NetworkClient.Error.self) {
                let request = URLRequest(url: server.url("/\(body)"))
                let _: NetworkClient.Response<Item> = try await client.fetch(request: request)
            }
            expect(error?.data, Data((body.removingPercentEncoding ?? "").utf8))
            expect(error?.response?.statusCode, 200)
        }
        let refused = NetworkClient.Error.apiError(response: .made(404), data: Data([1]))
        #expect(refused.response?.statusCode == 404 && refused.data == Data([1]) && refused.underlyingError == nil)
        let failed = NetworkClient.Error.requestError(type: TransportError(.other, underlying: Refusal()))
        #expect(failed.response == nil && failed.data == nil && failed.underlyingError is Refusal)
    }

    @Test(.spec(77), arguments: TransportUnderTest.all)
    func aCallNeverChangesACustomDecoderOrEncoder(transport: TransportUnderTest) async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = [.prettyPrinted]
        let encoding = DefaultJsonEncoder(encoder: encoder)
        let decoding = DefaultDecoder(decoder: decoder)
        let body = try encoding.encode(["a": Date(timeIntervalSince1970: 1.5)])
        expect(String(decoding: body, as: UTF8.self), "{\n  \"a\" : 1500\n}")
        let dates: [String: Date]? = try await transport.fetch(body, with: decoding.handlingOptionalResponses)
        expect(dates, ["a": Date(timeIntervalSince1970: 1.5)])
        expect(try await transport.fetch("Hello", with: decoding), "Hello")
        await transport.expectDecodingError("Hello", as: Item.self, with: decoding)
        guard case .millisecondsSince1970 = decoder.dateDecodingStrategy,
            case .convertFromSnakeCase = decoder.keyDecodingStrategy,
            case .millisecondsSince1970 = encoder.dateEncodingStrategy,
            case .convertToSnakeCase = encoder.keyEncodingStrategy
        else {
            Issue.record("A strategy of the user's was changed")
            return
        }
        expect(encoder.outputFormatting, [.prettyPrinted])
    }
}

extension TransportUnderTest {
    /// The value that a client decodes; a client without a decoder if there is none.
    fileprivate func fetch<T: Decodable & Sendable>(
        _ body: some WireBytes,
        as _: T.Type = T.self,
        status: Int = 200,
        type: String? = "application/json",
        with decoder: (any DecoderProtocol)? = nil
    ) async throws -> T {
        let headers = WireFields(type.map { [WireField(name: "Content-Type", value: $0)] } ?? [])
        let server = try LoopbackServer { _ in .respond(status: status, headers: headers, body: body) }
        let client = try decoder.map { try self.client(decoder: $0) } ?? self.client()
        let response: NetworkClient.Response<T> = try await client.fetch(request: URLRequest(url: server.url))
        expect(response.httpResponse.statusCode, status)
        return response.item
    }

    fileprivate func expectDecodingError<T: Decodable & Sendable>(
        _ body: some WireBytes,
        as type: T.Type,
        contentType: String? = "application/json",
        with decoder: (any DecoderProtocol)? = nil
    ) async {
        await #expect("\(type) of \(body)") {
            _ = try await fetch(body, as: type, type: contentType, with: decoder)
        } throws: {
            if case NetworkClient.Error.decodingError = $0 { true } else { false }
        }
    }
}
