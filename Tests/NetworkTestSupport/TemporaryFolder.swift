package import Foundation

/// A new folder for the files of one test, which removes it when it is done.
package struct TemporaryFolder: Sendable {
    /// Where it is.
    package let url: URL

    /// Makes an empty folder.
    ///
    /// - Throws: What keeps it from being made.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("network-client-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Writes a text file into the folder.
    ///
    /// - Parameters:
    ///   - text: What it holds, as UTF-8.
    ///   - name: Its name.
    /// - Returns: Where it is.
    /// - Throws: What keeps the file from being written.
    package func write(_ text: String, to name: String) throws -> URL {
        let file = url.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file
    }

    /// Removes the folder with all that is in it; one that is gone already is no error.
    package func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
