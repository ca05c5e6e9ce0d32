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
        forget()
        return text.withCString { characters in
            // Which libcurl refers to where it sends a request again.
            let result = ccurl_easy_set_text(easy, CCURL_OPTION_URL, characters)
            guard result == 0 else { return result }
            hasParts = parse(text, characters)
            self.text = text
            return ccurl_easy_set_url(easy, hasParts ? parts : nil)
        }
    }

    /// The rest are taken apart by the transfer, and refused if need be; a copy of the parts may lack an IPv6 zone.
    private mutating func parse(_ text: String, _ characters: UnsafePointer<CChar>) -> Bool {
        guard RequestValidation.namesHost(text) else { return false }
        if address == 0 { address = UInt(bitPattern: ccurl_url_make()) }
        return address != 0 && ccurl_url_parse(parts, characters) == 0
    }

    /// What the handle has is not known, or nothing since it was reset.
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
#endif
