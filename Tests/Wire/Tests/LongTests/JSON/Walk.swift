#if os(Linux)
import Foundation

/// Every method of the containers, in a fixed order, with what each returned.
struct Walk: Decodable, Equatable {
    enum Key: String, CodingKey { case a, b, c, list, object, missing, `super` }
    private(set) var lines: [String]

    init(from decoder: any Decoder) throws {
        let log = WalkLog()
        try Self.walk(decoder, log)
        lines = log.lines
    }

    private static func walk(_ decoder: any Decoder, _ log: WalkLog) throws {
        let keyed = try decoder.container(keyedBy: Key.self)
        log.note("path", decoder.codingPath)
        log.lines.append(keyed.allKeys.map(\.rawValue).sorted().joined(separator: ","))
        for key in [Key.a, .b, .c, .list, .object, .missing, .super] {
            log.lines.append("\(key) \(keyed.contains(key))")
            log.attempt { try keyed.decodeNil(forKey: key) }
            log.attempt { try keyed.decode(Int.self, forKey: key) }
            log.attempt { try keyed.decode(Bool.self, forKey: key) }
            log.attempt { try keyed.decode(String.self, forKey: key) }
            log.attempt { try keyed.decode(Float.self, forKey: key) }
            log.attempt { try keyed.decode([Int?].self, forKey: key) }
            log.attempt { try keyed.decode([String: Tree].self, forKey: key).count }
            log.attempt { try keyed.decode(Tree?.self, forKey: key) }
            Self.walkOptionals(keyed, key, log)
            log.attempt { try Tree(from: keyed.superDecoder(forKey: key)) }
            log.attempt {
                let nested = try keyed.nestedContainer(keyedBy: Key.self, forKey: key)
                log.note("nested", nested.codingPath)
                log.attempt { try nested.decode(Int.self, forKey: .a) }
                log.attempt { try nested.decode(Date.self, forKey: .b).timeIntervalSinceReferenceDate }
                log.attempt { try nested.superDecoder().codingPath.map(describe) }
                return nested.allKeys.count
            }
            log.attempt {
                var nested = try keyed.nestedUnkeyedContainer(forKey: key)
                log.note("nested", nested.codingPath)
                walk(&nested, log)
                return nested.count
            }
        }
        log.attempt { try Tree(from: keyed.superDecoder()) }
        log.attempt { try keyed.superDecoder().codingPath.map(describe) }
    }

    private static func walkOptionals(_ keyed: KeyedDecodingContainer<Key>, _ key: Key, _ log: WalkLog) {
        log.attempt { try keyed.decodeIfPresent(Int.self, forKey: key) }
        log.attempt { try keyed.decodeIfPresent(Bool.self, forKey: key) }
        log.attempt { try keyed.decodeIfPresent(String.self, forKey: key) }
        log.attempt { try keyed.decodeIfPresent(Double.self, forKey: key) }
        log.attempt { try keyed.decodeIfPresent(UInt128.self, forKey: key) }
        log.attempt { try keyed.decodeIfPresent([Tree].self, forKey: key) }
        log.attempt { try keyed.decodeIfPresent(Date.self, forKey: key)?.timeIntervalSinceReferenceDate }
        log.attempt { try keyed.decodeIfPresent(URL.self, forKey: key) }
        log.attempt { try keyed.decodeIfPresent(UUID.self, forKey: key) }
        log.attempt { try keyed.decode(UUID.self, forKey: key) }
        log.attempt { try keyed.decodeIfPresent(Decimal.self, forKey: key) }
        log.attempt { try keyed.decodeIfPresent(Data.self, forKey: key) }
    }

    /// Takes the elements in turn by every method.
    private static func walk(_ list: inout any UnkeyedDecodingContainer, _ log: WalkLog) {
        for step in 0..<24 {
            log.lines.append("\(list.currentIndex) \(list.isAtEnd)")
            switch step % 12 {
            case 0: log.attempt { try list.decode(Int.self) }
            case 1: log.attempt { try list.decodeNil() }
            case 2: log.attempt { try list.decodeIfPresent(String.self) }
            case 3: log.attempt { try list.decode(Tree.self) }
            case 4: log.attempt { try list.decodeIfPresent(Bool.self) }
            case 5: log.attempt { try list.nestedContainer(keyedBy: Key.self).codingPath.map(describe) }
            case 6: log.attempt { try list.nestedUnkeyedContainer().codingPath.map(describe) }
            case 7: log.attempt { try list.superDecoder().codingPath.map(describe) }
            case 8: log.attempt { try list.decodeIfPresent([Tree].self) }
            case 9: log.attempt { try list.decode(UInt8.self) }
            case 10: log.attempt { try list.decodeIfPresent(Date.self)?.timeIntervalSinceReferenceDate }
            default: log.attempt { try list.decodeIfPresent(Int128.self) }
            }
        }
    }

    static let json = """
        {"a": 1, "b": {"a": 300, "b": "2024-01-02T03:04:05Z"}, "c": [1, null, "x", {}, true, {"a": 1}, [], 7, [1], \
        255, null, 1, "\\ud800", "2024", 1e5], "list": [{}, [1, null, "x"], [[[]]], null, false, {"a": {}}], \
        "object": {}, "super": {"a": null}}
        """
}

final class WalkLog {
    var lines: [String] = []

    func note(_ text: String, _ path: [any CodingKey]) {
        lines.append("\(text) \(path.map(describe))")
    }

    func attempt<Value>(_ step: () throws -> Value) {
        do { lines.append("\(try step())") } catch { lines.append(describeFailure(error)) }
    }
}
#endif
