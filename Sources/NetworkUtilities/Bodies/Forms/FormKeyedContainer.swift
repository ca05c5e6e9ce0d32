/// Collects the properties of a value, in the order in which they are encoded.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let path: FormPath
    let node: FormNode

    var codingPath: [any CodingKey] { path.keys }

    mutating func encodeNil(forKey key: Key) {
        node.field(key.stringValue).set(.null, at: path)
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try set(value, forKey: key)
    }

    private func set(_ value: some Encodable, forKey key: Key) throws {
        let path = try path.appending(FormKey(key))
        node.field(key.stringValue).set(try FormValue(value, at: path), at: path)
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder(for: FormKey(key)).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(for: FormKey(key)).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        encoder(for: .superclass)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        encoder(for: FormKey(key))
    }

    private func encoder(for key: FormKey) -> FormValueEncoder {
        node.encoder(for: node.field(key.stringValue), key: key, in: path)
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
