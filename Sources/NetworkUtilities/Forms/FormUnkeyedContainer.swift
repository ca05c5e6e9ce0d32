/// Collects the elements of a value, in the order in which they are encoded.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let path: FormPath
    let node: FormNode

    var codingPath: [any CodingKey] { path.keys }
    var count: Int { node.count }

    mutating func encodeNil() {
        node.append(.null)
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try append(value)
    }

    private func append(_ value: some Encodable) throws {
        if let common = FormValue(common: value, in: path) {
            node.append(common)
        } else {
            node.append(try FormValue(encoding: value, at: try path.appending(FormKey(intValue: count))))
        }
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder().container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder().unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        encoder()
    }

    private func encoder() -> FormValueEncoder {
        let key = FormKey(intValue: count)
        return node.encoder(for: node.append(), key: key, in: path)
    }
}

/// The standard library refuses integers of 128 bits unless a container takes them itself.
extension FormUnkeyedContainer {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) throws {
        try append(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) throws {
        try append(value)
    }
}
