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
        // Only some keyed containers need these, which are here so that other containers are small.
        let table: JSONKeyTable?
        let members: JSONMembers?
        let scope: JSONPath?
        /// The position of the name that was found last.
        let last = JSONHint()

        init(
            _ document: JSONDocument,
            parent: JSONPath? = nil,
            key: (any CodingKey)? = nil,
            table: JSONKeyTable? = nil,
            members: JSONMembers? = nil,
            scope: JSONPath? = nil
        ) {
            self.document = document
            self.parent = parent
            self.key = key
            self.table = table
            self.members = members
            self.scope = scope
        }
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

    /// Returns the same path with additional data for the container of an object.
    func with(_ table: JSONKeyTable?, _ members: JSONMembers?, scope: JSONPath?) -> JSONPath {
        JSONPath(node: Node(node.document, parent: self, table: table, members: members, scope: scope))
    }

    /// The keys of an object with many of them; nil if there are few, or ``members``.
    var table: JSONKeyTable? { node.table }

    /// The members of the object by name; nil if its keys are compared with the bytes of the text.
    var members: JSONMembers? { node.members }

    var hasMembers: Bool { node.members != nil }

    /// Returns the index of the token of the value of one of the ``members``.
    func index(of name: String) -> Int? {
        guard let members = node.members else { return nil }
        return members.shape.position(of: name, after: node.last).map { Int(members.values[$0]) }
    }

    /// The path of the decoder of the object, if it differs.
    var scope: JSONPath? { node.scope }

    /// The keys, from the outermost.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        keys.reserveCapacity(8)
        var next: JSONPath? = self
        while let path = next {
            if path.index != Self.noIndex { keys.append(AnyCodingKey(index: Int(path.index))) }
            if let key = path.node.key { keys.append(key) }
            next = path.node.parent
        }
        keys.reverse()
        return keys
    }
}
