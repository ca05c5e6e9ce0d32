extension ResponseBody {
    /// The body in lines, as text in UTF-8; bytes that are none become `U+FFFD`.
    ///
    /// A line ends in LF, CR LF or CR, which are left out, or with the body. A line of more bytes than ``Lines/limit``
    /// is an error, so that no server can fill the memory with one.
    public var lines: Lines { Lines(body: self) }

    /// The body of an answer in lines.
    public struct Lines: AsyncSequence, Sendable {
        /// A line without its end; it may be empty.
        public typealias Element = String

        /// The bytes that a line may have: 16 MiB.
        public static let limit = 16 << 20

        let body: ResponseBody

        /// Begins to read.
        ///
        /// - Returns: An iterator; a body can be read once.
        public func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator()) }

        /// The one pass over the lines of a body.
        public struct Iterator: AsyncIteratorProtocol {
            private var chunks: ResponseBody.Iterator
            private var splitter = LineSplitter()
            private var isAtEnd = false

            init(chunks: ResponseBody.Iterator) {
                self.chunks = chunks
            }

            /// Waits for the next line.
            ///
            /// - Returns: The line; nil at the end.
            /// - Throws: As ``ResponseBody/Iterator/next()``; ``TransportError/Reason/bodyTooLarge`` for a line that is
            ///   too long.
            public mutating func next() async throws -> String? {
                while true {
                    if let line = splitter.next() { return line }
                    guard !isAtEnd else { return nil }
                    guard splitter.pendingCount <= Lines.limit else {
                        let detail = "a line of the body is longer than \(Lines.limit) bytes"
                        throw NetworkClient.Error.requestError(type: TransportError(.bodyTooLarge, detail: detail))
                    }
                    guard let chunk = try await chunks.next() else {
                        isAtEnd = true
                        return splitter.end()
                    }
                    splitter.append(chunk)
                }
            }
        }
    }
}
