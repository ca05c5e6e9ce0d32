@testable import NetworkUtilities

/// How deep a value may be, which must not depend on the way that it takes into a form.
struct FormValueTests {
    private static let levels = FormPath.greatestDepth
    private let root = FormPath.root(FormStyle())

    /// A value of the commonest types, which are converted early, and one of others.
    private static let leaves: [any Encodable & Sendable] = [
        "x", 1, true, 1.5, "x" as String?, Int8(1), UUID(), URL(fileURLWithPath: "/x"),
    ]

    private func tooDeep(_ key: String) -> ValueFailure {
        let rest = String(repeating: "[\(key)]", count: Self.levels - 1)
        return ValueFailure(path: key + rest, reason: "is nested deeper than \(Self.levels) levels")
    }

    /// How many objects or arrays are around the text of a value.
    private func depth(_ value: FormValue) -> Int? {
        var (value, depth) = (value, 0)
        while true {
            switch value {
            case .null: return nil
            case .text: return depth
            case .array(let elements): value = elements.first ?? .null
            case .object(let fields): value = fields.first?.value ?? .null
            }
            depth += 1
        }
    }

    /// What the levels are made of.
    private enum Way: CaseIterable { case objects, arrays, nestedObjects, nestedArrays }

    private enum Key: CodingKey { case k }

    /// Encodes itself as the leaf, within so many containers.
    private struct Nest<Leaf: Encodable>: Encodable {
        let way: Way
        let levels: Int
        let leaf: Leaf

        private var inner: Nest { Nest(way: way, levels: levels - 1, leaf: leaf) }

        func encode(to encoder: any Encoder) throws {
            switch way {
            case .objects:
                var container = encoder.container(keyedBy: Key.self)
                if levels > 1 {
                    try container.encode(inner, forKey: .k)
                } else {
                    try container.encode(leaf, forKey: .k)
                }
            case .arrays:
                var container = encoder.unkeyedContainer()
                if levels > 1 { try container.encode(inner) } else { try container.encode(leaf) }
            case .nestedObjects:
                var container = encoder.container(keyedBy: Key.self)
                for _ in 1..<levels { container = container.nestedContainer(keyedBy: Key.self, forKey: .k) }
                try container.encode(leaf, forKey: .k)
            case .nestedArrays:
                var container = encoder.unkeyedContainer()
                for _ in 1..<levels { container = container.nestedUnkeyedContainer() }
                try container.encode(leaf)
            }
        }
    }

    @Test(arguments: leaves) func aTextMayBeAtTheMaximumDepthOfAForm(leaf: any Encodable & Sendable) throws {
        func objects(_ levels: Int) -> Any { (0..<levels).reduce(leaf as Any) { value, _ in ["k": value] } }
        func arrays(_ levels: Int) -> Any { (0..<levels).reduce(leaf as Any) { value, _ in [value] } }
        expect(depth(try FormValue(objects(Self.levels), at: root)), Self.levels)
        expect(depth(try FormValue(arrays(Self.levels), at: root)), Self.levels)
        expect(depth(.object(try root.fields(of: ["k": objects(Self.levels - 1)]))), Self.levels)
        #expect(throws: tooDeep("k")) { try FormValue(objects(Self.levels + 1), at: root) }
        #expect(throws: tooDeep("0")) { try FormValue(arrays(Self.levels + 1), at: root) }
        #expect(throws: tooDeep("k")) { try root.fields(of: ["k": objects(Self.levels)]) }
    }

    @Test(arguments: leaves, Way.allCases)
    private func anEncodableValueMayBeAtTheMaximumDepthOfAForm(leaf: any Encodable & Sendable, way: Way) throws {
        func value(_ leaf: some Encodable, levels: Int) throws -> FormValue {
            try FormValue(encoding: Nest(way: way, levels: levels, leaf: leaf), at: root)
        }
        expect(depth(try value(leaf, levels: Self.levels)), Self.levels)
        let isArray = way == .arrays || way == .nestedArrays
        #expect(throws: tooDeep(isArray ? "0" : "k")) { try value(leaf, levels: Self.levels + 1) }
    }

    /// Encodes itself as another value, which counts as a level although it has no name.
    private struct Wrapped: Encodable {
        let text = "x"

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    @Test func aValueThatEncodesAsAnotherAddsToTheDepth() throws {
        let value = Nest(way: .objects, levels: Self.levels - 1, leaf: Wrapped())
        expect(depth(try FormValue(encoding: value, at: root)), Self.levels - 1)
        let deeper = Nest(way: .objects, levels: Self.levels, leaf: Wrapped())
        #expect(throws: tooDeep("k")) { try FormValue(encoding: deeper, at: root) }
    }
}

struct FormPathTests {
    private let root = FormPath.root(FormStyle(booleans: .numeric))

    @Test func aFormPathNamesItsPlaceFromTheOutsideAndKeepsTheStyleAtEveryDepth() throws {
        expect(root.text, "")
        let path = try root.appending(AnyCodingKey("filter")).appending(AnyCodingKey("tags"))
            .appending(nil).appending(AnyCodingKey(intValue: 0))
        expect(path.text, "filter[tags][0]")
        expect(path.keys.map(\.stringValue), ["filter", "tags", "0"])
        expect(path.keys.last?.intValue, 0)
        var deepest = root
        for _ in 0..<FormPath.greatestDepth {
            expect(deepest.isDeepest, false)
            deepest = try deepest.appending(AnyCodingKey(intValue: 1))
        }
        expect(deepest.isDeepest, true)
        expect(deepest.style.booleans, .numeric)
        #expect(throws: ValueFailure.self) { try deepest.appending(nil) }
    }
}
