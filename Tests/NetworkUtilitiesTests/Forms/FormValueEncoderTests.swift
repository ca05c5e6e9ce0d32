import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct FormValueEncoderTests {
    private func text(_ value: some Encodable) throws -> String {
        String(decoding: try DefaultFormEncoder().encode(of: value), as: UTF8.self)
            .replacingOccurrences(of: "%5B", with: "[").replacingOccurrences(of: "%5D", with: "]")
    }

    private enum Colour: String, Encodable {
        case red, green
    }

    private enum Level: Int, Encodable {
        case low = 1
    }

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

    @Test(.spec(41)) func propertiesAreWrittenInTheirOrder() throws {
        let expected =
            "zebra=z&monkey=true&colour=green&level=1&labels[a]=1&labels[b]=2&list[]=1.5&list[]=2.0&price=0.1"
        #expect(try text(Item()) == expected)
    }

    @Test func anEncodableValueMayStandAmongParameters() throws {
        let params: Params = ["item": Item(zebra: "é", list: []), "items": [["n": Colour.red]]]
        let expected =
            "item%5Bzebra%5D=%C3%A9&item%5Bmonkey%5D=true&item%5Bcolour%5D=green&item%5Blevel%5D=1"
            + "&item%5Blabels%5D%5Ba%5D=1&item%5Blabels%5D%5Bb%5D=2&item%5Bprice%5D=0.1&items%5B0%5D%5Bn%5D=red"
        #expect(try DefaultFormEncoder().percentEncodedString(params: params) == expected)
    }

    private class Animal: Encodable {
        let name = "Rex"
    }

    private final class Dog: Animal {
        enum CodingKeys: String, CodingKey { case barks, parent }
        let usesSuperEncoder: Bool

        init(usesSuperEncoder: Bool) {
            self.usesSuperEncoder = usesSuperEncoder
        }

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
        #expect(try text(Dog(usesSuperEncoder: false)) == "barks=true&name=Rex")
        #expect(try text(Dog(usesSuperEncoder: true)) == "barks=true&super[name]=Rex&parent[name]=Rex")
    }

    /// Encodes itself by a closure.
    private struct Custom: Encodable {
        enum Key: String, CodingKey { case a, b, c }
        let body: @Sendable (any Encoder) throws -> Void

        func encode(to encoder: any Encoder) throws { try body(encoder) }
    }

    @Test func nestedContainersAreWrittenInAForm() throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Custom.Key.self)
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
            #expect(list.count == 5)
            try object.encodeNil(forKey: .c)
            try object.encodeIfPresent(Int?.none, forKey: .c)
        }
        #expect(try text(value) == "b[c]=1&a[0]=x&a[2][a]=2&a[3][]=3&a[3][]=4&a[4]=0.5")
    }

    @Test func anElementThatCannotBeEncodedIsNotCounted() throws {
        let list = Custom { encoder in
            var list = encoder.unkeyedContainer()
            #expect(throws: BodyEncodingError.self) { try list.encode(Double.nan) }
            #expect(list.count == 0)
            try list.encode("x")
            #expect(list.count == 1)
            try list.encode(Double.infinity)
        }
        #expect(throws: BodyEncodingError.form(path: "a[1]", reason: "is not a finite number")) {
            try text(["a": list])
        }
    }

    @Test func aFormOfManyKeysKeepsTheirOrderAndTheLastValueOfEach() throws {
        struct Name: CodingKey {
            let stringValue: String
            let intValue: Int? = nil
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Name.self)
            for number in 0..<1_000 { try object.encode(number, forKey: Name(stringValue: "n\(number % 500)")) }
        }
        #expect(try text(value) == (0..<500).map { "n\($0)=\($0 + 500)" }.joined(separator: "&"))
    }

    @Test func theLastValueOfAKeyWins() throws {
        let value = Custom { encoder in
            var object = encoder.container(keyedBy: Custom.Key.self)
            try object.encode(1, forKey: .a)
            try object.encode(2, forKey: .b)
            try object.encode(3, forKey: .a)
        }
        #expect(try text(value) == "a=3&b=2")
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
        #expect(try text(Wide()) == expected)
    }

    @Test func aValueThatEncodesNothingIsAnEmptyForm() throws {
        struct Empty: Encodable {}
        #expect(try text(Empty()) == "")
        #expect(try text(Custom { _ in }) == "")
        #expect(try text(Optional<Item>.none) == "")
        #expect(try text(["a": Empty()]) == "")
    }

    @Test(arguments: ["x", [1], true, Colour.red, Date(timeIntervalSince1970: 0)] as [any Encodable & Sendable])
    func aFormOfAValueWithoutNamesIsAnError(value: any Encodable & Sendable) {
        let error = BodyEncodingError.form(path: "", reason: "is not an object, so its parts have no names")
        #expect(throws: error) { try text(value) }
    }

    @Test func aPropertyWithoutAFormIsAnErrorWithItsPath() {
        struct Holder: Encodable {
            var data: Data?
            var numbers: [Double] = []
        }
        let bytes = "contains bytes, which have no text form; convert them first, for example to Base64"
        #expect(throws: BodyEncodingError.form(path: "h[data]", reason: bytes)) {
            try DefaultFormEncoder().encode(["h": Holder(data: Data([1]))])
        }
        #expect(throws: BodyEncodingError.form(path: "numbers[1]", reason: "is not a finite number")) {
            try text(Holder(numbers: [1, -.infinity]))
        }
    }

    @Test func aValueThatEncodesItselfInTwoWaysIsAnError() {
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
        for value in values {
            #expect(throws: BodyEncodingError.form(path: "v", reason: "encodes itself in two ways")) {
                try text(["v": value])
            }
        }
    }

    @Test func anErrorThrownByAFormValueIsReportedByItsType() {
        struct Failure: Error { let secret = "secret" }
        let reason = "cannot be encoded: its type threw an error of the type Failure"
        #expect(throws: BodyEncodingError.form(path: "v", reason: reason)) {
            try text(["v": Custom { _ in throw Failure() }])
        }
        let refusing = Custom { encoder in
            throw EncodingError.invalidValue(
                "secret",
                .init(codingPath: encoder.codingPath, debugDescription: "secret")
            )
        }
        #expect(throws: BodyEncodingError.form(path: "v", reason: "cannot be encoded")) { try text(["v": refusing]) }
    }

    private final class Cycle: Encodable {
        var next: Cycle?
    }

    private struct Mirror: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    @Test func endlessFormValuesAreErrors() {
        let cycle = Cycle()
        cycle.next = cycle
        defer { cycle.next = nil }
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
        for value in [cycle, Mirror(), keyed, unkeyed, supers] as [any Encodable] {
            let error = #expect(throws: BodyEncodingError.self) { try text(value) }
            guard case .form(_, let reason) = error else { continue }
            #expect(reason == "is nested deeper than 64 levels")
        }
    }

    @Test func theCodingPathOfAFormEncoderIsThatOfTheValue() throws {
        let value = Custom { encoder in
            #expect(encoder.codingPath.map(\.stringValue) == ["v", "0"])
            #expect(encoder.codingPath.last?.intValue == 0)
            #expect(encoder.userInfo.isEmpty)
            var container = encoder.container(keyedBy: Custom.Key.self)
            #expect(container.codingPath.count == 2)
            let list = container.nestedUnkeyedContainer(forKey: .a)
            #expect(list.codingPath.map(\.stringValue) == ["v", "0", "a"])
            #expect(encoder.singleValueContainer().codingPath.count == 2)
        }
        _ = try text(["v": [value]])
    }
}
