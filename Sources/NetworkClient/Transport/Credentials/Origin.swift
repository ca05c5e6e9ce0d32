/// The scheme, host and port of a URL (RFC 6454 §4), to which credentials belong.
package struct Origin: Hashable, Sendable {
    package let scheme: String
    package let host: String
    package let port: Int

    package init(of url: URL) {
        if let plain = Self(plain: url.absoluteString) {
            self = plain
            return
        }
        scheme = url.scheme?.lowercased() ?? ""
        host = url.host?.lowercased() ?? ""
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }

    /// Returns whether a URL has one of several origins; creates no `Origin` if the URL needs no normalisation.
    static func isOne(of origins: [Origin], _ url: URL) -> Bool {
        let known = url.absoluteString.utf8.withContiguousStorageIfAvailable { text -> Bool? in
            guard let parts = PlainParts(text) else { return nil }
            let host = text[parts.host]
            return origins.contains { origin in
                origin.port == parts.port && origin.scheme == parts.scheme && origin.host.utf8.elementsEqual(host)
            }
        }
        return (known ?? nil) ?? origins.contains(Origin(of: url))
    }

    /// The origin as in a URL, without the default port: `https://api.example.com`.
    package var text: String {
        let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
        let isDefault = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host)" + (isDefault ? "" : ":\(port)")
    }

    /// Reads the origin from the text of a URL; nil if the URL needs normalisation.
    ///
    /// Foundation parses the URL again for every property access.
    private init?(plain url: String) {
        guard let origin = url.utf8.withContiguousStorageIfAvailable(Self.init(plain:)) ?? nil else { return nil }
        self = origin
    }

    private init?(plain url: UnsafeBufferPointer<UInt8>) {
        guard let parts = PlainParts(url) else { return nil }
        scheme = parts.scheme
        host = String(decoding: url[parts.host], as: UTF8.self)
        port = parts.port
    }
}

/// The parts of an origin in the text of a URL that needs no normalisation.
private struct PlainParts {
    let scheme: String
    let host: Range<Int>
    let port: Int

    /// Finds the parts; nil if the URL needs normalisation.
    init?(_ url: UnsafeBufferPointer<UInt8>) {
        guard let start = URLText.authority(of: url) else { return nil }
        var end = url[start...].firstIndex { !Self.isPlain($0) } ?? url.count
        host = start..<end
        scheme = start == 8 ? "https" : "http"
        if end < url.count, url[end] == UInt8(ascii: ":") {
            let digits = url[(end + 1)...].prefix { (0x30...0x39).contains($0) }
            // A port has at most five digits; more could overflow.
            guard 1...5 ~= digits.count else { return nil }
            port = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            end = digits.endIndex
        } else {
            port = start == 8 ? 443 : 80
        }
        guard !host.isEmpty, end == url.count || "/?#".utf8.contains(url[end]) else { return nil }
    }

    /// Returns whether a byte of a host needs no normalisation: a lowercase letter, a digit, a hyphen, a dot.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D || byte == 0x2E
    }
}

/// Cheap checks of a URL's text, since Foundation parses the URL again for every property access.
enum URLText {
    /// Returns where the authority begins (RFC 3986 §3.2); nil unless the URL begins with `http://` or `https://` in
    /// lowercase and is longer than that.
    static func authority(of url: UnsafeBufferPointer<UInt8>) -> Int? {
        guard url.count > 8, (url[0], url[1], url[2], url[3]) == (0x68, 0x74, 0x74, 0x70) else { return nil }
        let start = url[4] == UInt8(ascii: "s") ? 8 : 7
        return (url[start - 3], url[start - 2], url[start - 1]) == (0x3A, 0x2F, 0x2F) ? start : nil
    }
}
