/// The encoder that converts an `Encodable` value to a ``FormValue``.
struct FormValueEncoder: SlotEncoder {
    private let path: FormPath
    private let node: FormNode

    var codingPath: [any CodingKey] { path.keys }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Encodes a value that is not ``FormConvertible``.
    static func encode(_ value: any Encodable, at path: FormPath) throws(ValueFailure) -> FormValue {
        let encoder = FormValueEncoder(path: path, node: FormNode())
        do {
            try value.encode(to: encoder)
        } catch let failure as ValueFailure {
            throw failure
        } catch let error as BodyEncodingError {
            throw error.failure
        } catch let EncodingError.invalidValue(_, context) {
            // The text of the context may contain the value, so only its place is used.
            throw ValueFailure(path: FormPath.text(of: context.codingPath), reason: "cannot be encoded")
        } catch {
            throw path.failure("cannot be encoded: its type threw an error of the type \(type(of: error))")
        }
        return try encoder.node.value()
    }

    func becomeObject() { node.becomeObject(at: path) }

    func becomeArray() { node.becomeArray(at: path) }

    var elementCount: Int { node.count }

    func encodeNil(in slot: EncodingSlot) {
        set(.null, in: slot, at: path)
    }

    func encode(_ value: some Encodable, in slot: EncodingSlot) throws {
        if let common = FormValue(common: value, in: path) {
            set(common, in: slot, at: path)
        } else {
            let place = try path.appending(slot.key)
            set(try FormValue(encoding: value, at: place), in: slot, at: place)
        }
    }

    private func set(_ value: FormValue, in slot: EncodingSlot, at place: FormPath) {
        switch slot {
        case .property(let key): node.setField(name(of: key), value, at: place)
        case .element: node.append(value)
        case .whole: node.set(value, at: path)
        }
    }

    func encoder(for slot: EncodingSlot) -> FormValueEncoder {
        let part =
            switch slot {
            case .property(let key): node.field(name(of: key))
            case .element: node.append()
            case .whole: node
            }
        do {
            return FormValueEncoder(path: try path.appending(slot.key), node: part)
        } catch {
            // Keeps the tree within the maximum depth: later calls write into a node that belongs to no value.
            part.fail(error)
            return FormValueEncoder(path: path, node: FormNode())
        }
    }

    private func name(of key: some CodingKey) -> String {
        path.style.keys.name(of: key.stringValue)
    }
}

/// The result of the calls that one value has made on its encoder.
///
/// A class, because an `Encoder` and its containers write into one place. A value that encodes itself in two ways, such
/// as an array and an object, is an error; it is kept until the end, because the calls that detect it cannot throw.
private final class FormNode {
    private enum Kind {
        case empty
        case value(FormValue)
        case array
        case object
        case invalid(ValueFailure)
    }

    /// An element or a field; most are complete when they are added, and need no node.
    private enum Part {
        case value(FormValue)
        case node(FormNode)

        func value() throws(ValueFailure) -> FormValue {
            switch self {
            case .value(let value): value
            case .node(let node): try node.value()
            }
        }
    }

    /// The initial capacity of an object, so that small objects are not moved as they grow.
    private static let usualFields = 8

    private var kind = Kind.empty

    /// The elements of an array, or the values of an object in the order of their names.
    private var parts: [Part] = []
    private var names = FormNames()

    /// The number of elements or fields.
    var count: Int { parts.count }

    /// Makes an empty node an array.
    func becomeArray(at path: FormPath) {
        switch kind {
        case .empty: kind = .array
        case .array, .invalid: break
        case .value, .object: failTwice(at: path)
        }
    }

    /// Makes an empty node an object.
    func becomeObject(at path: FormPath) {
        switch kind {
        case .empty:
            kind = .object
            parts.reserveCapacity(Self.usualFields)
            names.all.reserveCapacity(Self.usualFields)
        case .object, .invalid: break
        case .value, .array: failTwice(at: path)
        }
    }

    /// Makes the node a complete value; the last value wins.
    func set(_ value: FormValue, at path: FormPath) {
        switch kind {
        case .empty, .value: kind = .value(value)
        case .invalid: break
        case .array, .object: failTwice(at: path)
        }
    }

    /// Records an error that cannot be thrown where it is detected.
    func fail(_ error: ValueFailure) {
        kind = .invalid(error)
    }

    /// Adds an element of an array that is already encoded.
    func append(_ value: FormValue) {
        parts.append(.value(value))
    }

    /// Adds an element to an array, and returns its node.
    func append() -> FormNode {
        let node = FormNode()
        parts.append(.node(node))
        return node
    }

    /// Adds a complete field to an object; of two fields with one name, the last wins.
    func setField(_ name: String, _ value: FormValue, at path: FormPath) {
        guard let position = names.position(of: name) else {
            names.append(name)
            return parts.append(.value(value))
        }
        if case .node(let node) = parts[position] {
            node.set(value, at: path)
        } else {
            parts[position] = .value(value)
        }
    }

    /// Returns the node of a field of an object, and adds the field if it is missing.
    func field(_ name: String) -> FormNode {
        guard let position = names.position(of: name) else {
            names.append(name)
            return append()
        }
        if case .node(let node) = parts[position] { return node }
        let node = FormNode()
        if case .value(let value) = parts[position] { node.kind = .value(value) }
        parts[position] = .node(node)
        return node
    }

    /// Returns the encoded value.
    func value() throws(ValueFailure) -> FormValue {
        switch kind {
        case .empty: return .null
        case .value(let value): return value
        case .array: return .array(try values())
        case .object: return .object(zip(names.all, try values()).map(FormValue.Field.init))
        case .invalid(let error): throw error
        }
    }

    private func values() throws(ValueFailure) -> [FormValue] {
        try parts.map { part throws(ValueFailure) in try part.value() }
    }

    private func failTwice(at path: FormPath) {
        fail(path.failure("encodes itself in two ways"))
    }
}

/// The names of an object's fields in their order, with the position of each.
private struct FormNames {
    var all: [String] = []

    /// Created for large objects only: comparing up to 16 names is faster than hashing one.
    private var positions: [String: Int] = [:]

    private static let largestUnindexed = 16

    func position(of name: String) -> Int? {
        positions.isEmpty ? all.firstIndex(of: name) : positions[name]
    }

    mutating func append(_ name: String) {
        all.append(name)
        if !positions.isEmpty {
            positions[name] = all.count - 1
        } else if all.count > Self.largestUnindexed {
            for (index, name) in all.enumerated() { positions[name] = index }
        }
    }
}
