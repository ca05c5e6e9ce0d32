/// An encoder that receives each value that is encoded into one of its containers, together with the value's slot.
protocol SlotEncoder: Encoder {
    /// The number of elements that an array has when a container for it is created.
    var elementCount: Int { get }

    /// Called when the value asks for a keyed container.
    func becomeObject()

    /// Called when the value asks for an unkeyed container.
    func becomeArray()

    /// Encodes nil.
    func encodeNil(in slot: EncodingSlot)

    /// Encodes a value.
    func encode(_ value: some Encodable, in slot: EncodingSlot) throws

    /// Returns the encoder of a nested value.
    func encoder(for slot: EncodingSlot) -> Self
}

/// The place of a value in a container.
///
/// Not generic: with a generic slot, each nested value takes twice as much stack, and a thread may have only 512 KiB.
enum EncodingSlot {
    /// A property of an object.
    case property(any CodingKey)

    /// An element of an array.
    case element(Int)

    /// The value of a single-value container.
    case whole

    /// The key that the slot adds to the coding path; nil for a single-value container.
    var key: AnyCodingKey? {
        switch self {
        case .property(let key): AnyCodingKey(key)
        case .element(let index): AnyCodingKey(intValue: index)
        case .whole: nil
        }
    }
}

extension SlotEncoder {
    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        becomeObject()
        return KeyedEncodingContainer(KeyedSlots(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        becomeArray()
        return UnkeyedSlots(encoder: self, count: elementCount)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleSlot(encoder: self) }
}

// Each container implements the overloads for `Int128` and `UInt128`, because the default implementations throw.

private struct KeyedSlots<Base: SlotEncoder, Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: Base

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) { encoder.encodeNil(in: .property(key)) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encoder.encode(value, in: .property(key))
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) throws { try encoder.encode(value, in: .property(key)) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) throws { try encoder.encode(value, in: .property(key)) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy keyType: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.encoder(for: .property(key)).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.encoder(for: .property(key)).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.encoder(for: .property(AnyCodingKey.superclass)) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.encoder(for: .property(key)) }
}

private struct UnkeyedSlots<Base: SlotEncoder>: UnkeyedEncodingContainer {
    let encoder: Base

    /// The number of elements; an element that can't be encoded is not counted.
    private(set) var count: Int

    var codingPath: [any CodingKey] { encoder.codingPath }

    mutating func encodeNil() { encoder.encodeNil(in: next()) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try encoder.encode(value, in: .element(count))
        count += 1
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) throws {
        try encoder.encode(value, in: .element(count))
        count += 1
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) throws {
        try encoder.encode(value, in: .element(count))
        count += 1
    }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy keyType: Nested.Type) -> KeyedEncodingContainer<Nested> {
        encoder.encoder(for: next()).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.encoder(for: next()).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { encoder.encoder(for: next()) }

    private mutating func next() -> EncodingSlot {
        defer { count += 1 }
        return .element(count)
    }
}

private struct SingleSlot<Base: SlotEncoder>: SingleValueEncodingContainer {
    let encoder: Base

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.encodeNil(in: .whole) }

    func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value, in: .whole) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) throws { try encoder.encode(value, in: .whole) }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) throws { try encoder.encode(value, in: .whole) }
}
