package import Foundation

/// The files of this package, as they lie on the machine that compiled the tests.
package enum PackageFiles {
    /// The folder with `Package.swift`.
    package static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Lists the regular files below a folder, sorted by path; hidden ones are left out.
    ///
    /// - Parameters:
    ///   - folder: Where to look; a folder that is not there has no files.
    ///   - depth: How many levels to look at; 1 is the folder itself.
    /// - Returns: The files.
    package static func files(in folder: URL, depth: Int = .max) -> [URL] {
        let options: FileManager.DirectoryEnumerationOptions = [.skipsHiddenFiles]
        let manager = FileManager.default
        guard let entries = manager.enumerator(at: folder, includingPropertiesForKeys: nil, options: options) else {
            return []
        }
        var files: [URL] = []
        for case let entry as URL in entries {
            if entries.level >= depth { entries.skipDescendants() }
            if !entry.hasDirectoryPath { files.append(entry) }
        }
        return files.sorted { $0.path < $1.path }
    }

    /// The path from the root of the package, with which messages name a file.
    ///
    /// - Parameter file: A file of the package.
    /// - Returns: As in `Sources/NetworkClient/Client/NetworkClient.swift`; the whole path for any other file.
    package static func name(of file: URL) -> String {
        // A checkout may be reached through a link: `/tmp` is one on macOS.
        let path = file.resolvingSymlinksInPath().path
        let prefix = root.resolvingSymlinksInPath().path + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : file.path
    }
}
