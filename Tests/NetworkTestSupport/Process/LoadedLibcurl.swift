#if os(Linux)
import Foundation

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
