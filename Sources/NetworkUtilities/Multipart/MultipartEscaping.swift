/// How names, filenames and texts are written in a form (WHATWG HTML, multipart/form-data encoding algorithm).
///
/// It works on UTF-8 bytes: as a `Character`, CR and LF in a row are one.
enum MultipartEscaping {
    private static let lineFeed: UInt8 = 0x0A
    private static let carriageReturn: UInt8 = 0x0D

    /// The text with every CR that no LF follows, and every LF that follows no CR, as CRLF.
    static func normalised(_ text: String) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.utf8.count)
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if previous == carriageReturn, byte != lineFeed { result.append(lineFeed) }
            if byte == lineFeed, previous != carriageReturn { result.append(carriageReturn) }
            result.append(byte)
            previous = byte
        }
        if previous == carriageReturn { result.append(lineFeed) }
        return result
    }

    /// The bytes with LF, CR and `"`, which would end a quoted parameter, as `%0A`, `%0D` and `%22`; nothing else.
    static func escaped(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        for byte in bytes {
            switch byte {
            case lineFeed: result.append(contentsOf: "%0A".utf8)
            case carriageReturn: result.append(contentsOf: "%0D".utf8)
            case UInt8(ascii: "\""): result.append(contentsOf: "%22".utf8)
            default: result.append(byte)
            }
        }
        return result
    }
}
