/// The members of an object by name, for names that can't be compared with the bytes of the text.
///
/// Such keys have escape sequences or characters beyond ASCII, are changed by a strategy, or are repeated; or one has
/// 16 MiB, or too many have the same hash in a ``JSONKeyTable``.
struct JSONMembers {
    let shape: JSONShape
    /// The indices of the tokens of the values.
    let values: [UInt32]

    init(_ document: JSONDocument, _ object: Int, _ path: JSONPath) throws {
        var values = [UInt32](repeating: 0, count: document.childCount(object))
        var (key, hash, areShort) = (object &+ 2, 0 as UInt64, true)
        document.text.withBytes { bytes in
            for member in values.indices {
                let token = document.token(key)
                // The length, the last letters, and the quote after them.
                let letters = bytes.halfWord(at: token.start &+ token.shortLength &- 3) ?? 0
                hash = (hash ^ token.bits << 32 ^ UInt64(letters)) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash &>> 29
                let value = token.indexAfterScalar(at: key)
                areShort = areShort && value == key &+ 1
                values[member] = UInt32(truncatingIfNeeded: value)
                key = document.index(afterValue: value)
            }
        }
        self.values = values
        shape = try document.shape(areShort ? hash : nil, values, object, path)
    }
}

/// The keys that several objects have in common, byte for byte and in the same order.
///
/// Without shapes, which share the converted names, decoding with `.convertFromSnakeCase` takes 1.7 to 2 times as long,
/// and 1.4 times with keys that aren't ASCII (200 objects of 14 members).
final class JSONShape: Sendable {
    /// The names in the order of the text; of equal names, nil for all but the first.
    let names: [String?]
    /// The positions of the names; nil for up to 16 members, where a search is faster.
    private let positions: [String: Int]?
    /// The indices of the tokens of the values of the first such object.
    private let values: [UInt32]

    init(_ document: JSONDocument, _ values: [UInt32], _ object: Int, _ path: JSONPath) throws {
        var names: [String?] = []
        names.reserveCapacity(values.count)
        let isIndexed = values.count > 16
        var positions: [String: Int] = isIndexed ? Dictionary(minimumCapacity: values.count) : [:]
        let converter = JSONKeyConverter(document.options.keys, path)
        var key = object + 2
        for value in values {
            let name: String
            do throws(JSONFault) { name = converter.converted(try document.string(document.token(key), key)) } catch {
                throw error.error(at: path)
            }
            key = document.index(afterValue: Int(value))
            var isRepeated = false
            if !isIndexed {
                isRepeated = names.contains(name)
            } else if let first = positions.updateValue(names.count, forKey: name) {
                positions[name] = first
                isRepeated = true
            }
            names.append(isRepeated ? nil : name)
        }
        (self.names, self.positions, self.values) = (names, isIndexed ? positions : nil, values)
    }

    /// Returns whether the keys before other values are the same; their lengths have no slots of their own.
    func hasKeys(before others: [UInt32], in document: JSONDocument) -> Bool {
        guard others.count == values.count else { return false }
        return document.text.withBytes { bytes in
            for member in values.indices {
                let key = document.token(Int(values[member]) &- 1)
                let other = document.token(Int(others[member]) &- 1)
                guard key.shortLength == other.shortLength else { return false }
                let name = bytes.extracting(key.start..<key.start &+ key.shortLength)
                guard bytes.contains(name, at: other.start) else { return false }
            }
            return true
        }
    }

    /// Returns the position of a name, which probably follows the one that was found last.
    func position(of name: String, after last: borrowing JSONHint) -> Int? {
        let next = Int(truncatingIfNeeded: last.number &+ 1)
        let isNext = if next < names.count, let expected = names[next] { expected == name } else { false }
        guard let position = isNext ? next : search(for: name) else { return nil }
        last.number = UInt64(truncatingIfNeeded: position)
        return position
    }

    @inline(never)
    private func search(for name: String) -> Int? {
        if let positions { return positions[name] }
        return names.firstIndex { $0 == name }
    }
}

extension JSONDocument {
    private static let maxShapes = 256

    /// Returns the shape of an object, which may be one of the last shapes whose keys have the same hash.
    ///
    /// The hash is nil if the length of a key has its own slot.
    fileprivate func shape(_ hash: UInt64?, _ values: [UInt32], _ object: Int, _ path: JSONPath) throws -> JSONShape {
        // What a custom strategy returns may depend on the path.
        if let shapes, let hash, !hasCustomKeys {
            if let shape = shapes.withLock({ $0[hash] }), shape.hasKeys(before: values, in: self) { return shape }
            let shape = try JSONShape(self, values, object, path)
            shapes.withLock { shapes in
                if shapes.count == Self.maxShapes { shapes.removeAll() }
                shapes[hash] = shape
            }
            return shape
        }
        return try JSONShape(self, values, object, path)
    }

    private var hasCustomKeys: Bool { if case .custom = options.keys { true } else { false } }
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
        case .custom(let convert): convert(path + [AnyCodingKey(key)]).stringValue
        default: key
        }
    }

    /// Converts a key of ASCII letters, underscores, and digits that no letter of the same word follows, without
    /// Foundation; nil for other keys.
    private static func camelCase(ofLetters key: String) -> String? {
        let underscore = UInt8(ascii: "_")
        var name: [UInt8] = []
        name.reserveCapacity(key.utf8.count)
        var (words, underscores, isAfterDigit) = (0, 0, false)
        for byte in key.utf8 {
            if byte == underscore {
                (underscores, isAfterDigit) = (underscores + 1, false)
                continue
            }
            let isDigit = byte &- UInt8(ascii: "0") < 10
            guard isDigit || !isAfterDigit && (byte | 0x20) &- UInt8(ascii: "a") < 26 else { return nil }
            if words == 0 { name += repeatElement(underscore, count: underscores) }
            let beginsWord = words == 0 || underscores > 0
            if beginsWord { words += 1 }
            name.append(isDigit ? byte : beginsWord && words > 1 ? byte & ~0x20 : byte | 0x20)
            (underscores, isAfterDigit) = (0, isDigit)
        }
        guard words > 1 else { return key }
        return String(decoding: name + repeatElement(underscore, count: underscores), as: UTF8.self)
    }

    /// Removes the underscores between words, and capitalizes each word but the first; `_` at both ends stays.
    static func camelCase(_ key: String) -> String {
        guard key.utf8.contains(UInt8(ascii: "_")) else { return key }
        if let name = camelCase(ofLetters: key) { return name }
        guard
            let first = key.firstIndex(where: { $0 != "_" }), let last = key.lastIndex(where: { $0 != "_" })
        else { return key }
        let words = key[first...last].split(separator: "_")
        guard words.count > 1 else { return key }
        let name = words[0].lowercased() + words[1...].map { $0.capitalized }.joined()
        return key[..<first] + name + key[key.index(after: last)...]
    }
}
