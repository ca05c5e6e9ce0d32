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

#if os(Linux)
/// The libcurl of this process, which FoundationNetworking brings along, as it describes itself.
///
/// For tests whose expected values differ between versions: `LoadedLibcurl.isOlder(than: 8, 14) ? 10_000 : 5_000`, or
/// the trait `.enabled(if: !LoadedLibcurl.isOlder(than: 8, 1))`. Asks libcurl itself, not the code that is tested.
package enum LoadedLibcurl {
    /// Such as `7.88.1`; empty if there is none.
    package static let version = word(after: "libcurl/")

    /// Whether the TLS of this libcurl is GnuTLS.
    package static let usesGnuTLS = words.contains { $0.hasPrefix("GnuTLS/") }

    package static func isOlder(than major: Int, _ minor: Int, _ patch: Int = 0) -> Bool {
        version.split(separator: ".").map { Int($0) ?? 0 }.lexicographicallyPrecedes([major, minor, patch])
    }

    /// Such as `libcurl/7.88.1`, `OpenSSL/3.0.19` and `nghttp2/1.52.0`.
    private static let words: [Substring] = {
        guard let symbol = dlsym(nil, "curl_version") else { return [] }
        let describe = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafePointer<CChar>?).self)
        return describe().map { String(cString: $0).split(separator: " ") } ?? []
    }()

    /// Without a suffix such as `-DEV`, which a build from a source tree has.
    private static func word(after name: String) -> String {
        let word = words.first { $0.hasPrefix(name) }?.dropFirst(name.count) ?? ""
        return String(word.prefix { $0.isNumber || $0 == "." })
    }
}
#endif
