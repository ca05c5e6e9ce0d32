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

        /// Stops the transfer, and ends the call with the error that the reader gets; nil for a success.
        func leave(with error: (any Error)?) { chunks.leave(with: error) }

        mutating func next<Value>(_ read: (UnsafeRawBufferPointer) -> Value) async throws -> Value? {
            while true {
                if let line = splitter.next(read) { return line }
                guard !isAtEnd else { return nil }
                guard splitter.pendingCount <= Lines.limit else {
                    let detail = "a line of the body is longer than \(Lines.limit) bytes"
                    let error = NetworkClient.Error.requestError(type: TransportError(.bodyTooLarge, detail: detail))
                    leave(with: error)
                    throw error
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

extension ResponseBody {
    /// Splits bytes into lines as they are received.
    struct LineSplitter {
        /// The bytes that arrived last, and the index of those that were not read yet.
        private var chunk = Data()
        private var offset = 0
        /// A line whose end has not arrived.
        private var line: [UInt8] = []
        private var isFirst = true
        /// Whether the last line has ended with a CR at the end of a chunk, so that an LF at the start of the next one
        /// belongs to it.
        private var mayBeginWithLF = false
        private let endsAtCR: Bool

        /// Creates a splitter at LF, and by default at CR and CR LF.
        init(endsAtCR: Bool = true) {
            self.endsAtCR = endsAtCR
        }

        /// The number of bytes of an incomplete line.
        var pendingCount: Int { line.count }

        /// Adds bytes after those that were read; only if ``next(_:)`` has returned nil.
        mutating func append(_ bytes: Data) { (chunk, offset) = (bytes, 0) }

        /// Reads the next complete line; returns nil if more bytes are needed.
        mutating func next<Value>(_ read: (UnsafeRawBufferPointer) -> Value) -> Value? {
            let chunk = chunk
            return chunk.withUnsafeBytes { next(in: $0, read) }
        }

        /// Reads the remaining bytes at the end of the body; returns nil if there are none.
        mutating func end<Value>(_ read: (UnsafeRawBufferPointer) -> Value) -> Value? {
            line.isEmpty ? nil : value(endingWith: UnsafeRawBufferPointer(start: nil, count: 0), read)
        }

        private mutating func next<Value>(
            in bytes: UnsafeRawBufferPointer,
            _ read: (UnsafeRawBufferPointer) -> Value
        ) -> Value? {
            if mayBeginWithLF, offset < bytes.count {
                mayBeginWithLF = false
                if bytes[offset] == 0x0A { offset += 1 }
            }
            guard let end = endOfLine(in: bytes) else {
                line += bytes[offset...]
                offset = bytes.count
                return nil
            }
            let rest = UnsafeRawBufferPointer(rebasing: bytes[offset..<end])
            // The line is complete at its CR, without waiting for the next byte: in a live stream it may arrive much
            // later.
            mayBeginWithLF = bytes[end] == 0x0D && end + 1 == bytes.count
            let isPair = bytes[end] == 0x0D && !mayBeginWithLF && bytes[end + 1] == 0x0A
            offset = end + (isPair ? 2 : 1)
            return value(endingWith: rest, read)
        }

        private func endOfLine(in bytes: UnsafeRawBufferPointer) -> Int? {
            var index = offset
            while index < bytes.count {
                let byte = bytes[index]
                if byte == 0x0A || byte == 0x0D && endsAtCR { return index }
                index += 1
            }
            return nil
        }

        /// Reads a line whose beginning may have come earlier, without the byte order mark of the text.
        private mutating func value<Value>(
            endingWith rest: UnsafeRawBufferPointer,
            _ read: (UnsafeRawBufferPointer) -> Value
        ) -> Value {
            defer {
                isFirst = false
                line.removeAll(keepingCapacity: true)
            }
            guard isFirst || !line.isEmpty else { return read(rest) }
            return (line + rest).withUnsafeBytes { whole in
                let isMarked = isFirst && whole.starts(with: [0xEF, 0xBB, 0xBF])
                return read(isMarked ? UnsafeRawBufferPointer(rebasing: whole.dropFirst(3)) : whole)
            }
        }
    }
}
