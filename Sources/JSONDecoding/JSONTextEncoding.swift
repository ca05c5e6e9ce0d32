/// The encoding of a JSON text: UTF-8, or another encoding that `JSONDecoder` accepts.
enum JSONTextEncoding {
    /// Returns a text in UTF-8 without its byte order mark, or nil if it is invalid in its encoding.
    ///
    /// A text that is in UTF-8 is not copied.
    static func utf8(_ text: Data) -> Data? {
        // Returns -1 for a missing byte.
        func byte(_ offset: Int) -> Int { offset < text.count ? Int(text[text.startIndex + offset]) : -1 }
        if text.beginsWithASCII { return text }
        let (encoding, markLength): (String.Encoding, Int)
        switch (byte(0), byte(1), byte(2), byte(3)) {
        case (0, 0, 0xFE, 0xFF): (encoding, markLength) = (.utf32BigEndian, 4)
        // These bytes aren't the mark of UTF-32 (FF FE 00 00), but JSONDecoder reads them as that.
        case (0xFE, 0xFF, 0, 0): (encoding, markLength) = (.utf32LittleEndian, 4)
        case (0xFE, 0xFF, _, _): (encoding, markLength) = (.utf16BigEndian, 2)
        case (0xFF, 0xFE, _, _): (encoding, markLength) = (.utf16LittleEndian, 2)
        case (0, 0, 0, 1...): (encoding, markLength) = (.utf32BigEndian, 0)
        case (1..., 0, 0, 0): (encoding, markLength) = (.utf32LittleEndian, 0)
        case (0, 1..., 0, 1...), (0, 1..., -1, -1): (encoding, markLength) = (.utf16BigEndian, 0)
        case (1..., 0, 1..., 0), (1..., 0, -1, -1): (encoding, markLength) = (.utf16LittleEndian, 0)
        default: return text.withoutUTF8ByteOrderMark
        }
        return String(data: text.dropFirst(markLength), encoding: encoding).map { Data($0.utf8) }
    }
}
