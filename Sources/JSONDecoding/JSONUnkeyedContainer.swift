/// The elements of an array.
struct JSONUnkeyedContainer: UnkeyedDecodingContainer {
    private let path: JSONPath
    private let scope: JSONPath
    private let elementCount: Int
    /// The index of the token of the next element.
    private var next: Int
    private(set) var currentIndex = 0

    init(_ index: Int, _ path: JSONPath, scope: JSONPath) throws {
        let document = path.document
        let token = document.token(index)
        guard token.is(.array) else {
            throw JSONFault.unexpected(token, for: [Any].self, container: "unkeyed").error(at: path)
        }
        self.path = path
        self.scope = scope
        elementCount = document.childCount(index)
        next = index + 2
    }

    private var document: JSONDocument { path.document }

    var codingPath: [any CodingKey] { path.keys }
    var count: Int? { elementCount }
    var isAtEnd: Bool { currentIndex >= elementCount }

    mutating func decodeNil() throws -> Bool {
        guard document.isNull(try element(for: Never.self)) else { return false }
        advance()
        return true
    }

    mutating func decode<Simple: JSONSimple>(_ type: Simple.Type) throws -> Simple { try simple() }

    mutating func simple<Simple: JSONSimple>() throws -> Simple {
        let value: Simple = try simple(at: try element(for: Simple.self))
        advance()
        return value
    }

    mutating func simpleIfPresent<Simple: JSONSimple>() throws -> Simple? {
        let value: Simple? = isAtNothing ? nil : try simple(at: next)
        advance()
        return value
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try value(type, at: try element(for: type))
        advance()
        return value
    }

    mutating func decodeIfPresent<Value: Decodable>(_ type: Value.Type) throws -> Value? {
        let value = isAtNothing ? nil : try value(type, at: next)
        advance()
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        let element = try element(for: KeyedDecodingContainer<NestedKey>.self)
        let place = path.appending(index: currentIndex)
        let nested = try JSONKeyedContainer<NestedKey>(element, place, outerScope: scope)
        advance()
        return KeyedDecodingContainer(nested)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let element = try element(for: (any UnkeyedDecodingContainer).self)
        let nested = try JSONUnkeyedContainer(element, path.appending(index: currentIndex), scope: scope)
        advance()
        return nested
    }

    mutating func superDecoder() throws -> any Decoder {
        let element = try element(for: (any Decoder).self)
        let decoder = JSONValueDecoder(element, path.appending(index: currentIndex))
        advance()
        return decoder
    }

    /// Whether the next element is null, or there is no next element.
    private var isAtNothing: Bool { isAtEnd || document.isNull(next) }

    /// Moves to the next element.
    ///
    /// Only `decodeIfPresent` calls this at the end; the index then still grows, as in `JSONDecoder`.
    private mutating func advance() {
        if !isAtEnd { next = document.index(afterValue: next) }
        currentIndex += 1
    }

    private func element(for type: Any.Type) throws -> Int {
        guard !isAtEnd else { throw absence(of: type) }
        return next
    }

    @inline(never)
    private func absence(of type: Any.Type) -> DecodingError {
        let place = path.appending(index: currentIndex).keys
        let text = "nkeyed container is at end."
        let isForDecoder = type == (any Decoder).self
        let description = isForDecoder ? "Cannot get superDecoder() -- u" + text : "U" + text
        return .valueNotFound(type, .init(codingPath: place, debugDescription: description))
    }

    private func simple<Simple: JSONSimple>(at index: Int) throws -> Simple {
        do throws(JSONFault) {
            try document.checkElement(index)
            return try Simple.decode(document, index)
        } catch {
            throw error.error(at: path.appending(index: currentIndex))
        }
    }

    private func value<Value: Decodable>(_ type: Value.Type, at index: Int) throws -> Value {
        try document.decode(type, index, path.appending(index: currentIndex), scope: scope)
    }
}
