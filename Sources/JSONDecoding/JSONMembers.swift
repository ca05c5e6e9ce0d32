/// The members of an object by name, for names that can't be compared with the bytes of the text.
///
/// Such keys have escape sequences or characters beyond ASCII, are changed by a strategy, are repeated, or are many.
final class JSONMembers: Sendable {
    /// The names in the order of the text; of equal names, only the first.
    let names: [String]
    private let indices: [Int]
    /// The ``indices`` by name; nil for up to 16 members, where a search is faster.
    private let positions: [String: Int]?

    init(_ document: JSONDocument, _ object: Int, _ path: JSONPath) throws {
        let count = document.childCount(object)
        var names: [String] = []
        var indices: [Int] = []
        names.reserveCapacity(count)
        indices.reserveCapacity(count)
        let isIndexed = count > 16
        var positions: [String: Int] = isIndexed ? Dictionary(minimumCapacity: count) : [:]
        let converter = JSONKeyConverter(document.options.keys, path)
        let end = document.token(object).end
        var key = object + 2
        while key < end {
            let name: String
            do throws(JSONFault) {
                name = converter.converted(try document.string(document.token(key), key))
            } catch {
                throw error.error(at: path)
            }
            let index = document.value(ofKey: key)
            var isFirst = true
            if !isIndexed {
                isFirst = !names.contains(name)
            } else if let first = positions.updateValue(index, forKey: name) {
                positions[name] = first
                isFirst = false
            }
            if isFirst {
                names.append(name)
                indices.append(index)
            }
            key = document.index(afterValue: index)
        }
        (self.names, self.indices, self.positions) = (names, indices, isIndexed ? positions : nil)
    }

    /// Returns the index of the token of a member's value.
    func index(of name: String) -> Int? {
        if let positions { return positions[name] }
        return names.firstIndex(of: name).map { indices[$0] }
    }
}

/// Changes the keys of an object as a strategy of `JSONDecoder` demands.
struct JSONKeyConverter {
    private let strategy: JSONDecoder.KeyDecodingStrategy
    private let path: [any CodingKey]

    init(_ strategy: JSONDecoder.KeyDecodingStrategy, _ path: JSONPath) {
        self.strategy = strategy
        self.path = if case .custom = strategy { path.keys } else { [] }
    }

    func converted(_ key: String) -> String {
        switch strategy {
        case .convertFromSnakeCase: Self.camelCase(key)
        case .custom(let convert): convert(path + [JSONKey(key)]).stringValue
        default: key
        }
    }

    /// Returns whether a key has only ASCII letters, underscores, and digits that no letter of the same word follows.
    private static func isSimple(_ key: String.UTF8View) -> Bool {
        var hasDigit = false
        for byte in key {
            switch byte {
            case UInt8(ascii: "_"): hasDigit = false
            case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if hasDigit { return false }
            default: return false
            }
        }
        return true
    }

    /// Converts a key for which ``isSimple(_:)`` is true, without Foundation.
    private static func camelCase(ofLetters key: [UInt8]) -> String {
        let underscore = UInt8(ascii: "_")
        guard let first = key.firstIndex(where: { $0 != underscore }),
            let last = key.lastIndex(where: { $0 != underscore }), key[first...last].contains(underscore)
        else { return String(decoding: key, as: UTF8.self) }
        var name = Array(key[..<first])
        var beginsWord = false
        for byte in key[first...last] {
            if byte < UInt8(ascii: "A") {
                name.append(byte)
            } else if byte != underscore {
                name.append(beginsWord ? byte & ~0x20 : byte | 0x20)
            }
            beginsWord = byte == underscore
        }
        return String(decoding: name + key[(last + 1)...], as: UTF8.self)
    }

    /// Removes the underscores between words, and capitalizes each word but the first; `_` at both ends stays.
    static func camelCase(_ key: String) -> String {
        guard key.utf8.contains(UInt8(ascii: "_")) else { return key }
        if isSimple(key.utf8) { return camelCase(ofLetters: Array(key.utf8)) }
        guard
            let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let name = words[0].lowercased() + words[1...].map { $0.capitalized }.joined()
        return key[..<first] + name + key[key.index(after: last)...]
    }
}
