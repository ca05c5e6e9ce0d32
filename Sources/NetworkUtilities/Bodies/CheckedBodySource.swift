/// A source that somebody else wrote, held to the length that it announced when the body was made.
///
/// A server takes what comes after that length for another request, and waits for what is missing before it; neither
/// must go on the wire.
struct CheckedBodySource<Base: BodySource>: BodySource {
    let length: Int
    private let base: Base

    init(_ base: Base) {
        self.base = base
        length = base.length
    }

    func open() throws -> any BodyReader {
        guard length >= 0 else { throw BodySourceError.invalidLength(length) }
        let reader = Reader(try base.open(), length: length)
        // Nobody reads a body without bytes, so that this is the time to see whether it has any.
        guard length == 0 else { return reader }
        do {
            try reader.checkEnd()
            return reader
        } catch {
            reader.close()
            throw error
        }
    }

    /// One pass, which gives the last bytes only if none follow.
    private final class Reader: BodyReader {
        private let reader: any BodyReader
        private let length: Int
        private var remaining: Int

        init(_ reader: any BodyReader, length: Int) {
            self.reader = reader
            self.length = length
            remaining = length
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard remaining > 0 else { return 0 }
            let space = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(remaining))
            guard !space.isEmpty else { return 0 }
            let count = try reader.checkedRead(into: space)
            guard count > 0 else {
                throw BodySourceError.endedEarly(expectedLength: length, actualLength: length - remaining)
            }
            if count == remaining { try checkEnd() }
            remaining -= count
            return count
        }

        func checkEnd() throws {
            let count = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) {
                try reader.checkedRead(into: $0)
            }
            guard count == 0 else { throw BodySourceError.tooLong(expectedLength: length) }
        }

        func close() {
            reader.close()
        }
    }
}

extension BodyReader {
    /// Reads, and believes no count that cannot be.
    func checkedRead(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try read(into: buffer)
        guard count >= 0, count <= buffer.count else {
            throw BodySourceError.invalidReadCount(count, capacity: buffer.count)
        }
        return count
    }
}
