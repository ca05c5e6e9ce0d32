/// The names of an object's fields in their order, with the position of each.
struct FormNames {
    /// The names in their order.
    private(set) var all: [String] = []

    /// Made only for large objects: to look through a few names takes less than to hash them.
    private var positions: [String: Int] = [:]

    private static let largestUnindexed = 16

    /// Makes room for so many names.
    mutating func reserveCapacity(_ count: Int) {
        all.reserveCapacity(count)
    }

    /// Where the name is; nil if it has not been added.
    func position(of name: String) -> Int? {
        positions.isEmpty ? all.firstIndex(of: name) : positions[name]
    }

    /// Adds a name that is not there yet.
    mutating func append(_ name: String) {
        all.append(name)
        if !positions.isEmpty {
            positions[name] = all.count - 1
        } else if all.count > Self.largestUnindexed {
            for (index, name) in all.enumerated() { positions[name] = index }
        }
    }
}
