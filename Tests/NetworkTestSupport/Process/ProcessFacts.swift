import Foundation

/// What the process uses at one moment, for assertions that nothing was left behind; nil where the platform won't say.
package struct ProcessFacts: Sendable {
    package let residentBytes: Int?
    package let openDescriptors: Int?
    package let threads: Int?

    /// Read from `/proc`, so on Linux; everything is nil elsewhere.
    package static func now() -> ProcessFacts {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return ProcessFacts(
            residentBytes: number(after: "VmRSS:", in: status).map { $0 * 1024 },
            openDescriptors: countDescriptors(),
            threads: number(after: "Threads:", in: status)
        )
    }

    /// The paths of the open files, also of those that have been removed, and what stands for a descriptor that has
    /// none, such as `socket:[1]`; nil where the platform won't say.
    package static func openFiles() -> [String]? {
        let folder = "/proc/self/fd"
        guard let open = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return nil }
        return open.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    }

    private static func number(after label: String, in status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(label) }) else { return nil }
        return Int(line.dropFirst(label.count).filter(\.isNumber))
    }

    private static func countDescriptors() -> Int? {
        let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        // One of them was open only to read the list.
        return open.map { $0.count - 1 }
    }
}
