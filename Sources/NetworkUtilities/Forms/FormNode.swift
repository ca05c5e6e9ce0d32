/// What one value has encoded so far.
///
/// A reference, because an `Encoder` and its containers all write into one place. A value that encodes itself as two
/// different things is an error that is kept until the end, since the calls that find it cannot throw.
final class FormNode {
    private enum Kind {
        case empty
        case value(FormValue)
        case array
        case object
        case invalid(BodyEncodingError)
    }

    /// An element or a field: most are complete at once and need no node of their own.
    private enum Part {
        case value(FormValue)
        case node(FormNode)

        func value() throws(BodyEncodingError) -> FormValue {
            switch self {
            case .value(let value): value
            case .node(let node): try node.value()
            }
        }
    }

    /// Room that is made at once, so that few objects are moved as they grow.
    private static let usualFields = 8

    private var kind = Kind.empty

    /// The elements of an array, or the values of an object in the order of their names.
    private var parts: [Part] = []
    private var names = FormNames()

    /// The number of elements or fields.
    var count: Int { parts.count }

    /// Makes the node an array, unless it is one.
    func becomeArray(at path: FormPath) {
        switch kind {
        case .empty: kind = .array
        case .array, .invalid: break
        case .value, .object: failTwice(at: path)
        }
    }

    /// Makes the node an object, unless it is one.
    func becomeObject(at path: FormPath) {
        switch kind {
        case .empty:
            kind = .object
            parts.reserveCapacity(Self.usualFields)
            names.reserveCapacity(Self.usualFields)
        case .object, .invalid: break
        case .value, .array: failTwice(at: path)
        }
    }

    /// Makes the node a value that is complete; the last one counts.
    func set(_ value: FormValue, at path: FormPath) {
        switch kind {
        case .empty, .value: kind = .value(value)
        case .invalid: break
        case .array, .object: failTwice(at: path)
        }
    }

    /// Remembers an error that cannot be thrown where it is found.
    func fail(_ error: BodyEncodingError) {
        kind = .invalid(error)
    }

    /// Adds an element that is complete to an array.
    func append(_ value: FormValue) {
        parts.append(.value(value))
    }

    /// Adds an element to an array that is yet to be encoded.
    func append() -> FormNode {
        let node = FormNode()
        parts.append(.node(node))
        return node
    }

    /// Adds a field that is complete to an object; of two with one name the last counts.
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

    /// The field of an object, which is added if there is none of the name.
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

    /// The value that was encoded.
    func value() throws(BodyEncodingError) -> FormValue {
        switch kind {
        case .empty: return .null
        case .value(let value): return value
        case .array: return .array(try values())
        case .object: return .object(zip(names.all, try values()).map(FormValue.Field.init))
        case .invalid(let error): throw error
        }
    }

    private func values() throws(BodyEncodingError) -> [FormValue] {
        try parts.map { part throws(BodyEncodingError) in try part.value() }
    }

    private func failTwice(at path: FormPath) {
        fail(path.failure("encodes itself in two ways"))
    }
}

extension FormNode {
    /// An encoder for a part of this node's value.
    ///
    /// Where the part would be too deep, the error is remembered, and what is encoded goes to a node that belongs to no
    /// value, so that the tree stays as shallow as it is allowed to be.
    func encoder(for part: FormNode, key: FormKey, in path: FormPath) -> FormValueEncoder {
        do {
            return FormValueEncoder(path: try path.appending(key), node: part)
        } catch {
            part.fail(error)
            return FormValueEncoder(path: path, node: FormNode())
        }
    }
}
