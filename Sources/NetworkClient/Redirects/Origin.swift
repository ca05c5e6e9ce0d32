import Foundation

/// Scheme, host and port of a URL (RFC 6454 §4): what credentials belong to.
struct Origin: Hashable, Sendable {
    let scheme: String
    let host: String
    let port: Int

    init(of url: URL) {
        if let plain = Self(plain: url.absoluteString) {
            self = plain
            return
        }
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Nil for a URL that is not written so plainly that its text can be read: a URL is parsed for each question.
    private init?(plain url: String) {
        guard let origin = url.utf8.withContiguousStorageIfAvailable(Self.init(plain:)) ?? nil else { return nil }
        self = origin
    }

    private init?(plain url: UnsafeBufferPointer<UInt8>) {
        guard let start = URLText.authority(of: url) else { return nil }
        var end = url[start...].firstIndex { !Self.isPlain($0) } ?? url.count
        host = String(decoding: url[start..<end], as: UTF8.self)
        scheme = start == 8 ? "https" : "http"
        if end < url.count, url[end] == UInt8(ascii: ":") {
            let digits = url[(end + 1)...].prefix { (0x30...0x39).contains($0) }
            // More would be no port, and a number of any length no number.
            guard 1...5 ~= digits.count else { return nil }
            port = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            end = digits.endIndex
        } else {
            port = start == 8 ? 443 : 80
        }
        guard !host.isEmpty, end == url.count || "/?#".utf8.contains(url[end]) else { return nil }
    }

    /// Whether a byte is the same in a host however that is written: a small letter, a digit, a hyphen, a dot.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
    }
}
