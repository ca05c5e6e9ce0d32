#if os(Linux)
import CCurl

/// The URL of a handle's transfers.
///
/// libcurl takes a text apart for each transfer and prints it again, an eighth of its work for a small answer. So it is
/// given most URLs as parts, and none where it has that URL already.
struct CurlURL {
    private var address: UInt = 0
    /// What the handle has; nil if that is not known.
    private var text: String?
    /// Whether the handle refers to the parts.
    private var hasParts = false

    private var parts: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// One of libcurl's results.
    mutating func set(_ text: String, of easy: OpaquePointer?) -> CInt {
        if hasParts, text == self.text { return 0 }
        // Before the text, which goes with the parts from libcurl 8.12 on.
        if hasParts { _ = ccurl_easy_set_url(easy, nil) }
        forget()
        return text.withCString { characters in
            // Which libcurl refers to where it sends a request again.
            let result = ccurl_easy_set_text(easy, CCURL_OPTION_URL, characters)
            guard result == 0 else { return result }
            hasParts = parse(text, characters)
            self.text = text
            return hasParts ? ccurl_easy_set_url(easy, parts) : 0
        }
    }

    /// The rest are taken apart by the transfer, and refused if need be; a copy of the parts may lack an IPv6 zone.
    private mutating func parse(_ text: String, _ characters: UnsafePointer<CChar>) -> Bool {
        guard RequestValidation.namesHost(text) else { return false }
        if address == 0 { address = UInt(bitPattern: ccurl_url_make()) }
        return address != 0 && ccurl_url_parse(parts, characters) == 0
    }

    /// To be called when the handle was reset, and has none.
    mutating func forget() {
        text = nil
        hasParts = false
    }

    /// Only when no transfer reads it any more.
    mutating func free() {
        ccurl_url_free(parts)
        address = 0
    }
}

/// The target of a request (RFC 9112 §3.2) whose bytes libcurl would change, though a signature may cover them.
///
/// From 8.20 on it writes `%2f` as `%2F`, and from 8.8 on `/?` as `/`. An HTTP proxy, which is sent the whole of a
/// plain URL, gets it without an empty query from all versions.
struct ExactTarget {
    /// Path and query; nil if libcurl sends them as they are.
    let origin: String?
    /// The whole URL without user and fragment; nil if no HTTP proxy can be on the way.
    let absolute: String?

    /// Nil for nearly all URLs, which libcurl sends as they are.
    init?(_ url: String, mayBeForwarded: Bool) {
        let text = url.utf8.prefix { $0 != UInt8(ascii: "#") }
        let hasEmptyQuery = text.last == UInt8(ascii: "?")
        guard hasEmptyQuery || text.contains(UInt8(ascii: "%")) else { return nil }
        let bytes = Array(text)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), bytes[(colon + 1)...].starts(with: "//".utf8) else {
            return nil
        }
        let start = colon + 3
        let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? bytes.endIndex
        let isChanged =
            hasEmptyQuery && !CurlLibrary.isOlder(than: 8, 8)
            || Self.hasSmallEscape(bytes[end...]) && !CurlLibrary.isOlder(than: 8, 20)
        let isPlain = colon == 4 && mayBeForwarded && CurlLibrary.tellsOfConnections
        guard isChanged || hasEmptyQuery && isPlain else { return nil }
        let slash = bytes[end...].first == UInt8(ascii: "/") ? "" : "/"
        let target = slash + String(decoding: bytes[end...], as: UTF8.self)
        let host = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
        origin = isChanged ? target : nil
        absolute = isPlain ? "http://" + String(decoding: bytes[host..<end], as: UTF8.self) + target : nil
    }

    /// Whether an escape has a small letter.
    private static func hasSmallEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        zip(bytes, bytes.dropFirst()).contains { $0 == UInt8(ascii: "%") && Self.isSmall($1) }
            || zip(bytes, bytes.dropFirst(2)).contains { $0 == UInt8(ascii: "%") && Self.isSmall($1) }
    }

    private static func isSmall(_ byte: UInt8) -> Bool { (0x61...0x66).contains(byte) }
}
#endif
