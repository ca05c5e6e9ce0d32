public import Foundation

/// Writes the files that benchmarks send.
public enum FilledFile {
    /// Writes a file of `bytes` bytes, which stay in the page cache if they fit.
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

    /// Writes a sparse file: it takes no disk space, and each read returns the same page of zeroes.
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
