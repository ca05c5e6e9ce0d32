/// Runs an operation many times, with a limited number of concurrent runs.
package enum Turns {
    /// Runs `turn` with each number below `count`, at most `width` at a time.
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
