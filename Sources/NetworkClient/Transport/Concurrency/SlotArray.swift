/// An unordered collection whose elements are removed by the index at which they were added, in constant time and
/// without hashing.
struct SlotArray<Element: Sendable>: Sendable {
    private var slots: [Element?] = []
    /// The indices without an element.
    private var free: [Int] = []

    var count: Int { slots.count - free.count }

    var members: [Element] { slots.compactMap { $0 } }

    /// Adds an element, and returns its index, with which it has to be removed.
    mutating func add(_ element: Element) -> Int {
        guard let index = free.popLast() else {
            slots.append(element)
            return slots.count - 1
        }
        slots[index] = element
        return index
    }

    /// Removes the element at an index.
    mutating func remove(_ index: Int) {
        slots[index] = nil
        free.append(index)
    }
}
