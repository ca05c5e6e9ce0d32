extension ResponseBody {
    /// The body as lines of text in UTF-8; invalid bytes become `U+FFFD`.
    ///
    /// A line ends with LF, CR LF, CR or the end of the body, and does not include these bytes. A line longer than
    /// ``Lines/limit`` is an error, so that no server can fill the memory with a line.
    public var lines: Lines { Lines(body: self) }

    /// The lines of a response's body.
    public struct Lines: AsyncSequence, Sendable {
        /// The maximum length of a line: 16 MiB.
        public static let limit = 16 << 20

        let body: ResponseBody

        /// Creates an iterator; a body can be read only once.
        public func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator()) }

        /// The iterator over the lines of a body.
        public struct Iterator: AsyncIteratorProtocol {
            private var reader: LineReader

            init(chunks: ResponseBody.Iterator) {
                reader = LineReader(chunks: chunks)
            }

            /// Waits for the next line; returns nil at the end.
            ///
            /// Throws as ``ResponseBody/Iterator/next()``, and ``TransportError/Reason/bodyTooLarge`` for a line that
            /// is too long.
            public mutating func next() async throws -> String? {
                try await reader.next { String(decoding: $0, as: UTF8.self) }
            }
        }
    }

    /// Reads the lines of a body as bytes.
    struct LineReader {
        private var chunks: ResponseBody.Iterator
        private var splitter: LineSplitter
        private var isAtEnd = false

        /// Creates a reader of lines that end at LF, and by default at CR and CR LF; one that ends the call does so in
        /// ``leave(with:)``, and not at the end of the body.
        init(chunks: ResponseBody.Iterator, endsAtCR: Bool = true, endsCall: Bool = false) {
            self.chunks = chunks
            if endsCall { chunks.endCallByLeaving() }
            splitter = LineSplitter(endsAtCR: endsAtCR)
        }

        /// Stops the transfer, and ends the call with an error; nil for a success.
        ///
        /// Returns the error with the journey.
        @discardableResult
        func leave(with error: (any Error)?) -> (any Error)? { chunks.leave(with: error) }

        mutating func next<Value>(_ read: (UnsafeRawBufferPointer) -> Value) async throws -> Value? {
            while true {
                if let line = splitter.next(read) { return line }
                guard !isAtEnd else { return nil }
                guard splitter.pendingCount <= Lines.limit else {
                    let detail = "a line of the body is longer than \(Lines.limit) bytes"
                    let error = NetworkClient.Error.requestError(type: TransportError(.bodyTooLarge, detail: detail))
                    throw leave(with: error) ?? error
                }
                guard let chunk = try await chunks.next() else {
                    isAtEnd = true
                    return splitter.end(read)
                }
                splitter.append(chunk)
            }
        }
    }
}

extension ResponseBody.Lines: OpaqueValue {}
extension ResponseBody.Lines.Iterator: OpaqueValue {}
