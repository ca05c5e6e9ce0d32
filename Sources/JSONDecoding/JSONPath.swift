/// A JSON document, and the coding path of a value in it.
///
/// An index is stored in the path itself, and keys in a linked list that nested paths share. So the path of a simple
/// member, or of an element of an array that is not nested in another one, allocates no memory. A path holds a single
/// reference, to the last node of the list: the standard library copies a container, with its path, for each value that
/// is decoded from it.
struct JSONPath {
    private let node: Node
    private let index: UInt32

    private static let noIndex = UInt32.max

    private final class Node {
        let document: JSONDocument
        let parent: JSONPath?
        /// The key that the node adds to the path of its parent; nil if it adds none.
        let key: (any CodingKey)?
        let object: SpecialObject?

        init(
            _ document: JSONDocument,
            parent: JSONPath? = nil,
            key: (any CodingKey)? = nil,
            object: SpecialObject? = nil
        ) {
            self.document = document
            self.parent = parent
            self.key = key
            self.object = object
        }
    }

    /// Data that only some keyed containers need, stored in their path so that other containers are small.
    struct SpecialObject {
        /// The members by name; nil if the keys are compared with the bytes of the text.
        let members: JSONMembers?
        /// The path of the decoder, if it differs from the path of the object.
        let scope: JSONPath?
    }

    private init(node: Node, index: UInt32 = noIndex) {
        self.node = node
        self.index = index
    }

    /// Creates the path of the outermost value.
    init(rootOf document: JSONDocument) {
        self.init(node: Node(document))
    }

    var document: JSONDocument { node.document }

    func appending(_ key: some CodingKey) -> JSONPath {
        JSONPath(node: Node(node.document, parent: self, key: key))
    }

    func appending(index: Int) -> JSONPath {
        let node = self.index == Self.noIndex ? node : Node(node.document, parent: self)
        return JSONPath(node: node, index: UInt32(clamping: index))
    }

    /// Returns the same path with additional data for the container of this object.
    func with(_ object: SpecialObject) -> JSONPath {
        JSONPath(node: Node(node.document, parent: self, object: object))
    }

    var object: SpecialObject? { node.object }

    /// The keys, from the outermost.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        keys.reserveCapacity(8)
        var next: JSONPath? = self
        while let path = next {
            if path.index != Self.noIndex { keys.append(JSONKey(index: Int(path.index))) }
            if let key = path.node.key { keys.append(key) }
            next = path.node.parent
        }
        keys.reverse()
        return keys
    }
}

/// A key of a coding path that is not of a caller's `CodingKey` type: an index, or the name of a member.
package struct JSONKey: CodingKey {
    /// The name; nil for an index, whose text is created only when it is needed.
    private let name: String?
    package let intValue: Int?

    init(_ name: String, intValue: Int? = nil) {
        self.name = name
        self.intValue = intValue
    }

    package init(index: Int) {
        name = nil
        intValue = index
    }

    package var stringValue: String { name ?? "Index \(intValue ?? 0)" }

    package init?(stringValue: String) {
        self.init(stringValue)
    }

    package init?(intValue: Int) {
        self.init("\(intValue)", intValue: intValue)
    }
}
