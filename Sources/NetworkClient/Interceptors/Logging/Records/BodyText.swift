import Foundation
import NetworkUtilities

/// The text of a body, or of its beginning, in UTF-8.
struct BodyText {
    private enum Charset {
        case utf8, latin1, utf16(isLittleEndian: Bool)
    }

    /// The text.
    let bytes: [UInt8]

    private let charset: Charset
    private let markLength: Int

    /// Reads the beginning of a body; nil if its charset is unknown or its bytes are no text.
    init?(_ body: Data, type: MediaType, limit: Int) {
        let source = [UInt8](body.prefix(limit))
        guard let charset = Self.charset(type.charset, mark: source.prefix(2)) else { return nil }
        self.charset = charset
        switch charset {
        case .utf8:
            markLength = source.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            bytes = Array(source.dropFirst(markLength))
        case .latin1:
            markLength = 0
            bytes = Array(source.map { String(Unicode.Scalar($0)) }.joined().utf8)
        case .utf16(let isLittleEndian):
            let units = Self.units(of: source, isLittleEndian: isLittleEndian)
            markLength = units.first == 0xFEFF ? 2 : 0
            bytes = Array(String(decoding: units.dropFirst(markLength / 2), as: UTF16.self).utf8)
        }
        guard !bytes.contains(0) else { return nil }
    }

    /// How many bytes of the body make the first bytes of the text.
    func sourceLength(of count: Int) -> Int {
        let text = bytes.prefix(count)
        return switch charset {
        case .utf8: markLength + text.count
        case .latin1: String(decoding: text, as: UTF8.self).unicodeScalars.count
        case .utf16: markLength + String(decoding: text, as: UTF8.self).utf16.count * 2
        }
    }

    /// The first bytes of a text that are not more than the limit and do not end within a character.
    static func cut(_ bytes: [UInt8], at limit: Int) -> [UInt8] {
        guard bytes.count > limit else { return bytes }
        var end = max(limit, 0)
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(bytes[..<end])
    }

    private static func charset(_ name: String?, mark: ArraySlice<UInt8>) -> Charset? {
        switch name {
        case nil, "utf-8", "utf8", "us-ascii", "ascii": .utf8
        case "iso-8859-1", "latin1", "windows-1252": .latin1
        case "utf-16": .utf16(isLittleEndian: mark.elementsEqual([0xFF, 0xFE]))
        case "utf-16le": .utf16(isLittleEndian: true)
        case "utf-16be": .utf16(isLittleEndian: false)
        default: nil
        }
    }

    private static func units(of source: [UInt8], isLittleEndian: Bool) -> [UInt16] {
        stride(from: 0, to: source.count - 1, by: 2).map { index in
            let (first, second) = (UInt16(source[index]), UInt16(source[index + 1]))
            return isLittleEndian ? second << 8 | first : first << 8 | second
        }
    }
}
