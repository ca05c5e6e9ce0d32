#if os(Linux)
import CCurl

/// The URL of a handle's transfers.
///
/// libcurl parses a text for each transfer and prints it again, an eighth of its work for a small response. So it gets
/// most URLs as parsed parts, and none if it has that URL already.
struct CurlURL {
    private var address: UInt = 0
    /// The URL that the handle has; nil if it is unknown.
    private var text: String?
    /// Whether the handle refers to the parts.
    private var hasParts = false

    private var parts: OpaquePointer? { OpaquePointer(bitPattern: address) }

    mutating func set(_ text: String, of easy: OpaquePointer?) -> ccurl_code {
        if hasParts, text == self.text { return CURLE_OK }
        // Before the text, which libcurl 8.12 and later remove together with the parts.
        if hasParts { _ = ccurl_easy_setopt_object(easy, CURLOPT_CURLU, nil) }
        forget()
        return text.withCString { characters in
            // libcurl uses the text when it sends a request again.
            let result = ccurl_easy_setopt_string(easy, CURLOPT_URL, characters)
            guard result == CURLE_OK else { return result }
            hasParts = parse(text, characters)
            self.text = text
            guard hasParts else { return CURLE_OK }
            return ccurl_easy_setopt_object(easy, CURLOPT_CURLU, parts.map { UnsafeRawPointer($0) })
        }
    }

    /// Parses a plain URL.
    ///
    /// The transfer parses the others, and refuses invalid ones; a copy of their parts may lack an IPv6 zone.
    private mutating func parse(_ text: String, _ characters: UnsafePointer<CChar>) -> Bool {
        guard RequestValidation.namesHost(text) else { return false }
        if address == 0 { address = UInt(bitPattern: ccurl_url_init()) }
        return address != 0 && ccurl_url_parse(parts, characters) == 0
    }

    /// Forgets the URL, when the easy handle was reset.
    mutating func forget() {
        text = nil
        hasParts = false
    }

    /// Frees the parts, which no transfer may refer to any more.
    mutating func free() {
        ccurl_url_cleanup(parts)
        address = 0
    }
}

/// A request target (RFC 9112 §3.2) whose bytes libcurl would change, which would break a signature over them.
///
/// libcurl 8.20 and later write `%2f` as `%2F`, 8.8 and later `/?` as `/`, and all versions send a plain URL without an
/// empty query to an HTTP proxy, which gets the whole URL.
struct ExactTarget {
    /// Path and query; nil if libcurl sends them unchanged.
    let origin: String?
    /// The whole URL without user and fragment; nil if no HTTP proxy can be on the way.
    let absolute: String?

    /// Nil for nearly all URLs, which libcurl sends unchanged.
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
            || Self.hasLowerCaseEscape(bytes[end...]) && !CurlLibrary.isOlder(than: 8, 20)
        let isPlain = colon == 4 && mayBeForwarded && CurlLibrary.reportsConnections
        guard isChanged || hasEmptyQuery && isPlain else { return nil }
        let slash = bytes[end...].first == UInt8(ascii: "/") ? "" : "/"
        let target = slash + String(decoding: bytes[end...], as: UTF8.self)
        let host = bytes[start..<end].lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? start
        origin = isChanged ? target : nil
        absolute = isPlain ? "http://" + String(decoding: bytes[host..<end], as: UTF8.self) + target : nil
    }

    /// Whether a percent-encoded byte is written with a lower-case letter.
    private static func hasLowerCaseEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        [1, 2].contains { distance in
            zip(bytes, bytes.dropFirst(distance)).contains { $0 == UInt8(ascii: "%") && (0x61...0x66).contains($1) }
        }
    }
}
#endif
