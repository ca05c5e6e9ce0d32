#if os(Linux)
import CCurl

/// The URL of a handle's transfers.
///
/// libcurl parses and prints the text of a URL for each transfer, an eighth of its work for a small response. So most
/// URLs are passed as parsed parts, and not at all if the handle already has the URL.
struct CurlURL {
    private var address: UInt = 0
    /// The URL that was parsed last; nil for none.
    private var text: String?
    /// Whether the parts belong to that URL.
    private var hasParts = false
    /// Whether the handle has that URL.
    private var isSet = false

    private var parts: OpaquePointer? { OpaquePointer(bitPattern: address) }

    mutating func set(_ text: String, of easy: OpaquePointer?) -> ccurl_code {
        let isSame = text == self.text
        if isSet, hasParts, isSame { return CURLE_OK }
        // Resets the parts before setting the text, which libcurl 8.12 and later remove together with the parts.
        if isSet, hasParts { _ = ccurl_easy_setopt_object(easy, CURLOPT_CURLU, nil) }
        isSet = false
        return text.withCString { characters in
            // Sets the text even if the parts are set: libcurl uses it when it sends a request again.
            let result = ccurl_easy_setopt_string(easy, CURLOPT_URL, characters)
            guard result == CURLE_OK else { return result }
            if !isSame {
                hasParts = parse(text, characters)
                self.text = text
            }
            isSet = true
            guard hasParts else { return CURLE_OK }
            return ccurl_easy_setopt_object(easy, CURLOPT_CURLU, parts.map { UnsafeRawPointer($0) })
        }
    }

    /// Parses a plain URL.
    ///
    /// The transfer itself parses all other URLs, and refuses invalid ones; a copy of their parts may lack an IPv6
    /// zone.
    private mutating func parse(_ text: String, _ characters: UnsafePointer<CChar>) -> Bool {
        guard RequestValidation.namesHost(text) else { return false }
        if address == 0 { address = UInt(bitPattern: ccurl_url_init()) }
        return address != 0 && ccurl_url_parse(parts, characters) == 0
    }

    /// Records that the handle has no URL, because it was reset or replaced.
    mutating func forget() {
        isSet = false
    }

    /// Frees the parts; no transfer may refer to them any more.
    mutating func free() {
        ccurl_url_cleanup(parts)
        address = 0
    }
}

/// A request target (RFC 9112 §3.2) whose bytes libcurl would change, which would invalidate a signature.
///
/// libcurl 8.20 and later write `%2f` as `%2F`, and 8.8 and later write `/?` as `/`. All versions drop an empty query
/// from a URL for an HTTP proxy, which gets the whole URL.
struct ExactTarget {
    /// Path and query; nil if libcurl sends them unchanged.
    let origin: String?
    /// The whole URL without user and fragment; nil if there can't be an HTTP proxy.
    let absolute: String?

    /// Creates the target; nil for nearly all URLs, which libcurl sends unchanged.
    init?(_ url: String, mayBeForwarded: Bool) {
        guard Self.mayChange(url) else { return nil }
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

    /// Returns whether libcurl may change a URL; a fragment may follow an empty query.
    private static func mayChange(_ url: String) -> Bool {
        var url = url
        return url.withUTF8 { bytes in
            bytes.last == UInt8(ascii: "?") || bytes.contains { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "#") }
        }
    }

    /// Returns whether a percent-encoded byte is written with a lower-case letter.
    private static func hasLowerCaseEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
        [1, 2].contains { distance in
            zip(bytes, bytes.dropFirst(distance)).contains { $0 == UInt8(ascii: "%") && (0x61...0x66).contains($1) }
        }
    }
}
#endif
