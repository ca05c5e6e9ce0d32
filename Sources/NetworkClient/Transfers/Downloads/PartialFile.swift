import Foundation

/// The file that a download writes until it is complete.
///
/// Used by one task at a time.
struct PartialFile: Sendable {
    let url: URL
    private let file: DiskFile
    private(set) var count: Int

    private static let suffix = ".download"

    /// Whether a file of that name is one of these.
    static func isName(_ name: String) -> Bool {
        guard name.hasPrefix("."), name.hasSuffix(suffix) else { return false }
        return UUID(uuidString: "\(name.dropFirst().dropLast(suffix.count))") != nil
    }

    /// A new file, in the folder of the destination and hidden there.
    init(for destination: URL) throws {
        // Without the destination's name, which may be as long as a name can be.
        let name = ".\(UUID().uuidString)\(Self.suffix)"
        url = destination.deletingLastPathComponent().appendingPathComponent(name)
        file = try DiskFile.new(at: url)
        count = 0
    }

    /// The file that an earlier download left, and no other writes to.
    init(left name: String, for destination: URL) throws {
        url = destination.deletingLastPathComponent().appendingPathComponent(name)
        file = try DiskFile.existing(at: url)
        count = try file.length()
    }

    /// Drops what lies behind a place.
    mutating func cut(to length: Int) throws {
        guard length < count else { return }
        try file.truncate(to: length)
        count = length
    }

    mutating func append(_ data: Data) throws {
        try data.withUnsafeBytes { try file.write($0, at: count) }
        count += data.count
    }

    /// Gives it the name of the destination.
    func land(at destination: URL) throws {
        try DiskFile.move(url, to: destination)
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }
}
