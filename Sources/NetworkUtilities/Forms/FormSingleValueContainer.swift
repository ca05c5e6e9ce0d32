/// Takes the one value that another value encodes as.
struct FormSingleValueContainer: SingleValueEncodingContainer {
    let path: FormPath
    let node: FormNode

    var codingPath: [any CodingKey] { path.keys }

    mutating func encodeNil() {
        node.set(.null, at: path)
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try set(value)
    }

    private func set(_ value: some Encodable) throws {
        node.set(try FormValue(encoding: value, at: try path.descending()), at: path)
    }
}

/// The standard library refuses integers of 128 bits unless a container takes them itself.
extension FormSingleValueContainer {
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: Int128) throws {
        try set(value)
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    mutating func encode(_ value: UInt128) throws {
        try set(value)
    }
}
