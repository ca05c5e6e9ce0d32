@testable import NetworkUtilities

/// Values that hold themselves, or others without end, in every way in which a value can encode another.
struct JSONProbeTests {
    enum Holding: CaseIterable, Sendable {
        case property, array, dictionary, singleValue, nestedObject, nestedArray, superclass, swallowed
    }

    private struct Endless: Encodable {
        enum Key: CodingKey { case next }

        let holding: Holding

        func encode(to encoder: any Encoder) throws {
            switch holding {
            case .singleValue:
                var value = encoder.singleValueContainer()
                try value.encode(self)
            case .array:
                var array = encoder.unkeyedContainer()
                try array.encode(1)
                try array.encode([self])
            case .nestedArray:
                var array = encoder.unkeyedContainer()
                var nested = array.nestedUnkeyedContainer()
                try nested.encode(self)
            default:
                var object = encoder.container(keyedBy: Key.self)
                try encode(in: &object)
            }
        }

        private func encode(in object: inout KeyedEncodingContainer<Key>) throws {
            switch holding {
            case .dictionary: try object.encode(["a": self], forKey: .next)
            case .nestedObject:
                var nested = object.nestedContainer(keyedBy: Key.self, forKey: .next)
                try nested.encode(self, forKey: .next)
            case .superclass:
                var value = object.superEncoder().singleValueContainer()
                try value.encode(self)
            case .swallowed: try? object.encode(self, forKey: .next)
            default: try object.encodeIfPresent(self, forKey: .next)
            }
        }
    }

    private final class Node: Encodable {
        var next: Node?

        init(next: Node? = nil) { self.next = next }
    }

    private indirect enum Tree: Encodable {
        case leaf
        case nodes([Tree?])

        func encode(to encoder: any Encoder) throws {
            var value = encoder.singleValueContainer()
            switch self {
            case .leaf: try value.encodeNil()
            case .nodes(let nodes): try value.encode(nodes)
            }
        }
    }

    /// Runs on a thread with the stack that threads other than the main one have on Apple platforms.
    private func onASmallStack<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = 512 << 10
            thread.start()
        }
    }

    private func error(encoding value: some Encodable & Sendable) async -> BodyEncodingError? {
        await onASmallStack { Result { try DefaultJsonEncoder().encode(value) }.failure as? BodyEncodingError }
    }

    @Test(.spec(196)) func anEndlessBodyIsAnErrorThatNamesThePath() async {
        let paths: [Holding: String] = [
            .property: "next.next.next.", .array: "[1][0][1][0]", .dictionary: "next.a.next.a.",
            .nestedObject: "next.next.next.", .nestedArray: "[0][0][0]", .superclass: "super.super.",
            .swallowed: "next.next.", .singleValue: "",
        ]
        for holding in Holding.allCases {
            if case .json(let path, let reason) = await error(encoding: Endless(holding: holding)) {
                #expect(path.hasPrefix(paths[holding] ?? "?"), "\(holding)")
                expect(path.isEmpty, holding == .singleValue)
                expect(reason, "is nested deeper than 128 levels", "\(holding)")
            } else {
                Issue.record("JSON of \(holding)")
            }
            let error = await onASmallStack { () -> (any Error)? in
                Result { try DefaultFormEncoder().encode(["a": Endless(holding: holding)]) }.failure
            }
            if case .form(let path, let reason)? = error as? BodyEncodingError {
                #expect(path.hasPrefix("a"), "\(holding)")
                expect(reason, "is nested deeper than 64 levels", "\(holding)")
            } else {
                // What a form cannot hold is not asked for again, so nothing is endless.
                #expect(holding == .swallowed && error == nil, "\(holding)")
            }
        }
    }

    @Test(.spec(196)) func anObjectThatHoldsItselfIsAnErrorThatNamesThePath() {
        let node = Node()
        node.next = Node(next: node)
        defer { node.next = nil }
        let path = Array(repeating: "next", count: 129).joined(separator: ".")
        #expect(throws: BodyEncodingError.json(path: path, reason: "is nested deeper than 128 levels")) {
            try DefaultJsonEncoder().encode(node)
        }
    }

    @Test(.spec(196)) func aJSONBodyOfTheGreatestDepthFitsOnASmallStack() async throws {
        let lengths = await onASmallStack { () -> [Int?] in
            var (node, tree) = (Node(), Tree.leaf)
            for _ in 0..<128 { node = Node(next: node) }
            // Three values each: the tree, its array, and the optional in it.
            for _ in 0..<42 { tree = .nodes([tree]) }
            let encoder = DefaultJsonEncoder()
            return [try? encoder.encode(node).count, try? encoder.encode(tree).count]
        }
        expect(lengths, [128 * 9 + 2, 42 * 2 + 4])
        var node = Node()
        for _ in 0..<129 { node = Node(next: node) }
        #expect(throws: BodyEncodingError.self) { try DefaultJsonEncoder().encode(node) }
    }

    @Test func aJSONBodyMayHaveAnyNumberOfElementsAndWideIntegersAreNotNested() throws {
        let rows = (0..<300).map { row in (0..<300).map { "\(row)-\($0)" as String? } }
        let data = try DefaultJsonEncoder().encode(rows)
        expect(try JSONDecoder().decode([[String?]].self, from: data), rows)
        guard #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        try JSONProbe.check([Int128.min, .max], userInfo: [:])
        try JSONProbe.check(["a": [UInt128.max]], userInfo: [:])
    }

    @Test func everyNumberAndTextIsEncodedAsByJSONEncoder() throws {
        struct Everything: Encodable {
            let integers = [[Int8(-1)]]
            let narrow: [UInt16?] = [1, nil]
            let wide = UInt64.max
            let float: Float = 0.5
            let character = "é"
            let data = Data([1, 2])
            let url = URL(string: "https://h/")
            let pairs = [1: "a"]
        }
        let expected =
            #"{"character":"é","data":"AQI=","float":0.5,"integers":[[-1]],"narrow":[1,null],"pairs":{"1":"a"},"#
            + #""url":"https://h/","wide":18446744073709551615}"#
        expect(String(decoding: try DefaultJsonEncoder().encode(Everything()), as: UTF8.self), expected)
    }
}

extension Result {
    /// The error; nil for a success.
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
