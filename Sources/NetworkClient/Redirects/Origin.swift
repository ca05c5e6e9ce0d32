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

    /// Nil for a URL that is written so that it has to be parsed: a URL is for each question that it is asked.
    private init?(plain url: String) {
        guard let parts = url.utf8.withContiguousStorageIfAvailable(Self.plainParts) ?? nil else { return nil }
        scheme = parts.isSecure ? "https" : "http"
        host = parts.host
        port = parts.port ?? (parts.isSecure ? 443 : 80)
    }

    private static func plainParts(
        of url: UnsafeBufferPointer<UInt8>
    ) -> (isSecure: Bool, host: String, port: Int?)? {
        guard url.count > 8, (url[0], url[1], url[2], url[3]) == (0x68, 0x74, 0x74, 0x70) else { return nil }
        let isSecure = url[4] == UInt8(ascii: "s")
        let start = isSecure ? 8 : 7
        guard (url[start - 3], url[start - 2], url[start - 1]) == (0x3A, 0x2F, 0x2F) else { return nil }
        var end = start
        while end < url.count, isPlain(url[end]) { end += 1 }
        let host = String(decoding: url[start..<end], as: UTF8.self)
        var port: Int?
        if end < url.count, url[end] == UInt8(ascii: ":") {
            let digits = url[(end + 1)...].prefix { (0x30...0x39).contains($0) }
            port = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            end = digits.endIndex
            guard 1...5 ~= digits.count else { return nil }
        }
        guard !host.isEmpty, end == url.count || [0x2F, 0x3F, 0x23].contains(url[end]) else { return nil }
        return (isSecure, host, port)
    }

    /// Whether a byte is the same in a host however that is written: a small letter, a digit, a hyphen, a dot.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
    }
}
