public import Foundation

/// A file of real bytes, for what sends files.
public enum FilledFile {
    /// Makes a file of that many bytes, which stay in the page cache where there is room for them.
    public static func write(_ bytes: Int, to url: URL) throws {
        let handle = try create(url)
        defer { try? handle.close() }
        let piece = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        var rest = bytes
        while rest > 0 {
            let part = piece.prefix(rest)
            try handle.write(contentsOf: part)
            rest -= part.count
        }
    }

    /// Makes a file that takes no room on the disk, and of which all that is read is one page of zeroes.
    public static func writeSparse(_ bytes: Int, to url: URL) throws {
        let handle = try create(url)
        defer { try? handle.close() }
        try handle.truncate(atOffset: UInt64(bytes))
    }

    private static func create(_ url: URL) throws -> FileHandle {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        return try FileHandle(forWritingTo: url)
    }
}
