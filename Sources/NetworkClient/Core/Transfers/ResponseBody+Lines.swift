extension ResponseBody {
    /// The body as lines of text in UTF-8; invalid bytes become `U+FFFD`.
    ///
    /// A line ends with LF, CR LF, CR or the end of the body, and does not include these bytes. A line longer than
    /// ``Lines/limit`` is an error, so that no server can fill the memory with a line.
    public var lines: Lines { Lines(body: self) }

    /// The lines of a response's body.
    public struct Lines: AsyncSequence, Sendable {
        /// A line without its end; it may be empty.
        public typealias Element = String

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
                try await reader.next().map { String(decoding: $0, as: UTF8.self) }
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

        /// Stops the transfer, and ends the call with the error that the reader gets; nil for a success.
        func leave(with error: (any Error)?) { chunks.leave(with: error) }

        mutating func next() async throws -> ArraySlice<UInt8>? {
            while true {
                if let line = splitter.next() { return line }
                guard !isAtEnd else { return nil }
                guard splitter.pendingCount <= Lines.limit else {
                    let detail = "a line of the body is longer than \(Lines.limit) bytes"
                    let error = NetworkClient.Error.requestError(type: TransportError(.bodyTooLarge, detail: detail))
                    leave(with: error)
                    throw error
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

extension ResponseBody.Lines: OpaqueValue {}
extension ResponseBody.Lines.Iterator: OpaqueValue {}

extension ResponseBody {
    /// Splits bytes into lines as they are received.
    struct LineSplitter {
        private var bytes: [UInt8] = []
        /// The index of the next line.
        private var start = 0
        /// The index up to which the bytes contain no end of a line.
        private var searched = 0
        private var isFirst = true
        /// Whether the last line ended with a CR at the end of the bytes, so that an LF at the start of the next chunk
        /// belongs to it.
        private var mayBeginWithLF = false
        private let endsAtCR: Bool

        /// Creates a splitter at LF, and by default at CR and CR LF.
        init(endsAtCR: Bool = true) {
            self.endsAtCR = endsAtCR
        }

        /// The number of bytes of an incomplete line.
        var pendingCount: Int { bytes.count - start }

        mutating func append(_ chunk: Data) {
            if start > 0 {
                bytes.removeFirst(start)
                searched -= start
                start = 0
            }
            bytes.append(contentsOf: chunk)
            guard mayBeginWithLF, let first = chunk.first else { return }
            mayBeginWithLF = false
            if first == 0x0A {
                start += 1
                searched += 1
            }
        }

        /// Returns the next complete line; nil if more bytes are needed.
        mutating func next() -> ArraySlice<UInt8>? {
            guard let end = bytes[searched...].firstIndex(where: { $0 == 0x0A || endsAtCR && $0 == 0x0D }) else {
                searched = bytes.count
                return nil
            }
            searched = end
            // The line is complete at its CR, without waiting for the next byte: in a live stream it may arrive much
            // later.
            mayBeginWithLF = bytes[end] == 0x0D && end + 1 == bytes.count
            let isPair = bytes[end] == 0x0D && !mayBeginWithLF && bytes[end + 1] == 0x0A
            return line(to: end, next: end + (isPair ? 2 : 1))
        }

        /// Returns the remaining bytes at the end of the body; nil if there are none.
        mutating func end() -> ArraySlice<UInt8>? {
            guard start < bytes.count else { return nil }
            return line(to: bytes.count, next: bytes.count)
        }

        private mutating func line(to end: Int, next: Int) -> ArraySlice<UInt8> {
            var line = bytes[start..<end]
            // A byte order mark isn't part of the text.
            if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
            isFirst = false
            start = next
            searched = next
            return line
        }
    }
}
