package import Foundation

/// The files of this package on the machine that compiled the tests.
package enum PackageFiles {
    /// The folder of the root package; that of `Tests/Wire` compiles this file through a link.
    package static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Returns the regular files below a folder, sorted by path, without hidden files; none if the folder is missing.
    ///
    /// The depth is the number of levels; 1 is the folder itself.
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

    /// Returns the path of a file from the root of the package; the whole path for any other file.
    package static func name(of file: URL) -> String {
        // The path of a checkout may contain a link, such as `/tmp` on macOS.
        let path = file.resolvingSymlinksInPath().path
        let prefix = root.resolvingSymlinksInPath().path + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : file.path
    }
}
