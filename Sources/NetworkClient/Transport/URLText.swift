/// What a URL's text shows at its beginning: a URL is parsed again for each question that it is asked.
enum URLText {
    /// Where the authority begins (RFC 3986 §3.2), if the URL begins with `http://` or `https://` in small letters, and
    /// something follows.
    static func authority(of url: UnsafeBufferPointer<UInt8>) -> Int? {
        guard url.count > 8, (url[0], url[1], url[2], url[3]) == (0x68, 0x74, 0x74, 0x70) else { return nil }
        let start = url[4] == UInt8(ascii: "s") ? 8 : 7
        return (url[start - 3], url[start - 2], url[start - 1]) == (0x3A, 0x2F, 0x2F) ? start : nil
    }
}
