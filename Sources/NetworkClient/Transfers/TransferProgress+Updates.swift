extension TransferProgress {
    /// The progress of one transfer as a sequence: where it begins, then whatever is the latest, and the end of it.
    ///
    /// A loop that is slower than the transfer misses what is in between, never the last. It ends when the transfer
    /// does, however that ends. Any number of loops may run, at any time. A loop that begins when nobody has the handle
    /// of the transfer keeps the transfer going, until the loop is left.
    public struct Updates: AsyncSequence, Sendable {
        /// What a loop gets.
        public typealias Element = TransferProgress

        let board: ProgressBoard
        /// Nil where the transfer needs nobody to keep it.
        let life: ProgressLife?

        init(board: ProgressBoard, life: ProgressLife? = nil) {
            self.board = board
            self.life = life
        }

        /// Begins a loop.
        ///
        /// - Returns: An iterator of its own for each loop.
        public func makeAsyncIterator() -> Iterator { Iterator(board: board, life: life) }

        /// One loop over the progress of a transfer.
        public struct Iterator: AsyncIteratorProtocol {
            let board: ProgressBoard
            private let life: ProgressLife?
            private var seen: TransferProgress?

            init(board: ProgressBoard, life: ProgressLife?) {
                self.board = board
                self.life = life
            }

            /// Waits until there is something new.
            ///
            /// - Returns: The progress; nil when the transfer is over, or the task was cancelled.
            public mutating func next() async -> TransferProgress? {
                if seen == nil { life?.loopHasBegun() }
                seen = await board.next(after: seen)
                return seen
            }
        }
    }
}
