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

    /// Reads the bytes that remain at the end of the body; returns nil if no byte remains.
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
