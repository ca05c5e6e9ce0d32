import Foundation

/// An encoder that writes nothing, and finds what `JSONEncoder` crashes on or writes as invalid JSON.
///
/// That is a value nested so deeply that encoding it exhausts the stack, and a `Decimal` that is not a number.
///
/// `JSONEncoder` has no limit of its own, takes 1.3 to 1.7 KiB of stack for each value within another (Swift 6.3), and
/// cannot be stopped once it has begun. Threads have 512 KiB on Apple platforms, but for the main one. The probe adds
/// about a tenth to the time that encoding takes.
struct JSONProbe: Encoder {
    /// How many values may be nested within one another: an object and an array count as one each, and so does an
    /// optional in an array.
    static let greatestDepth = 128

    /// The place of the value that is being encoded.
    fileprivate let place: Place

    var codingPath: [any CodingKey] { place.keys }
    let userInfo: [CodingUserInfoKey: Any]

    /// Checks a value; what else is wrong with it is for `JSONEncoder` to find.
    static func check(_ value: some Encodable, userInfo: [CodingUserInfoKey: Any]) throws(BodyEncodingError) {
        let finding = Finding()
        let probe = JSONProbe(place: Place(finding: finding), userInfo: userInfo)
        // If the value throws an error of its own, it does so again when it is encoded.
        try? probe.encode(value)
        if let error = finding.error { throw error }
    }

    /// Whether a value of this type holds no others.
    ///
    /// Numbers and texts have to be told, since each encodes itself into a container as itself, without end. Of others
    /// the commonest are told because it is faster; `Data` would be looked at byte by byte.
    fileprivate static func isLeaf(_ type: any Any.Type) -> Bool {
        type == String.self || type == Int.self || type == Double.self || type == Bool.self || type == Date.self
            || type == Data.self || type == UUID.self || type == URL.self || type == Decimal.self
            || type == [String].self || type == [Int].self || type == [Double].self || type == [UInt8].self
            || type == Int64.self || type == Int32.self || type == Int16.self || type == Int8.self
            || type == UInt.self || type == UInt64.self || type == UInt32.self || type == UInt16.self
            || type == UInt8.self || type == Float.self
    }

    /// What was found, kept apart because a value may swallow the errors of its parts.
    fileprivate final class Finding {
        var error: BodyEncodingError?
    }

    /// A list from the inside out, since the whole path is wanted for an error only.
    fileprivate final class Place {
        let finding: Finding
        private let key: (any CodingKey)?
        private let parent: Place?
        private let depth: Int

        init(finding: Finding, key: (any CodingKey)? = nil, parent: Place? = nil) {
            self.finding = finding
            self.key = key
            self.parent = parent
            depth = parent.map { $0.depth + 1 } ?? 0
        }

        var keys: [any CodingKey] {
            sequence(first: self, next: \.parent).compactMap(\.key).reversed()
        }

        func part(_ key: (any CodingKey)?) -> Place {
            Place(finding: finding, key: key, parent: self)
        }

        var isTooDeep: Bool { depth > JSONProbe.greatestDepth }

        func fail(_ reason: String) -> BodyEncodingError {
            let error = BodyEncodingError.json(path: CodingPath(keys).description, reason: reason)
            finding.error = error
            return error
        }
    }

    /// Encodes a part of the value, unless it holds nothing that has to be looked at.
    fileprivate func encode(_ value: some Encodable, at key: (any CodingKey)?) throws {
        let type = type(of: value)
        if !Self.isLeaf(type) || type == Decimal.self { try part(key).encode(value) }
    }

    private func encode(_ value: some Encodable) throws {
        if let error = place.finding.error { throw error }
        if place.isTooDeep { throw place.fail("is nested deeper than \(Self.greatestDepth) levels") }
        let type = type(of: value)
        if type == Decimal.self, let number = value as? Decimal, number.isNaN {
            throw place.fail("is a Decimal that is not a number")
        }
        if !Self.isLeaf(type) { try value.encode(to: self) }
    }

    fileprivate func part(_ key: (any CodingKey)?) -> JSONProbe {
        JSONProbe(place: place.part(key), userInfo: userInfo)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(KeyedJSONProbe(probe: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { UnkeyedJSONProbe(probe: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueJSONProbe(probe: self) }
}

private struct KeyedJSONProbe<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let probe: JSONProbe

    var codingPath: [any CodingKey] { probe.codingPath }

    func encodeNil(forKey key: Key) {}

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try probe.encode(value, at: key)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128, forKey key: Key) {}

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128, forKey key: Key) {}

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        probe.part(key).container(keyedBy: keyType)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        probe.part(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { probe.part(FormKey.superclass) }

    func superEncoder(forKey key: Key) -> any Encoder { probe.part(key) }
}

private struct UnkeyedJSONProbe: UnkeyedEncodingContainer {
    let probe: JSONProbe
    private(set) var count = 0

    init(probe: JSONProbe) {
        self.probe = probe
    }

    var codingPath: [any CodingKey] { probe.codingPath }

    mutating func encodeNil() { count += 1 }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try probe.encode(value, at: nextKey())
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) { count += 1 }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) { count += 1 }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        probe.part(nextKey()).container(keyedBy: keyType)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        probe.part(nextKey()).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { probe.part(nextKey()) }

    private mutating func nextKey() -> FormKey {
        defer { count += 1 }
        return FormKey(intValue: count)
    }
}

private struct SingleValueJSONProbe: SingleValueEncodingContainer {
    let probe: JSONProbe

    var codingPath: [any CodingKey] { probe.codingPath }

    func encodeNil() {}

    func encode<Value: Encodable>(_ value: Value) throws {
        try probe.encode(value, at: nil)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: Int128) {}

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    func encode(_ value: UInt128) {}
}
