/// The members of an object.
struct JSONKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    private let path: JSONPath
    private let object: UInt32

    init(_ index: Int, _ path: JSONPath, outerScope: JSONPath? = nil) throws {
        let document = path.document
        let token = document.token(index)
        guard token.is(.object) else {
            throw JSONFault.unexpected(token, for: [String: Any].self, container: "keyed").error(at: path)
        }
        object = UInt32(truncatingIfNeeded: index)
        var (table, members): (JSONKeyTable?, JSONMembers?)
        if !document.hasDefaultKeys || token.hasUnusualKeys {
            table = document.hasDefaultKeys ? JSONKeyTable(document, index) : nil
            members = table == nil ? try JSONMembers(document, index, path) : nil
        } else if outerScope == nil {
            self.path = path
            return
        }
        self.path = path.with(table, members, scope: outerScope)
    }

    @inline(__always)
    private var document: JSONDocument { path.document }

    private var scope: JSONPath { path.scope ?? path }

    var codingPath: [any CodingKey] { path.keys }

    var allKeys: [Key] {
        if let members = path.members { return members.shape.names.compactMap { $0.flatMap { Key(stringValue: $0) } } }
        var keys: [Key] = []
        keys.reserveCapacity(document.childCount(Int(object)))
        var index = Int(object) + 2
        while index < document.token(Int(object)).end {
            if let key = Key(stringValue: document.plainString(index)) { keys.append(key) }
            index = document.index(afterValue: document.value(ofKey: index))
        }
        return keys
    }

    func contains(_ key: Key) -> Bool { index(of: key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool { document.isNull(try requiredIndex(of: key)) }

    func decode<Simple: JSONSimple>(_ type: Simple.Type, forKey key: Key) throws -> Simple { try simple(key) }
    func decode(_: String.Type, forKey key: Key) throws -> String { try simple(key) }
    func decode(_: Double.Type, forKey key: Key) throws -> Double { try simple(key) }
    func decode(_: Int.Type, forKey key: Key) throws -> Int { try simple(key) }

    @inline(__always)
    func simple<Simple: JSONSimple>(_ key: Key) throws -> Simple {
        try simple(at: try requiredIndex(of: key), key)
    }

    @inline(__always)
    func simpleIfPresent<Simple: JSONSimple>(_ key: Key) throws -> Simple? {
        guard let index = index(of: key), !document.isNull(index) else { return nil }
        return try simple(at: index, key)
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try value(type, at: try requiredIndex(of: key), key)
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        guard let index = index(of: key), !document.isNull(index) else { return nil }
        return try value(type, at: index, key)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let index = try requiredIndex(of: key)
        let nested = try JSONKeyedContainer<NestedKey>(index, path.appending(key), outerScope: scope)
        return KeyedDecodingContainer(nested)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedContainer(try requiredIndex(of: key), path.appending(key), scope: scope)
    }

    func superDecoder() -> any Decoder { superDecoder(of: AnyCodingKey.superclass) }

    func superDecoder(forKey key: Key) -> any Decoder { superDecoder(of: key) }

    private func superDecoder(of key: some CodingKey) -> any Decoder {
        JSONValueDecoder(index(of: key) ?? document.missing, path.appending(key))
    }

    @inline(__always)
    private func index(of key: some CodingKey) -> Int? {
        if path.hasMembers { return path.index(of: key.stringValue) }
        return document.value(for: key.stringValue, in: Int(object), path.table)
    }

    @inline(__always)
    private func requiredIndex(of key: Key) throws -> Int {
        guard let index = index(of: key) else { throw absence(of: key) }
        return index
    }

    @inline(never)
    private func absence(of key: Key) -> DecodingError {
        if document.budget.discardsErrors { return .keyNotFound(key, .discarded) }
        let text = "No value associated with key \(key) (\"\(key.stringValue)\")."
        return .keyNotFound(key, .init(codingPath: codingPath, debugDescription: text))
    }

    @inline(__always)
    private func simple<Simple: JSONSimple>(at index: Int, _ key: Key) throws -> Simple {
        do throws(JSONFault) {
            return try Simple.decode(document, index)
        } catch {
            throw error.error(at: path.appending(key))
        }
    }

    @inline(__always)
    private func value<Value: Decodable>(_ type: Value.Type, at index: Int, _ key: Key) throws -> Value {
        let value = try document.decode(type, index, path.appending(key), scope: scope)
        document.remember(index, in: Int(object))
        return value
    }
}
