/// Collects the properties of a value, in the order in which they are encoded.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let path: FormPath
    let node: FormNode

    var codingPath: [any CodingKey] { path.keys }

    mutating func encodeNil(forKey key: Key) {
        node.setField(name(of: key), .null, at: path)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try set(value, forKey: key)
    }

    private func set(_ value: some Encodable, forKey key: Key) throws {
        if let common = FormValue(common: value, in: path) {
            node.setField(name(of: key), common, at: path)
        } else {
            let path = try path.appending(FormKey(key))
            node.setField(name(of: key), try FormValue(encoding: value, at: path), at: path)
        }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(for: FormKey(key), named: name(of: key)).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: FormKey(key), named: name(of: key)).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        encoder(for: .superclass, named: FormKey.superclass.stringValue)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        encoder(for: FormKey(key), named: name(of: key))
    }

    private func encoder(for key: FormKey, named name: String) -> FormValueEncoder {
        node.encoder(for: node.field(name), key: key, in: path)
    }

    private func name(of key: Key) -> String {
        path.style.keys.name(of: key.stringValue)
    }
}

/// The standard library refuses integers of 128 bits unless a container takes them itself.
extension FormKeyedContainer {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128, forKey key: Key) throws {
        try set(value, forKey: key)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        try set(value, forKey: key)
    }
}
