/// A queue of bytes in a file without a name.
///
/// The file consists of blocks. A block that has been read is used again, so the file is never longer than the maximum
/// number of bytes that waited to be read, which is limited.
struct SpoolFile: Sendable {
    private let file: DiskFile
    private let limit: Int
    /// The positions of the blocks that hold bytes, in the order of the bytes.
    private var blocks: [Int] = []
    private var freeBlocks: [Int] = []
    /// The number of blocks of the file.
    private var blockCount = 0
    /// The number of bytes read from the first block, and the number of bytes written to the last block.
    private var (readOffset, writeOffset) = (0, 0)
    /// The number of bytes that have not been read.
    private(set) var count = 0

    /// Creates the file; at most `limit` bytes may wait to be read.
    ///
    /// - Throws: ``TransportError`` if the file cannot be created.
    init(limit: Int = Int(clamping: Int64(4) << 30)) throws {
        self.limit = limit
        do {
            file = try DiskFile.unnamed()
        } catch {
            throw Self.failure(error)
        }
    }

    var isEmpty: Bool { count == 0 }

    /// Appends bytes to the queue.
    ///
    /// - Throws: ``TransportError`` if more bytes would wait than the limit allows, or if the file cannot be written.
    mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
        guard bytes.count <= limit - count else { throw tooSlow }
        var rest = bytes[...]
        while !rest.isEmpty {
            if blocks.isEmpty || writeOffset == Self.blockSize { addBlock() }
            let part = rest.prefix(Self.blockSize - writeOffset)
            do {
                let place = blocks[blocks.count - 1] * Self.blockSize + writeOffset
                try file.write(UnsafeRawBufferPointer(rebasing: part), at: place)
            } catch {
                throw Self.failure(error)
            }
            writeOffset += part.count
            count += part.count
            rest = rest.dropFirst(part.count)
        }
    }

    /// Returns the next bytes; empty if all have been read.
    ///
    /// - Throws: ``TransportError`` if the file cannot be read.
    mutating func next() throws -> Data {
        guard let block = blocks.first, count > 0 else { return Data() }
        var data = Data(count: min(count, Self.blockSize - readOffset))
        do {
            let place = block * Self.blockSize + readOffset
            let read = try data.withUnsafeMutableBytes { try file.read(into: $0, at: place) }
            guard read > 0 else { throw POSIXError(.EIO) }
            data.removeSubrange(read...)
            try drop(read)
        } catch {
            throw Self.failure(error)
        }
        return data
    }

    /// Returns the length of the file.
    func fileLength() throws -> Int { try file.length() }

    private mutating func addBlock() {
        if let block = freeBlocks.popLast() {
            blocks.append(block)
        } else {
            blocks.append(blockCount)
            blockCount += 1
        }
        writeOffset = 0
    }

    /// Removes bytes from the front after they were read.
    private mutating func drop(_ length: Int) throws {
        count -= length
        readOffset += length
        if isEmpty {
            try file.truncate(to: 0)
            (blocks, freeBlocks, blockCount, readOffset, writeOffset) = ([], [], 0, 0, 0)
        } else if readOffset == Self.blockSize {
            freeBlocks.append(blocks.removeFirst())
            readOffset = 0
        }
    }

    private var tooSlow: TransportError {
        TransportError(
            .unsupported,
            detail: "its body arrived faster than it was read, and URLSession on Linux cannot make a server wait: "
                + "more than \(limit) bytes would have to be kept in a temporary file"
        )
    }

    private static func failure(_ error: any Error) -> TransportError {
        TransportError(
            .fileNotWritten,
            detail: "the unread part of its body could not be kept in a temporary file",
            underlying: error
        )
    }

    private static let blockSize = 1 << 18
}
