/// The decoder of one value, which is also its single-value container.
///
/// Always decodes this value, even if an initialiser stores the decoder; the decoder of `JSONDecoder` would later
/// decode another value.
struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
    let path: JSONPath
    let index: UInt32

    @inline(__always)
    init(_ index: Int, _ path: JSONPath) {
        self.path = path
        self.index = UInt32(truncatingIfNeeded: index)
    }

    @inline(__always)
    var document: JSONDocument { path.document }

    /// The number of tokens of the value.
    var tokenCount: Int { document.index(afterValue: Int(index)) - Int(index) }

    /// What the value is in the text.
    var kind: JSONToken.Kind { document.token(Int(index)).kind }

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { document.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(try JSONKeyedContainer<Key>(Int(index), path))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try JSONUnkeyedContainer(Int(index), path, scope: path)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { document.isNull(Int(index)) }

    func decode<Simple: JSONSimple>(_ type: Simple.Type) throws -> Simple { try simple() }

    @inline(__always)
    func simple<Simple: JSONSimple>() throws -> Simple {
        do throws(JSONFault) {
            return try Simple.decode(document, Int(index))
        } catch {
            throw error.error(at: path)
        }
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try document.decode(type, Int(index), path, scope: path)
    }
}

extension Decoder {
    /// The decoder, if it is the library's; a cast would take longer.
    var native: JSONValueDecoder? {
        Self.self == JSONValueDecoder.self ? identical(self, as: JSONValueDecoder.self) : nil
    }

    /// Whether the library's decoder is at a number.
    package var isAtNumber: Bool { native?.kind == .number }
}

extension JSONDocument {
    /// Decodes a value of any type.
    ///
    /// `path` is the coding path of the value. `scope` is the path of the decoder from which the caller got its
    /// container; `JSONDecoder` reports it for a date that isn't valid ISO 8601.
    @inline(__always)
    func decode<Value: Decodable>(
        _ type: Value.Type,
        _ index: Int,
        _ path: @autoclosure () -> JSONPath,
        scope: JSONPath
    ) throws -> Value {
        try checkSometimes(index)
        if isFoundationType(type) || isFrequentType(type, token(index)) || !hasDefaultKeys && hasNames(type, index) {
            return try decodeSpecial(type, index, path, scope)
        }
        return try type.init(from: JSONValueDecoder(index, path()))
    }

    @inline(__always)
    private func isFoundationType(_ type: Any.Type) -> Bool {
        type == Date.self || type == Data.self || type == URL.self || type == UUID.self || type == Decimal.self
    }

    /// Returns whether a type is so frequent that it is decoded without a container.
    @inline(__always)
    private func isFrequentType(_ type: Any.Type, _ token: JSONToken) -> Bool {
        switch token.kind {
        case .array: type == [String].self || type == [Int].self || type == [Double].self
        case .object: type == [String: String].self || type == [String: Int].self || type == [String: Double].self
        case .null: type is any JSONNamedValues.Type
        default: type == String.self || type == Int.self || type == Double.self
        }
    }

    /// Returns whether a type is a dictionary whose keys no strategy changes.
    @inline(never)
    private func hasNames(_ type: Any.Type, _ index: Int) -> Bool {
        token(index).is(.object) && type is any JSONNamedValues.Type
    }

    /// Decodes a Foundation type, a frequent type, or a dictionary whose keys no strategy changes.
    ///
    /// Not inlined: its variables would take stack at each level of a recursive type.
    @inline(never)
    private func decodeSpecial<Value: Decodable>(
        _ type: Value.Type,
        _ index: Int,
        _ path: () -> JSONPath,
        _ scope: JSONPath
    ) throws -> Value {
        if isFoundationType(type) { return try decodeFoundationType(type, index, path(), scope) }
        if isNull(index) {
            // With a strategy for keys, a dictionary is not decoded from a container by JSONDecoder.
            let container: StaticString? = hasDefaultKeys ? "keyed" : nil
            throw JSONFault.null(expected: [String: Any].self, container: container).error(at: path())
        }
        if !hasDefaultKeys, hasNames(type, index), let values = type as? any JSONNamedValues.Type {
            func decode<Values: JSONNamedValues>(_: Values.Type) throws -> Value {
                identical(try Values(self, index, path(), scope: scope), as: type)
            }
            return try decode(values)
        }
        do throws(JSONFault) {
            return try decodeFrequentType(type, index)
        } catch {
            throw error.error(at: path())
        }
    }

    @inline(never)
    private func decodeFrequentType<Value>(_ type: Value.Type, _ index: Int) throws(JSONFault) -> Value {
        if type == [String].self { return identical(try [String].decode(self, index), as: type) }
        if type == [Int].self { return identical(try [Int].decode(self, index), as: type) }
        if type == [Double].self { return identical(try [Double].decode(self, index), as: type) }
        if type == [String: String].self { return identical(try [String: String].decode(self, index), as: type) }
        if type == [String: Int].self { return identical(try [String: Int].decode(self, index), as: type) }
        if type == [String: Double].self { return identical(try [String: Double].decode(self, index), as: type) }
        if type == String.self { return identical(try String.decode(self, index), as: type) }
        if type == Int.self { return identical(try Int.decode(self, index), as: type) }
        return identical(try Double.decode(self, index), as: type)
    }
}

extension Array: JSONSimple where Element: JSONSimple {
    static func decode(_ document: JSONDocument, _ array: Int) throws(JSONFault) -> [Element] {
        let token = document.token(array)
        guard token.is(.array) else { throw .unexpected(token, for: [Any].self, container: "unkeyed") }
        var elements: [Element] = []
        elements.reserveCapacity(document.childCount(array))
        var index = array + 2
        do throws(JSONFault) {
            while index < token.end {
                try document.checkElement(index)
                elements.append(try Element.decode(document, index))
                index = document.index(afterValue: index)
            }
        } catch {
            throw .inside(AnyCodingKey(index: elements.count), error)
        }
        return elements
    }
}

extension Dictionary: JSONSimple where Key == String, Value: JSONSimple {
    /// Decodes the first value of each key; later values are ignored, even if they are invalid.
    static func decode(_ document: JSONDocument, _ object: Int) throws(JSONFault) -> [String: Value] {
        let token = document.token(object)
        guard token.is(.object) else { throw .unexpected(token, for: [String: Any].self) }
        try document.checkKeys(of: object)
        var values: [String: Value] = [:]
        values.reserveCapacity(document.childCount(object))
        var key = object + 2
        while key < token.end {
            try document.checkElement(key)
            let name = try document.string(document.token(key), key)
            let index = document.value(ofKey: key)
            do throws(JSONFault) {
                let value = try Value.decode(document, index)
                if let first = values.updateValue(value, forKey: name) { values[name] = first }
            } catch {
                if values[name] == nil { throw .inside(AnyCodingKey(name, intValue: Int(name)), error) }
            }
            key = document.index(afterValue: index)
        }
        return values
    }
}

/// A dictionary whose keys no strategy changes.
protocol JSONNamedValues {
    init(_ document: JSONDocument, _ object: Int, _ path: JSONPath, scope: JSONPath) throws
}

extension Dictionary: JSONNamedValues where Key == String, Value: Decodable {
    /// Decodes all values, including the values of repeated keys, of which the first is kept.
    init(_ document: JSONDocument, _ object: Int, _ path: JSONPath, scope: JSONPath) throws {
        self.init(minimumCapacity: document.childCount(object))
        var key = object + 2
        while key < document.token(object).end {
            let name: String
            do throws(JSONFault) { name = try document.string(document.token(key), key) } catch {
                throw error.error(at: path)
            }
            let index = document.value(ofKey: key)
            let value = try document.decode(Value.self, index, path.appending(AnyCodingKey(name)), scope: scope)
            if let first = updateValue(value, forKey: name) { self[name] = first }
            key = document.index(afterValue: index)
        }
    }
}
