import BenchmarkHarness
import Foundation

/// A file to be sent, in a folder of its own that goes with it.
struct BodyFile: Sendable {
    let url: URL
    let bytes: Int

    private var folder: URL { url.deletingLastPathComponent() }

    /// Makes a file; a sparse one takes no room on the disk, and all that is read from it is one page of zeroes.
    init(bytes: Int, isSparse: Bool) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("body-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.bytes = bytes
        url = folder.appendingPathComponent("body.bin")
        do {
            try isSparse ? FilledFile.writeSparse(bytes, to: url) : FilledFile.write(bytes, to: url)
        } catch {
            remove()
            throw error
        }
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Whether the disk keeps as much free again, and the memory has room for the file's pages.
    static func fits(_ bytes: Int) -> Bool {
        let folder = FileManager.default.temporaryDirectory.path
        let facts = try? FileManager.default.attributesOfFileSystem(forPath: folder)
        let free = (facts?[.systemFreeSize] as? NSNumber)?.intValue ?? 0
        return free / 2 > bytes && Int(ProcessInfo.processInfo.physicalMemory / 2) > bytes
    }
}
