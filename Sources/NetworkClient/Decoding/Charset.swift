import Foundation

/// How the bytes of a text are to be read: the charsets that are decoded here, by their IANA names.
///
/// Decoded by hand, because Foundation repairs, refuses or knows other charsets from platform to platform.
enum Charset {
    case utf8
    case ascii
    case latin1
    case windows1252
    case utf16
    case utf16BigEndian
    case utf16LittleEndian

    /// The charset of that name, in any letter case; nil if it is not one of these.
    init?(name: String) {
        switch name.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us": self = .ascii
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1": self = .latin1
        case "windows-1252", "cp1252", "cp-1252": self = .windows1252
        case "utf-16": self = .utf16
        case "utf-16be": self = .utf16BigEndian
        case "utf-16le": self = .utf16LittleEndian
        default: return nil
        }
    }

    /// The text without a byte order mark; nil if the bytes are not valid in this charset.
    func text(of data: Data) -> String? {
        switch self {
        case .utf8: Self.validated(data.withoutUTF8ByteOrderMark)
        case .ascii: data.allSatisfy { $0 < 0x80 } ? String(decoding: data, as: UTF8.self) : nil
        case .latin1: String(decoding: data.map(UInt16.init), as: UTF16.self)
        case .windows1252: Self.windows1252Text(of: data)
        // Without a byte order mark the order is big-endian (RFC 2781 §4.3).
        case .utf16: Self.utf16Text(of: data, isLittleEndian: data.starts(with: [0xFF, 0xFE]))
        case .utf16BigEndian: Self.utf16Text(of: data, isLittleEndian: false)
        case .utf16LittleEndian: Self.utf16Text(of: data, isLittleEndian: true)
        }
    }

    /// `String` repairs what is invalid, so a text whose bytes come out changed was not valid.
    private static func validated(_ data: Data) -> String? {
        let text = String(decoding: data, as: UTF8.self)
        return text.utf8.elementsEqual(data) ? text : nil
    }

    private static func utf16Text(of data: Data, isLittleEndian: Bool) -> String? {
        guard data.count.isMultiple(of: 2) else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(data.count / 2)
        var first: UInt16?
        for byte in data {
            if let other = first {
                units.append(isLittleEndian ? UInt16(byte) << 8 | other : other << 8 | UInt16(byte))
                first = nil
            } else {
                first = UInt16(byte)
            }
        }
        let content = units.first == 0xFEFF ? units.dropFirst() : units[...]
        let text = String(decoding: content, as: UTF16.self)
        return text.utf16.elementsEqual(content) ? text : nil
    }

    private static func windows1252Text(of data: Data) -> String? {
        var units: [UInt16] = []
        units.reserveCapacity(data.count)
        for byte in data {
            let unit = (0x80...0x9F).contains(byte) ? windows1252Specials[Int(byte) - 0x80] : UInt16(byte)
            // 0 stands for the five bytes that have no character.
            if unit == 0, byte != 0 { return nil }
            units.append(unit)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// What windows-1252 has at 0x80…0x9F, where ISO 8859-1 has control characters.
    private static let windows1252Specials: [UInt16] = [
        0x20AC, 0x0000, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x0000,
        0x017D, 0x0000, 0x0000, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x0000, 0x017E, 0x0178,
    ]
}
