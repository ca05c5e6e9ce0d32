extension JSONKeyedContainer {
    // The standard library has default implementations of these requirements for each type, which take precedence over
    // generic functions. The defaults for 128-bit integers throw an error, and the others look up each key three times.

    func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? { try simpleIfPresent(key) }
    func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? { try simpleIfPresent(key) }
    func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? { try simpleIfPresent(key) }
    func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? { try simpleIfPresent(key) }
}

extension JSONUnkeyedContainer {
    mutating func decodeIfPresent(_: Bool.Type) throws -> Bool? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: String.Type) throws -> String? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: Double.Type) throws -> Double? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: Float.Type) throws -> Float? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: Int.Type) throws -> Int? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: Int8.Type) throws -> Int8? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: Int16.Type) throws -> Int16? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: Int32.Type) throws -> Int32? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: Int64.Type) throws -> Int64? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: UInt.Type) throws -> UInt? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: UInt8.Type) throws -> UInt8? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: UInt16.Type) throws -> UInt16? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: UInt32.Type) throws -> UInt32? { try simpleIfPresent() }
    mutating func decodeIfPresent(_: UInt64.Type) throws -> UInt64? { try simpleIfPresent() }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: JSONSimple {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: JSONSimple {}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONKeyedContainer {
    func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try simple(key) }
    func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try simple(key) }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONUnkeyedContainer {
    mutating func decode(_: Int128.Type) throws -> Int128 { try simple() }
    mutating func decode(_: UInt128.Type) throws -> UInt128 { try simple() }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension JSONValueDecoder {
    func decode(_: Int128.Type) throws -> Int128 { try simple() }
    func decode(_: UInt128.Type) throws -> UInt128 { try simple() }
}
