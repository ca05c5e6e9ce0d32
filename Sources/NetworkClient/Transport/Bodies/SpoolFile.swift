import Foundation

/// Bytes that are put into a file without a name and read again in their order.
///
/// Space is given back when all of it has been read, and at the end.
struct SpoolFile: Sendable {
    private let file: DiskFile
    private var readCount = 0
    private var writtenCount = 0

    init() throws {
        file = try DiskFile.unnamed()
    }

    var isEmpty: Bool { readCount == writtenCount }

    mutating func append(_ bytes: UnsafeRawBufferPointer) throws {
        try file.write(bytes, at: writtenCount)
        writtenCount += bytes.count
    }

    /// The next bytes; none if all have been read.
    mutating func next() throws -> Data {
        let count = min(writtenCount - readCount, Self.portion)
        guard count > 0 else { return Data() }
        var data = Data(count: count)
        let read = try data.withUnsafeMutableBytes { try file.read(into: $0, at: readCount) }
        guard read > 0 else { throw POSIXError(.EIO) }
        readCount += read
        if isEmpty {
            try file.truncate(to: 0)
            (readCount, writtenCount) = (0, 0)
        }
        return read == count ? data : data.subdata(in: 0..<read)
    }

    private static let portion = 1 << 18
}
