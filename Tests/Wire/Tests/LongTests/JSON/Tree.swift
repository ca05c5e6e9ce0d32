#if os(Linux)
import Foundation

/// A value of any shape, found by trying.
indirect enum Tree: Decodable, Equatable, CustomStringConvertible {
    case null, bool(Bool), integer(Int64), number(Double), string(String), array([Tree]), object([String: Tree])

    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int?
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var members: [String: Tree] = [:]
            // Sorted, so that of several errors the first is the same.
            for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                members[key.stringValue] = try container.decode(Tree.self, forKey: key)
            }
            self = .object(members)
        } else if var container = try? decoder.unkeyedContainer() {
            var elements: [Tree] = []
            while !container.isAtEnd { elements.append(try container.decode(Tree.self)) }
            self = .array(elements)
        } else {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let value = try? container.decode(Bool.self) {
                self = .bool(value)
            } else if let value = try? container.decode(Int64.self) {
                self = .integer(value)
            } else if let value = try? container.decode(Double.self) {
                self = .number(value)
            } else {
                self = .string(try container.decode(String.self))
            }
        }
    }
}

extension Tree {
    /// The same for equal values, unlike that of a dictionary.
    var description: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let value): "\(value)"
        case .string(let value): "'\(value)'"
        case .array(let elements): "\(elements)"
        case .object(let members):
            "\(members.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", "))"
        }
    }
}
#endif
