import Foundation
import Synchronization

@testable import JSONDecoding
@testable import NetworkClient

/// A value that is decoded by random methods of the containers, with what each returned.
///
/// Two decoders take the same steps as long as they return the same.
struct RandomWalk: Decodable {
    let lines: [String]

    @TaskLocal static var state = WalkState(seed: 0)

    init(from decoder: any Decoder) throws {
        Self.state.walk(decoder)
        lines = Self.state.lines
    }
}

/// A value within another one at which the walk goes on.
struct WalkStep: Decodable, CustomStringConvertible {
    init(from decoder: any Decoder) throws {
        RandomWalk.state.walk(decoder)
        if RandomWalk.state.chance(8) { throw WalkError() }
    }

    var description: String { "step" }
}

struct WalkError: Error {}

/// The choices and the steps of one walk.
final class WalkState: Sendable {
    private struct State {
        var lines: [String] = []
        var random: SeededGenerator
        var steps = 80
    }

    private let state: Mutex<State>

    init(seed: UInt64) {
        state = Mutex(State(random: SeededGenerator(seed: seed)))
    }

    var lines: [String] { state.withLock { $0.lines } }
    private var hasSteps: Bool { state.withLock { $0.steps > 0 } }

    func chance(_ count: Int) -> Bool { number(in: 0..<count) == 0 }

    private func number(in range: Range<Int>) -> Int {
        state.withLock { Int.random(in: range, using: &$0.random) }
    }

    private func note(_ text: String) { state.withLock { $0.lines.append(text) } }

    private func attempt<Value>(_ name: String, _ body: () throws -> Value) {
        state.withLock { $0.steps -= 1 }
        do {
            let text = Self.text(of: try body())
            note("\(name) = \(Self.isUnordered(name) ? String(text.sorted()) : text)")
        } catch {
            // Which of several invalid members a dictionary tells of is not determined.
            note("\(name) ! \(Self.isUnordered(name) ? "" : describeFailure(error))")
        }
    }

    /// The description, but not of dates: that of one far in the future ends the process (Foundation of Swift 6.3).
    private static func text(of value: Any) -> String {
        let dates = (value as? [Date]) ?? (value as? Date).map { [$0] }
        return dates.map { "\($0.map(\.timeIntervalSinceReferenceDate))" } ?? "\(value)"
    }

    private static func isUnordered(_ type: String) -> Bool {
        ["Dictionary", "Set", "JSONTree", "ProblemDetails", "Order"].contains { type.contains($0) }
    }

    private typealias Kind = Decodable & SendableMetatype

    private static let types: [any Kind.Type] = [
        Bool.self, String.self, Double.self, Float.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self,
        Int128.self, UInt.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self, UInt128.self, Date.self, Data.self,
        URL.self, UUID.self, Decimal.self, Tree.self, [Int].self, [String].self, [Double].self, [Bool?].self,
        [Tree].self, [[Int]].self, [String: Int].self, [String: String].self, [String: Double].self,
        [String: Tree].self, [Int: Int].self, Set<Int>.self, Int?.self, String?.self, Tree?.self, [Decimal].self,
        [Date].self, Order.self, Order.Customer.self, LossyArray<Tree>.self, LossyArray<Int>.self,
        Either<Int, String>.self, Either<[Int], [String: Int]>.self, JSONTree.self, ProblemDetails.self,
        WalkStep.self, [WalkStep].self, WalkStep?.self, Either<WalkStep, Int>.self,
    ]

    private func type() -> any Kind.Type { Self.types[number(in: Self.types.indices)] }

    func walk(_ decoder: any Decoder) {
        note("at \(decoder.codingPath.map(describe))")
        for _ in 0..<number(in: 1..<4) where hasSteps {
            switch number(in: 0..<3) {
            case 0:
                attempt("keyed") {
                    let container = try decoder.container(keyedBy: Tree.Key.self)
                    walk(container)
                    return container.codingPath.map(describe)
                }
            case 1:
                attempt("unkeyed") {
                    var container = try decoder.unkeyedContainer()
                    walk(&container)
                    return container.codingPath.map(describe)
                }
            default:
                attempt("single") {
                    let container = try decoder.singleValueContainer()
                    walk(container)
                    return container.codingPath.map(describe)
                }
            }
        }
    }

    private func walk(_ container: KeyedDecodingContainer<Tree.Key>) {
        let keys = container.allKeys.map(\.stringValue).sorted()
        note("keys \(keys)")
        for _ in 0..<number(in: 1..<7) where hasSteps {
            let name = chance(5) ? "missing" : keys.isEmpty ? "a" : keys[number(in: keys.indices)]
            let key = Tree.Key(stringValue: name)
            switch number(in: 0..<9) {
            case 0: attempt("contains") { container.contains(key) }
            case 1: attempt("nil") { try container.decodeNil(forKey: key) }
            case 2: attempt("super") { walk(try container.superDecoder()) }
            case 3: attempt("super for") { walk(try container.superDecoder(forKey: key)) }
            case 4: attempt("nested") { walk(try container.nestedContainer(keyedBy: Tree.Key.self, forKey: key)) }
            case 5:
                attempt("nested unkeyed") {
                    var nested = try container.nestedUnkeyedContainer(forKey: key)
                    walk(&nested)
                }
            case 6: present(type(), container, key)
            default: decode(type(), container, key)
            }
        }
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type,
        _ container: KeyedDecodingContainer<Tree.Key>,
        _ key: Tree.Key
    ) {
        attempt("\(type)") { try container.decode(type, forKey: key) }
    }

    private func present<Value: Decodable>(
        _ type: Value.Type,
        _ container: KeyedDecodingContainer<Tree.Key>,
        _ key: Tree.Key
    ) {
        attempt("\(type)?") { try container.decodeIfPresent(type, forKey: key).map(Self.text) }
    }

    private func walk(_ container: inout any UnkeyedDecodingContainer) {
        note("count \(container.count ?? -1)")
        for _ in 0..<number(in: 1..<9) where hasSteps {
            note("\(container.currentIndex) \(container.isAtEnd)")
            switch number(in: 0..<8) {
            case 0: attempt("nil") { try container.decodeNil() }
            case 1: attempt("super") { walk(try container.superDecoder()) }
            case 2: attempt("nested") { walk(try container.nestedContainer(keyedBy: Tree.Key.self)) }
            case 3:
                attempt("nested unkeyed") {
                    var nested = try container.nestedUnkeyedContainer()
                    walk(&nested)
                }
            case 4: present(type(), &container)
            default: decode(type(), &container)
            }
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ container: inout any UnkeyedDecodingContainer) {
        attempt("\(type)") { try container.decode(type) }
    }

    private func present<Value: Decodable>(_ type: Value.Type, _ container: inout any UnkeyedDecodingContainer) {
        attempt("\(type)?") { try container.decodeIfPresent(type).map(Self.text) }
    }

    private func walk(_ container: any SingleValueDecodingContainer) {
        attempt("nil") { container.decodeNil() }
        decode(type(), container)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ container: any SingleValueDecodingContainer) {
        attempt("\(type)") { try container.decode(type) }
    }
}
