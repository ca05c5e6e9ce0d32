import Foundation

/// The resources that the process uses, for tests of leaks; nil where the platform doesn't tell.
package struct ProcessFacts: Sendable {
    package let residentBytes: Int?
    package let openDescriptors: Int?
    package let threads: Int?

    /// Reads the current facts from `/proc`; all are nil on systems without it.
    package static func now() -> ProcessFacts {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return ProcessFacts(
            residentBytes: number(after: "VmRSS:", in: status).map { $0 * 1024 },
            openDescriptors: countDescriptors(),
            threads: number(after: "Threads:", in: status)
        )
    }

    /// The paths of the open files, including removed ones, and the names of other descriptors, such as `socket:[1]`.
    ///
    /// Nil where the platform doesn't tell.
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
        // One descriptor was open only to read the list.
        return open.map { $0.count - 1 }
    }
}

#if os(Linux)
/// The version of the libcurl in this process, which FoundationNetworking loads.
///
/// For tests whose expected values differ between versions: `LoadedLibcurl.isOlder(than: 8, 14) ? 10_000 : 5_000`, or
/// the trait `.enabled(if: !LoadedLibcurl.isOlder(than: 8, 1))`. The version comes from libcurl, not from tested code.
package enum LoadedLibcurl {
    /// The version, such as `7.88.1`; empty without libcurl.
    package static let version = word(after: "libcurl/")

    /// Whether the TLS of this libcurl is GnuTLS.
    package static let usesGnuTLS = words.contains { $0.hasPrefix("GnuTLS/") }

    /// Whether this libcurl was built with Brotli.
    package static let hasBrotli = words.contains { $0.hasPrefix("brotli/") }

    package static func isOlder(than major: Int, _ minor: Int, _ patch: Int = 0) -> Bool {
        version.split(separator: ".").map { Int($0) ?? 0 }.lexicographicallyPrecedes([major, minor, patch])
    }

    /// The components, such as `libcurl/7.88.1`, `OpenSSL/3.0.19` and `nghttp2/1.52.0`.
    private static let words: [Substring] = {
        guard let symbol = dlsym(nil, "curl_version") else { return [] }
        let describe = unsafeBitCast(symbol, to: (@convention(c) () -> UnsafePointer<CChar>?).self)
        return describe().map { String(cString: $0).split(separator: " ") } ?? []
    }()

    /// The parts of the version, without a suffix such as `-DEV` of a build from a source tree.
    private static func word(after name: String) -> String {
        let word = words.first { $0.hasPrefix(name) }?.dropFirst(name.count) ?? ""
        return String(word.prefix { $0.isNumber || $0 == "." })
    }
}
#endif
