/// Many turns of one thing, some at a time.
package enum Turns {
    /// Runs `turn` with each number from 0 up to `count`; the next begins when one of `width` has ended.
    package static func run(
        _ count: Int,
        width: Int = 16,
        _ turn: @escaping @Sendable (_ index: Int) async -> Void
    ) async {
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                if index >= width { await group.next() }
                group.addTask { await turn(index) }
            }
        }
    }
}
