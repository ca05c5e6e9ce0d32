@testable import NetworkUtilities

struct FormValueEncoderTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try DefaultFormEncoder().encode(of: value), as: UTF8.self).withBrackets
    }

    private enum Colour: String, Encodable { case red, green }

    private enum Level: Int, Encodable { case low = 1 }

    private struct Item: Encodable {
        var zebra = "z"
        var apple: Int? = nil
        var monkey = true
        var colour = Colour.green
        var level = Level.low
        var labels = ["b": 2, "a": 1]
        var list = [1.5, 2]
        var price: Decimal? = Decimal(string: "0.10")
    }

    @Test(.spec(41)) func propertiesAreWrittenInTheirOrderAlsoAmongParameters() throws {
        let expected =
            "zebra=z&monkey=true&colour=green&level=1&labels[a]=1&labels[b]=2&list[]=1.5&list[]=2.0&price=0.1"
        expect(try text(Item()), expected)
        let params: Params = ["item": Item(zebra: "é", list: []), "items": [["n": Colour.red]]]
        expect(
            try DefaultFormEncoder().percentEncodedString(params: params).withBrackets,
            "item[zebra]=%C3%A9&item[monkey]=true&item[colour]=green&item[level]=1&item[labels][a]=1&item[labels][b]=2"
                + "&item[price]=0.1&items[0][n]=red"
        )
    }

    private class Animal: Encodable {
        let name = "Rex"
    }

    private final class Dog: Animal {
        enum CodingKeys: String, CodingKey { case barks, parent }
        let usesSuperEncoder: Bool

        init(usesSuperEncoder: Bool) { self.usesSuperEncoder = usesSuperEncoder }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(true, forKey: .barks)
            if usesSuperEncoder {
                try super.encode(to: container.superEncoder())
                try super.encode(to: container.superEncoder(forKey: .parent))
            } else {
                try super.encode(to: encoder)
            }
        }
    }

    @Test func classesEncodeTheirSuperclass() throws {
        expect(try text(Dog(usesSuperEncoder: false)), "barks=true&name=Rex")
        expect(try text(Dog(usesSuperEncoder: true)), "barks=true&super[name]=Rex&parent[name]=Rex")
    }

    /// Encodes itself by a closure.
    private struct Custom: Encodable {
        enum Key: String, CodingKey { case a, b, c }
        let body: @Sendable (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try body(encoder) }

        /// A value that encodes itself by the container of an object.
        static func object(_ body: @escaping @Sendable (inout KeyedEncodingContainer<Key>) throws -> Void) -> Custom {
            Custom { encoder in
                var object = encoder.container(keyedBy: Key.self)
                try body(&object)
            }
        }
    }

    @Test func nestedContainersAreWrittenInAForm() throws {
        let value = Custom.object { object in
            var nested = object.nestedContainer(keyedBy: Custom.Key.self, forKey: .b)
            try nested.encode(1, forKey: .c)
            var list = object.nestedUnkeyedContainer(forKey: .a)
            try list.encode("x")
            try list.encodeNil()
            var inner = list.nestedContainer(keyedBy: Custom.Key.self)
            try inner.encode(UInt8(2), forKey: .a)
            var innerList = list.nestedUnkeyedContainer()
            try innerList.encode(contentsOf: [3, 4])
            var single = list.superEncoder().singleValueContainer()
            try single.encode(Float(0.5))
            expect(list.count, 5)
            try object.encodeNil(forKey: .c)
            try object.encodeIfPresent(Int?.none, forKey: .c)
        }
        expect(try text(value), "b[c]=1&a[0]=x&a[2][a]=2&a[3][]=3&a[3][]=4&a[4]=0.5")
    }

    @Test func aListDoesNotCountAnElementThatFailsToEncode() throws {
        let list = Custom { encoder in
            var list = encoder.unkeyedContainer()
            #expect(throws: ValueFailure.self) { try list.encode(Double.nan) }
            expect(list.count, 0)
            try list.encode("x")
            expect(list.count, 1)
            try list.encode(Double.infinity)
        }
        #expect(throws: BodyEncodingError.form(path: "a[1]", reason: "is not a finite number")) {
            try text(["a": list])
        }
    }

    @Test func aFormOfManyKeysKeepsTheirOrderAndTheLastValueOfEach() throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: AnyCodingKey.self)
            for number in 0..<1_000 { try object.encode(number, forKey: AnyCodingKey("n\(number % 500)")) }
        }
        expect(try text(value), (0..<500).map { "n\($0)=\($0 + 500)" }.joined(separator: "&"))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @Test func aFormHoldsIntegersOfAnyWidth() throws {
        struct Wide: Encodable {
            let signed = Int128.min
            let unsigned = UInt128.max
            let list = [Int128(1)]
            let custom = Custom { encoder in
                var list = encoder.unkeyedContainer()
                try list.encode(Int128(2))
                var single = list.superEncoder().singleValueContainer()
                try single.encode(UInt128(3))
            }
        }
        let expected =
            "signed=-170141183460469231731687303715884105728&unsigned=340282366920938463463374607431768211455"
            + "&list[]=1&custom[]=2&custom[]=3"
        expect(try text(Wide()), expected)
    }

    @Test func aValueThatEncodesNothingIsAnEmptyFormAndOneWithoutNamesAnError() throws {
        struct Empty: Encodable {}
        let empty: [any Encodable] = [Empty(), Custom { _ in }, Optional<Item>.none, ["a": Empty()]]
        for value in empty { expect(try text(value), "") }
        let error = BodyEncodingError.form(path: "", reason: "is not an object, so its parts have no names")
        let nameless: [any Encodable] = ["x", [1], true, Colour.red, Date(timeIntervalSince1970: 0)]
        for value in nameless { #expect(throws: error) { try text(value) } }
    }

    @Test func aPropertyWithoutAFormIsAnErrorWithItsPath() {
        struct Holder: Encodable {
            var data: Data?
            var numbers: [Double] = []
        }
        struct Failure: Error { let secret = "secret" }
        let bytes = "contains bytes, which have no text form; convert them first, for example to Base64"
        let thrown = "cannot be encoded: its type threw an error of the type Failure"
        let rows: [(Params, String, String)] = [
            (["h": Holder(data: Data([1]))], "h[data]", bytes),
            (["h": Holder(numbers: [1, -.infinity])], "h[numbers][1]", "is not a finite number"),
            (["v": Custom { _ in throw Failure() }], "v", thrown),
            (["v": Custom { _ in throw BodyEncodingError.json(path: "x", reason: "is bad") }], "x", "is bad"),
            (
                [
                    "v": Custom { encoder in
                        let path = encoder.codingPath
                        throw EncodingError.invalidValue("secret", .init(codingPath: path, debugDescription: "secret"))
                    }
                ], "v", "cannot be encoded"
            ),
        ]
        for (params, path, reason) in rows {
            #expect(throws: BodyEncodingError.form(path: path, reason: reason)) {
                try DefaultFormEncoder().encode(params)
            }
        }
    }

    private static let encodedTwice = [
        Custom.object { object in
            try object.encode(1, forKey: .a)
            _ = object.superEncoder(forKey: .a).container(keyedBy: Custom.Key.self)
        },
        Custom.object { object in
            try object.encode(1, forKey: .a)
            _ = object.nestedUnkeyedContainer(forKey: .a)
        },
        Custom.object { object in
            _ = object.nestedContainer(keyedBy: Custom.Key.self, forKey: .a)
            _ = object.nestedUnkeyedContainer(forKey: .a)
        },
        Custom.object { object in
            _ = object.nestedContainer(keyedBy: Custom.Key.self, forKey: .a)
            try object.encode(Int8(2), forKey: .a)
        },
    ]

    @Test func aValueOrKeyThatIsEncodedInTwoWaysIsAnError() {
        let values = [
            Custom { encoder in
                _ = encoder.container(keyedBy: Custom.Key.self)
                _ = encoder.unkeyedContainer()
            },
            Custom { encoder in
                _ = encoder.unkeyedContainer()
                var single = encoder.singleValueContainer()
                try single.encode(1)
            },
            Custom { encoder in
                var single = encoder.singleValueContainer()
                try single.encode(1)
                _ = encoder.container(keyedBy: Custom.Key.self)
            },
        ]
        for (path, value) in values.map({ ("v", $0) }) + Self.encodedTwice.map({ ("v[a]", $0) }) {
            #expect(throws: BodyEncodingError.form(path: path, reason: "encodes itself in two ways")) {
                try text(["v": value])
            }
        }
        let textLast = Custom.object { object in
            var nested = object.nestedContainer(keyedBy: Custom.Key.self, forKey: .a)
            try nested.encode(1, forKey: .b)
            try object.encode("x", forKey: .a)
        }
        let error = #expect(throws: BodyEncodingError.self) { try text(["v": textLast]) }
        expect(error?.description.hasSuffix("encodes itself in two ways."), true)
    }

    @Test func endlessFormValuesAreErrors() {
        let keyed = Custom { encoder in
            var container = encoder.container(keyedBy: Custom.Key.self)
            for _ in 0..<2_000 { container = container.nestedContainer(keyedBy: Custom.Key.self, forKey: .a) }
        }
        let unkeyed = Custom { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 0..<2_000 { container = container.nestedUnkeyedContainer() }
        }
        let supers = Custom { encoder in
            var encoder = encoder
            for _ in 0..<2_000 {
                var container = encoder.unkeyedContainer()
                encoder = container.superEncoder()
            }
        }
        for value in [keyed, unkeyed, supers] {
            let error = #expect(throws: BodyEncodingError.self) { try text(value) }
            guard case .form(_, let reason) = error else { continue }
            expect(reason, "is nested deeper than 64 levels")
        }
    }

    @Test func theCodingPathOfAFormEncoderIsThatOfTheValue() throws {
        let value = Custom { encoder in
            expect(encoder.codingPath.map(\.stringValue), ["v", "0"])
            expect(encoder.codingPath.last?.intValue, 0)
            expect(encoder.userInfo.count, 0)
            var container = encoder.container(keyedBy: Custom.Key.self)
            expect(container.codingPath.count, 2)
            let list = container.nestedUnkeyedContainer(forKey: .a)
            expect(list.codingPath.map(\.stringValue), ["v", "0", "a"])
            expect(encoder.singleValueContainer().codingPath.count, 2)
        }
        _ = try text(["v": [value]])
    }

    @Test func theLastValueOfAKeyWinsAndItsContainersAreMerged() throws {
        let values = [
            Custom.object { object in
                try object.encode(1, forKey: .a)
                try object.encode(2, forKey: .b)
                try object.encode(3, forKey: .a)
            },
            Custom.object { object in
                try object.encode(1, forKey: .a)
                try object.encode(2, forKey: .b)
                _ = object.superEncoder(forKey: .a)
            },
            Custom.object { object in
                try object.encode(1, forKey: .a)
                try object.encode(2, forKey: .b)
                var container = object.superEncoder(forKey: .a).singleValueContainer()
                try container.encode(3)
            },
            Custom.object { object in
                var container = object.superEncoder(forKey: .a).singleValueContainer()
                try container.encode(1)
                try object.encode(2, forKey: .b)
                try object.encode(3, forKey: .a)
            },
            Custom.object { object in
                var nested = object.nestedContainer(keyedBy: Custom.Key.self, forKey: .a)
                try nested.encode(1, forKey: .b)
                var again = object.superEncoder(forKey: .a).container(keyedBy: Custom.Key.self)
                try again.encode(2, forKey: .c)
                try nested.encode(3, forKey: .a)
            },
        ]
        let expected = ["a=3&b=2", "a=1&b=2", "a=3&b=2", "a=3&b=2", "a[b]=1&a[c]=2&a[a]=3"]
        expect(try values.map { try text($0) }, expected)
    }
}
