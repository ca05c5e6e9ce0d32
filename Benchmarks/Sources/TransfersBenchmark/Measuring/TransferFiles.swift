import BenchmarkHarness
import Foundation

/// The folder with the files that are sent and received.
struct TransferFiles: Sendable {
    private static let smallBytes = 64 << 10

    let folder: URL

    /// The size of the large file.
    let bytes: Int

    /// Writes the files to send.
    static func write(bytes: Int) throws -> TransferFiles {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("transfers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let files = TransferFiles(folder: folder, bytes: bytes)
        do {
            try files.fill("large", bytes)
            try files.fill("small", smallBytes)
        } catch {
            files.remove()
            throw error
        }
        return files
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Removes the file of the last turn, so that each turn writes a new file, and dirty pages needn't go to the disk.
    func removeReceived() {
        for size in ["large", "small"] { try? FileManager.default.removeItem(at: file("received-\(size)")) }
    }

    func large(_ kind: TransferKind, port: UInt16) throws -> TransferTarget {
        try TransferTarget(kind, port: port, file: file(kind.isSent ? "large" : "received-large"), bytes: bytes)
    }

    func small(_ kind: TransferKind, port: UInt16) throws -> TransferTarget {
        let file = file(kind.isSent ? "small" : "received-small")
        return try TransferTarget(kind, port: port, file: file, bytes: Self.smallBytes)
    }

    private func file(_ name: String) -> URL {
        folder.appendingPathComponent("\(name).bin")
    }

    private func fill(_ name: String, _ bytes: Int) throws {
        // One file is sent, one is received, and one contains a form.
        let facts = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
        let free = (facts[.systemFreeSize] as? NSNumber)?.intValue ?? 0
        guard free / 4 > bytes else { throw CocoaError(.fileWriteOutOfSpace) }
        try FilledFile.write(bytes, to: file(name))
    }
}
