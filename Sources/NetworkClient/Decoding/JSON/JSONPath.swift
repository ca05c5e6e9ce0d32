/// A value's document, and the place of the value in it: the keys of its coding path.
///
/// An index is stored in the path itself, and keys in a linked list that nested places share. So a place costs memory
/// only if a value with containers is decoded by its key. The path has a single reference, to the last node of the
/// list: the standard library copies a container for each value that is decoded from it.
struct JSONPath {
    private let node: Node
    private let index: UInt32

    private static let noIndex = UInt32.max

    private final class Node {
        let document: JSONDocument
        let parent: JSONPath?
        /// The key; nil if the node only stands for its parent.
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

    /// Data that only some containers of objects need, stored with their place so that other containers are small.
    struct SpecialObject {
        /// The members by name; nil if the keys are compared with the bytes of the text.
        let members: JSONMembers?
        /// The place of the decoder, if it differs from the place of the object.
        let scope: JSONPath?
    }

    private init(node: Node, index: UInt32 = noIndex) {
        self.node = node
        self.index = index
    }

    /// The place of the outermost value.
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

    /// Returns the same place, for the container of a special object.
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

/// A key that a coding path shows without a container having asked for it: an index, or the name of a member.
struct JSONKey: CodingKey {
    /// The name; nil for an index, whose text is rarely needed.
    private let name: String?
    let intValue: Int?

    init(_ name: String, intValue: Int? = nil) {
        self.name = name
        self.intValue = intValue
    }

    init(index: Int) {
        name = nil
        intValue = index
    }

    var stringValue: String { name ?? "Index \(intValue ?? 0)" }

    init?(stringValue: String) {
        self.init(stringValue)
    }

    init?(intValue: Int) {
        self.init("\(intValue)", intValue: intValue)
    }
}
