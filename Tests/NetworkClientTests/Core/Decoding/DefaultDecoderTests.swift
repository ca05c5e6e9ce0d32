import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import JSONDecoding
@testable import NetworkClient

struct DefaultDecoderTests {
    private struct Item: Codable, Equatable {
        var id: Int
        var userName: String
        var created = Date(timeIntervalSince1970: 0.25)
    }

    private struct NilLiteral: Decodable, ExpressibleByNilLiteral {
        init(nilLiteral: ()) {}
        init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Key.self) }
        enum Key: CodingKey {}
    }

    private struct Wrapper<Value: Decodable>: Decodable {
        var value: Value
    }

    private func decode<T: Decodable>(
        _ text: String,
        as type: T.Type = T.self,
        with decoder: any DecoderProtocol = .default
    ) throws -> T {
        try decoder.decode(data: Data(text.utf8))
    }

    @Test(
        arguments: [
            "\"7D444840-9DC0-11D1-B245-5FFDCE74FAD2\"", "\"7d444840-9dc0-11d1-b245-5ffdce74fad2\"",
            "\"7d444840-9DC0-11d1-b245-5FFDCE74FAD\\u0032\"", "\"7D444840-9DC0-11D1-B245-5FFDCE74FAD\"",
            "\"7D444840-9DC0-11D1-B245-5FFDCE74FADG\"", "\"7D444840+9DC0-11D1-B245-5FFDCE74FAD2\"",
            "\"7D4448409DC011D1B2455FFDCE74FAD2\"", "\"{7D444840-9DC0-11D1-B245-5FFDCE74FA}\"",
            "\"7D444840-9DC0-11D1-B245-5FFDCE74FÄ2\"", "\"\"", "null", "4", "[]",
        ]
    )
    func aUUIDIsDecodedAsByFoundation(text: String) {
        let json = #"{"value": \#(text)}"#
        let results = [DefaultDecoder.Implementation.foundation, .native].map { implementation in
            var decoder = DefaultDecoder()
            decoder.implementation = implementation
            return Result { try decode(json, as: Wrapper<UUID>.self, with: decoder).value }
        }
        expect("\(results[1])", "\(results[0])")
    }

    @Test func theEnvironmentChoosesTheImplementation() {
        expect(DefaultDecoder.Implementation.chosen("foundation"), .foundation)
        expect(DefaultDecoder.Implementation.chosen("native"), .native)
        for name in [nil, "", "other"] {
            expect(DefaultDecoder.Implementation.chosen(name), DefaultDecoder().implementation)
        }
    }

    @Test func aModelIsDecodedFromJSON() throws {
        let json = #"[{"id":1,"userName":"a","created":"1970-01-01T00:00:00.250Z"}]"#
        expect(try decode(json), [Item(id: 1, userName: "a")])
        expect(try decode("\u{FEFF}" + json), [Item(id: 1, userName: "a")])
    }

    @Test func plainTypesAreDecodedFromAnyBody() throws {
        expect(try decode("\"Hello\""), "Hello")
        expect(try decode("Hello"), "Hello")
        expect(try decode("True\n"), true)
        expect(try decode("\"aGk=\""), Data("\"aGk=\"".utf8))
        expect(try decode("5"), 5)
    }

    @Test func optionalsOfPlainTypesAreNilForNull() throws {
        expect(try decode("null", as: String?.self), nil)
        expect(try decode("Hello", as: String?.self), "Hello")
        expect(try decode("True", as: Bool?.self), true)
        expect(try decode("null", as: Bool?.self), nil)
        expect(try decode("null", as: Data?.self), nil)
        expect(try decode("x", as: Data?.self), Data("x".utf8))
        expect(try decode("null", as: String??.self), .none)
    }

    @Test func plainTypesInsideJSONAreJSON() throws {
        expect(try decode(#"["Hello"]"#), ["Hello"])
        expect(try decode(#"["aGk="]"#), [Data("hi".utf8)])
        #expect(throws: DecodingError.self) { try decode("[True]", as: [Bool].self) }
    }

    @Test(
        .spec(66),
        arguments: [
            (nil, "Hello"), ("", "Hello"), ("application/json", "Hello"), ("text/json; charset=utf-8", "Hello"),
            ("application/problem+json", "Hello"), ("text/plain", "\"Hello\""), ("text/html", "\"Hello\""),
            ("application/octet-stream", "\"Hello\""), ("application/jsonl", "\"Hello\""),
        ]
    )
    func aJSONStringIsDecodedWhereTheTypeAllowsIt(type: String?, text: String) throws {
        let response = HTTPURLResponse.made(200, headers: type.map { ["Content-Type": $0] } ?? [:])
        let body = Data(#""Hello""#.utf8)
        expect(try DefaultDecoder().decode(data: body, response: response), text)
        expect(try DefaultDecoder().handlingOptionalResponses.decode(data: body, response: response), text)
        expect(try DefaultDecoder().decode(data: Data("x".utf8), response: response), "x")
    }

    @Test(.spec(66), arguments: ["klingon", "utf-8", "iso-2022-kr"])
    func textThatItsCharsetDoesNotAllowIsAnError(charset: String) {
        let response = HTTPURLResponse.made(200, headers: ["Content-Type": "text/plain; charset=\(charset)"])
        #expect(throws: DecodingError.self) {
            try DefaultDecoder().decode(data: Data([0xE9]), response: response) as String
        }
    }

    @Test(.spec(66)) func textIsDecodedInTheCharsetOfTheHead() throws {
        let response = HTTPURLResponse.made(200, headers: ["content-type": "text/plain; charset=\"ISO-8859-1\""])
        let data = Data([0x63, 0x61, 0x66, 0xE9])
        expect(try DefaultDecoder().decode(data: data, response: response), "café")
        expect(try DefaultDecoder().handlingOptionalResponses.decode(data: data, response: response), "café")
        let optional: String? = try DefaultDecoder().handlingOptionalResponses.decode(data: data, response: response)
        expect(optional, "café")
        #expect(throws: DecodingError.self) { try DefaultDecoder().decode(data: data) as String }
    }

    @Test(.spec(69, 71)) func anEmptyBodyIsAnErrorForAnyModel() {
        #expect(throws: DecodingError.self) { try decode("", as: Item.self) }
        #expect(throws: DecodingError.self) { try decode("", as: Item?.self) }
        #expect(throws: DecodingError.self) { try decode("", as: Item??.self) }
        #expect(throws: DecodingError.self) { try decode("", as: [Item].self) }
        #expect(throws: DecodingError.self) { try decode("", as: NilLiteral.self) }
        #expect(throws: DecodingError.self) { try decode("", as: Bool?.self) }
    }

    @Test(.spec(72)) func optionalsInsideJSONAreDecodedAsUsual() throws {
        expect(try decode("null", as: Int??.self), .none)
        expect(try decode("1", as: Int??.self), 1)
        expect(try decode("[1,null]", as: [Int?].self), [1, nil])
        expect(try decode(#"{"value":null}"#, as: Wrapper<Int?>.self).value, nil)
        expect(try decode(#"{"value":1}"#, as: Wrapper<Int??>.self).value, 1)
    }

    @Test(.spec(75)) func keysAreTranslatedByTheKeyDecodingStrategy() throws {
        let decoder = DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase)
        let item = try decode(#"{"id":1,"user_name":"a","created":0.25}"#, as: Item.self, with: decoder)
        expect(item, Item(id: 1, userName: "a"))
    }

    @Test(.spec(77)) func aCustomJSONDecoderIsUsedUnchanged() throws {
        let json = JSONDecoder()
        json.dateDecodingStrategy = .millisecondsSince1970
        let decoder = DefaultDecoder(decoder: json)
        expect(try decode("[1500]", as: [Date].self, with: decoder), [Date(timeIntervalSince1970: 1.5)])
        expect(try decode("Hello", as: String.self, with: decoder), "Hello")
        guard case .millisecondsSince1970 = json.dateDecodingStrategy else {
            Issue.record("The date strategy of the user's decoder was changed")
            return
        }
    }

    @Test(.spec(35)) func datesOfTheDefaultEncoderAreDecodedToTheMillisecond() throws {
        var generator = SeededGenerator(seed: 5)
        let dates = (0..<2000).map { _ in
            Date(timeIntervalSince1970: .random(in: -62_135_596_800..<253_402_300_799, using: &generator))
        }
        let decoded: [Date] = try DefaultDecoder().decode(data: DefaultJsonEncoder().encode(dates))
        expect(decoded.count, dates.count)
        for (date, other) in zip(dates, decoded) {
            #expect(abs(date.timeIntervalSince(other)) < 0.000_6)
        }
    }

    @Test func largeBodiesAreDecodedOnManyThreadsAtOnce() async throws {
        let items = (0..<500).map { Item(id: $0, userName: "user \($0)") }
        let data = try DefaultJsonEncoder().encode(items)
        let decoder = DefaultDecoder()
        try await withThrowingTaskGroup(of: [Item].self) { group in
            for _ in 0..<100 {
                group.addTask { try decoder.decode(data: data) }
            }
            for try await decoded in group {
                expect(decoded, items)
            }
        }
    }

    /// The decoded value of the bytes; nil if decoding throws a `DecodingError`.
    @discardableResult
    private func decoded<T: Decodable>(_ type: T.Type, _ data: Data, _ decoder: any DecoderProtocol) -> T? {
        do {
            return try decoder.decode(data: data) as T
        } catch {
            #expect(error is DecodingError, "\(type) of \(Array(data))")
            return nil
        }
    }

    @Test(.spec(67, 71), arguments: [6, 7, 8, 9] as [UInt64])
    func anyBytesDecodeAsWhatTheyAreOrThrowADecodingError(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array(#"{}[]",:\nulltruefalse0123456789.eE+- "2024-01-02T03:04:05Z"u00\#u{FF}"#.utf8)
        for round in 0..<400 {
            let data = Data(
                (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    round.isMultiple(of: 2)
                        ? UInt8.random(in: .min ... .max, using: &generator)
                        : alphabet.randomElement(using: &generator) ?? 0
                }
            )
            for decoder in [.default, .default.handlingOptionalResponses] as [any DecoderProtocol] {
                let isText = String(decoding: data, as: UTF8.self).utf8.elementsEqual(data)
                expect(decoded(Data.self, data, decoder), data)
                #expect(decoded(EmptyResponse.self, data, decoder) != nil)
                expect((decoded(String.self, data, decoder) != nil), isText)
                if decoded(Bool.self, data, decoder) != nil { #expect((4...40).contains(data.count)) }
                if decoded([Date].self, data, decoder) != nil { #expect(data.contains(UInt8(ascii: "["))) }
                if decoded([String: Int?].self, data, decoder) != nil { #expect(data.contains(UInt8(ascii: "{"))) }
                decoded(String??.self, data, decoder)
                decoded(Bool?.self, data, decoder)
                decoded(Item?.self, data, decoder)
                decoded(Date?.self, data, decoder)
                decoded(Double.self, data, decoder)
                decoded(NilLiteral.self, data, decoder)
                decoded(NilLiteral?.self, data, decoder)
            }
        }
    }
}

struct FlexibleDateTests {
    private struct Post: Decodable {
        var created: Date
    }

    private func dates(_ json: String) throws -> [Date] {
        try DefaultDecoder().decode(data: Data(json.utf8))
    }

    private func text(of json: String) -> String? {
        let error = #expect(throws: DecodingError.self) {
            let _: [String: [Post]] = try DefaultDecoder().decode(data: Data(json.utf8))
        }
        return error.map { DecodingErrorText($0, cause: $0.context?.underlyingError).description }
    }

    private static let forms: [(String, Double)] = [
        ("\"2024-01-02T03:04:05Z\"", 1_704_164_645), ("\"2024-01-02T03:04:05.123Z\"", 1_704_164_645.123),
        ("\"2024-01-02T03:04:05.1234567Z\"", 1_704_164_645.123_456_7), ("\"2024-01-02T05:04:05+02:00\"", 1_704_164_645),
        ("\"2024-01-02T05:04:05+0200\"", 1_704_164_645), ("\"2024-01-02T05:04:05+02\"", 1_704_164_645),
        ("\"2024-01-02T03:04:05\"", 1_704_164_645), ("\"2024-01-02 03:04Z\"", 1_704_164_640),
        ("\"2024-01-02\"", 1_704_153_600), ("1704164645", 1_704_164_645), ("1704164645.25", 1_704_164_645.25),
        ("-1.5", -1.5), ("0", 0), ("1.704164645e9", 1_704_164_645),
    ]

    @Test(.spec(74), arguments: forms)
    func datesAreDecodedInEveryForm(json: String, seconds: Double) throws {
        let date = try #require(try dates("[\(json)]").first)
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
    }

    @Test(
        .spec(74),
        arguments: ["\"2024-02-30\"", "\"\"", "\"secret\"", "1704164645000", "-1e15", "1e300", "\"1704164645\""]
    )
    func theErrorOfADateNamesTheAcceptedFormsAndThePath(json: String) {
        #expect(
            text(of: #"{"posts":[{"created":0},{"created":\#(json)}]}"#)
                == """
                The value at 'posts[1].created' is not a date in ISO 8601 (2024-01-02 or 2024-01-02T03:04:05.678, \
                seconds and fraction optional, followed by Z, +02:00, +0200, +02 or nothing for UTC) or in seconds \
                since 1970.
                """
        )
    }

    @Test func theErrorOfADateNamesThePathOfNullAndOtherTypes() {
        expect(
            text(of: #"{"posts":[{"created":null}]}"#),
            "The value at 'posts[0].created' is missing or null where Date is expected."
        )
        for json in ["true", "[]", "{}"] {
            expect(
                text(of: #"{"posts":[{"created":\#(json)}]}"#),
                "The value at 'posts[0].created' is not of the type expected, Date."
            )
        }
    }

    @Test func anOptionalDateMayBeNull() throws {
        let dates: [Date?] = try DefaultDecoder().decode(data: Data("[null,0]".utf8))
        expect(dates, [nil, Date(timeIntervalSince1970: 0)])
    }
}
