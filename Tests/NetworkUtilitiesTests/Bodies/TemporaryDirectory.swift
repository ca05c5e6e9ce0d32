import Foundation

/// A directory that is gone when the test is over.
final class TemporaryDirectory {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("bodies-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func file(_ name: String, _ data: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }

    func file(_ name: String, _ text: String) throws -> URL {
        try file(name, Data(text.utf8))
    }

    /// A file of zeros that takes no room on the disk.
    func sparseFile(_ name: String, length: UInt64) throws -> URL {
        let file = try file(name, Data())
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: length)
        try handle.close()
        return file
    }
}
