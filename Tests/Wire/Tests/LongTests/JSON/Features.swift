#if os(Linux)
import Foundation

@testable import JSONDecoding

/// A value of every kind of type that the compiler or a library makes decodable.
struct Features: Decodable, Equatable {
    var dog: Dog
    @Defaulted var given: Int = 0
    @Defaulted var wrong: Int = 0
    @Defaulted var absent: Int = 0
    var shapes: [Shape]
    var codes: [Code: Int]
    var levels: [Level: String]
    var colours: [Colour: Int]
    var pairs: [Double: Bool]
    var set: Set<Int>
    var nested: [[String: [Int?]]]
    var optional: String??
    var range: Range<Int>
    var bytes: [UInt8]
    var uuid: UUID
    var slice: ContiguousArray<String>
    var names: [String: Colour?]

    static let json = """
        {"dog": {"age": 3, "super": {"name": "Rex"}}, "given": 5, "wrong": "x", "shapes": [\
        {"circle": {"radius": 1.5}}, {"rectangle": {"width": 1, "height": 2}}, {"point": {}}, \
        {"labelled": {"_0": "é", "at": [1, 2]}}], \
        "codes": {"x": 1, "y": 2}, "levels": {"1": "a", "2": "b"}, "colours": ["red", 1, "green", 2], \
        "pairs": [1.5, true, 2.5, false], "set": [3, 1, 2], "nested": [{"a": [1, null]}, {}], "optional": null, \
        "range": [1, 5], "bytes": [0, 255], "uuid": "E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "slice": ["p", "q"], \
        "names": {"snake_case": "red", "other": null}}
        """
}

/// Classes, whose superclass has a decoder of its own.
class Animal: Decodable, Equatable {
    var name: String
    enum Key: String, CodingKey { case name }
    required init(from decoder: any Decoder) throws {
        name = try decoder.container(keyedBy: Key.self).decode(String.self, forKey: .name)
    }
    static func == (one: Animal, other: Animal) -> Bool { one.name == other.name }
}
final class Dog: Animal {
    var age: Int
    enum DogKey: String, CodingKey { case age }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: DogKey.self)
        age = try container.decode(Int.self, forKey: .age)
        try super.init(from: container.superDecoder())
    }
}

@propertyWrapper struct Defaulted: Decodable, Equatable {
    var wrappedValue: Int
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
    init(from decoder: any Decoder) throws {
        wrappedValue = (try? decoder.singleValueContainer().decode(Int.self)) ?? -1
    }
}
extension KeyedDecodingContainer {
    func decode(_ type: Defaulted.Type, forKey key: Key) throws -> Defaulted {
        try decodeIfPresent(type, forKey: key) ?? Defaulted(wrappedValue: -2)
    }
}

enum Shape: Decodable, Equatable {
    case circle(radius: Double)
    case rectangle(width: Double, height: Double)
    case point
    case labelled(String, at: [Int])
}

struct Code: RawRepresentable, Hashable, Decodable, CodingKeyRepresentable {
    var rawValue: String
    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
    init?(rawValue: String) { if rawValue == "bad" { return nil } else { self.rawValue = rawValue } }
    var codingKey: any CodingKey { Key(stringValue: rawValue) }
    init?(codingKey: some CodingKey) { self.init(rawValue: codingKey.stringValue) }
}
enum Level: Int, Decodable, CodingKeyRepresentable { case low = 1, high = 2 }
enum Colour: String, Decodable { case red, green }

/// A dictionary of numbers, or none if a value is of another type.
struct Forgiving: Decodable, Equatable {
    let values: [String: Int]?

    init(from decoder: any Decoder) throws {
        do {
            values = try decoder.singleValueContainer().decode([String: Int].self)
        } catch is DecodingError {
            values = nil
        }
    }
}

/// The values of keys that consist of as many x.
struct LongKeys: Decodable, Equatable {
    let values: [Int: Int?]

    init(values: [Int: Int?]) {
        self.values = values
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Tree.Key.self)
        let lengths = JSONToken.longLength...JSONToken.longLength + 2
        let found = try lengths.map { length in
            let key = Tree.Key(stringValue: String(repeating: "x", count: length))
            return (length, try container.decodeIfPresent(Int.self, forKey: key))
        }
        values = Dictionary(uniqueKeysWithValues: found)
    }
}
#endif
