package import Foundation

/// A directory that is removed at the end of a test.
///
/// It is removed after the last use of this value, even if its files are used afterwards: keep it with
/// `withExtendedLifetime` then.
package final class TemporaryDirectory: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("network-client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    package func file(_ name: String, _ data: Data) throws -> URL {
        let file = url.appendingPathComponent(name)
        try data.write(to: file)
        return file
    }

    package func file(_ name: String, _ text: String) throws -> URL {
        try file(name, Data(text.utf8))
    }

    /// Creates a file of zeros that takes no disk space.
    package func sparseFile(_ name: String, length: UInt64) throws -> URL {
        let file = try file(name, Data())
        let handle = try FileHandle(forWritingTo: file)
        try handle.truncate(atOffset: length)
        try handle.close()
        return file
    }

    /// The names of all files in the directory, hidden files included.
    package func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    /// Waits until the directory contains only these names: a task removes the file of a released handle.
    package func waitForNames(_ expected: [String]) async throws {
        try await withDeadline("the directory to contain \(expected)") {
            while try self.names() != expected { await Task.yield() }
        }
    }
}
