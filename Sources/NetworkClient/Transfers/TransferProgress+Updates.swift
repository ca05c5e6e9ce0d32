extension TransferProgress {
    /// The progress of one transfer as a sequence: where it begins, then whatever is the latest, and the end of it.
    ///
    /// A loop that is slower than the transfer misses what is in between, never the last. It ends when the transfer
    /// does, however that ends. Any number of loops may run, at any time.
    public struct Updates: AsyncSequence, Sendable {
        /// What a loop gets.
        public typealias Element = TransferProgress

        let board: ProgressBoard

        /// Begins a loop.
        ///
        /// - Returns: An iterator of its own for each loop.
        public func makeAsyncIterator() -> Iterator { Iterator(board: board) }

        /// One loop over the progress of a transfer.
        public struct Iterator: AsyncIteratorProtocol {
            let board: ProgressBoard
            private var seen: TransferProgress?

            init(board: ProgressBoard) {
                self.board = board
            }

            /// Waits until there is something new.
            ///
            /// - Returns: The progress; nil when the transfer is over, or the task was cancelled.
            public mutating func next() async -> TransferProgress? {
                seen = await board.next(after: seen)
                return seen
            }
        }
    }
}
