import Foundation

/// Cuts bytes into lines as they come.
struct LineSplitter {
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Up to where no end of a line has been found.
    private var searched = 0
    private var isFirst = true
    /// Whether the last line ended in a CR at the end of the bytes, to which a LF that comes next belongs.
    private var mayBeginWithLF = false

    /// Bytes of a line whose end has not come.
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

    /// A line that is complete; nil if more is needed.
    mutating func next() -> String? {
        guard let end = bytes[searched...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
            searched = bytes.count
            return nil
        }
        searched = end
        // The line is complete at its CR: the next byte of a live stream may come much later.
        mayBeginWithLF = bytes[end] == 0x0D && end + 1 == bytes.count
        let isPair = bytes[end] == 0x0D && !mayBeginWithLF && bytes[end + 1] == 0x0A
        return line(to: end, next: end + (isPair ? 2 : 1))
    }

    /// The bytes that are left at the end of the body; nil if there are none.
    mutating func end() -> String? {
        guard start < bytes.count else { return nil }
        return line(to: bytes.count, next: bytes.count)
    }

    private mutating func line(to end: Int, next: Int) -> String {
        var line = bytes[start..<end]
        // A byte order mark is no part of the text.
        if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        isFirst = false
        start = next
        searched = next
        return String(decoding: line, as: UTF8.self)
    }
}
