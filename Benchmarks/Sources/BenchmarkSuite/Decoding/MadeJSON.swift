import Foundation

/// A JSON text for a model: the model decodes itself from made-up values, which are written down in its order.
///
/// The same model always has the same text. Values look like those of a member with their name.
final class MadeJSON {
    /// How the names of members are written.
    enum Naming {
        case camelCase, snakeCase
    }

    fileprivate var text = ""
    fileprivate let naming: Naming
    /// The members that some objects don't have.
    fileprivate let rare: Set<String>
    fileprivate var random: UInt64 = 1

    private init(_ naming: Naming, rare: Set<String>) {
        self.naming = naming
        self.rare = rare
    }

    /// Returns the text of an array of so many values of a type.
    static func array<Value: Decodable>(
        of type: Value.Type,
        count: Int,
        _ naming: Naming = .snakeCase,
        rare: Set<String> = []
    ) throws -> String {
        let json = MadeJSON(naming, rare: rare)
        for index in 0..<count {
            json.text += index == 0 ? "[" : ","
            _ = try json.value(type, named: "")
        }
        return json.text + "]"
    }

    /// A number below a limit, from a linear congruential generator.
    fileprivate func number(below limit: UInt64) -> UInt64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (random >> 33) % limit
    }

    fileprivate func value<Value: Decodable>(_ type: Value.Type, named name: String) throws -> Value {
        if let scalar = scalar(type, named: name) {
            text += scalar
            return try JSONDecoder().decode(type, from: Data(scalar.utf8))
        }
        let isArray = type is any RangeReplaceableCollection.Type
        text += isArray ? "[" : "{"
        defer { text += isArray ? "]" : "}" }
        return try type.init(from: MadeValue(json: self, name: name))
    }

    private func scalar(_ type: any Decodable.Type, named name: String) -> String? {
        switch type {
        case is Bool.Type: number(below: 2) == 0 ? "true" : "false"
        case is Int.Type: "\(number(below: name.hasSuffix("id") ? 2_000_000_000 : 30_000))"
        case is Double.Type: "\(Double(number(below: 100_000)) / 100)"
        case is UUID.Type: "\"\(String(format: "%08X-%04X-4A5B-8C6D-%012X", part, part % 0xFFFF, part))\""
        case is String.Type: "\"\(string(named: name.lowercased()))\""
        default: nil
        }
    }

    private var part: UInt64 { number(below: 1 << 31) }

    private func string(named name: String) -> String {
        if name.hasSuffix("url") {
            return "https://api.example.com/repos/octo-org/repository-\(number(below: 999))/\(name.dropLast(3)){/sha}"
        }
        if name.hasSuffix("edat") { return "2024-01-1\(number(below: 10))T03:04:05Z" }
        if name.hasSuffix("id") || name.hasSuffix("idstr") { return "ob_3MmlLrLkdIwHu\(part)" }
        if name == "text" || name == "description" {
            let text = "日本語の文章です。" + String(repeating: "拡散する ", count: Int(number(below: 6)))
            return number(below: 3) == 0 ? text + #"\n\"quoted\""# : text
        }
        let words = ["normal", "card", "usd", "octo-org/repository", "2023-10-16", "default_incomplete"]
        return words[Int(number(below: 6))]
    }
}

/// The decoder of a made-up object or array.
private struct MadeValue: Decoder {
    let json: MadeJSON
    let name: String
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(MadeMembers(json: json, parent: name))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        MadeElements(json: json, name: name, count: Int(json.number(below: 3)))
    }

    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unmade() }
}

/// A model asks for more than synthesised code does.
private struct Unmade: Error {}

private struct MadeMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let json: MadeJSON
    let parent: String
    let codingPath: [any CodingKey] = []
    let allKeys: [Key] = []

    /// A member is not within one of the same name.
    func contains(_ key: Key) -> Bool {
        key.stringValue != parent && (!json.rare.contains(key.stringValue) || json.number(below: 2) == 0)
    }

    func decodeNil(forKey key: Key) -> Bool {
        let isNull = json.number(below: 3) == 0
        if isNull { write(key, "null") }
        return isNull
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        write(key, "")
        return try json.value(type, named: key.stringValue)
    }

    private func write(_ key: Key, _ value: String) {
        if json.text.last != "{" { json.text += "," }
        var name = key.stringValue
        if json.naming == .snakeCase {
            name = name.reduce(into: "") { $0 += $1.isUppercase ? "_" + $1.lowercased() : String($1) }
        }
        json.text += "\"\(name)\":\(value)"
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { throw Unmade() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw Unmade() }
    func superDecoder() throws -> any Decoder { throw Unmade() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw Unmade() }
}

private struct MadeElements: UnkeyedDecodingContainer {
    let json: MadeJSON
    let name: String
    let count: Int?
    let codingPath: [any CodingKey] = []
    var currentIndex = 0

    init(json: MadeJSON, name: String, count: Int) {
        (self.json, self.name, self.count) = (json, name, count)
    }

    var isAtEnd: Bool { currentIndex == count }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if currentIndex > 0 { json.text += "," }
        currentIndex += 1
        return try json.value(type, named: name)
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { throw Unmade() }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unmade() }
    mutating func superDecoder() throws -> any Decoder { throw Unmade() }
}
