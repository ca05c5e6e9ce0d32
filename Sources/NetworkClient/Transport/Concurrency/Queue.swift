/// Elements in the order in which they were added, of which the first is removed in constant time.
struct Queue<Element: Sendable>: Sendable {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    /// The elements in their order.
    var waiting: [Element] { elements[head...].compactMap { $0 } }

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        // Moves what is left when it is at most half.
        if 2 * head >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
