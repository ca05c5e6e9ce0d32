import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CharsetTests {
    /// Texts as encoded and decoded by Python's codecs.
    private static let samples: [String: ([UInt8], String)] = [
        "utf-8": ([0xC3, 0xA9, 0xF0, 0x9F, 0x98, 0x80], "é😀"),
        "utf-16be": ([0x00, 0xE9, 0xD8, 0x3D, 0xDE, 0x00], "é😀"),
        "utf-16le": ([0xE9, 0x00, 0x3D, 0xD8, 0x00, 0xDE], "é😀"),
        "ibm866": ([0x8F, 0xE0, 0xA8, 0xA2, 0xA5, 0xE2, 0x20, 0xFC], "Привет №"),
        "iso-8859-2": ([0xAE, 0x6C, 0x75, 0xBB, 0x6F, 0x75, 0xE8, 0x6B, 0xFD], "Žluťoučký"),
        "iso-8859-3": ([0xA1, 0xB1, 0xF8, 0xFD], "Ħħĝŭ"),
        "iso-8859-4": ([0xC0, 0xBB, 0xF3, 0xF1], "Āģķņ"),
        "iso-8859-5": ([0xBF, 0xE0, 0xD8, 0xD2, 0xD5, 0xE2], "Привет"),
        "iso-8859-6": ([0xE5, 0xD1, 0xCD, 0xC8, 0xC7], "مرحبا"),
        "iso-8859-7": ([0xCA, 0xE1, 0xEB, 0xE7, 0xEC, 0xDD, 0xF1, 0xE1, 0xA4], "Καλημέρα€"),
        "iso-8859-8": ([0xF9, 0xEC, 0xE5, 0xED], "שלום"),
        "iso-8859-8-i": ([0xF9, 0xEC, 0xE5, 0xED], "שלום"),
        "iso-8859-10": ([0xDE, 0xF0, 0xBF, 0xBD], "Þðŋ―"),
        "iso-8859-13": ([0xDE, 0xE0, 0xE6, 0xA5], "Žąę„"),
        "iso-8859-14": ([0xD0, 0xFE, 0xA2], "Ŵŷḃ"),
        "iso-8859-15": ([0xA4, 0xA6, 0xBD], "€Šœ"),
        "iso-8859-16": ([0xDE, 0xBA, 0xE3, 0xA4], "Țșă€"),
        "koi8-r": ([0xF0, 0xD2, 0xC9, 0xD7, 0xC5, 0xD4], "Привет"),
        "koi8-u": ([0xB7, 0xD6, 0xC1, 0xCB], "Їжак"),
        "macintosh": ([0xC6, 0xBD, 0x8E, 0xC9, 0xDB], "∆Ωé…€"),
        "windows-874": ([0xCA, 0xC7, 0xD1, 0xCA, 0xB4, 0xD5], "สวัสดี"),
        "windows-1250": ([0x8E, 0x6C, 0x75, 0x9D, 0x84], "Žluť„"),
        "windows-1251": ([0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x88], "Привет€"),
        "windows-1252": ([0x63, 0x61, 0x66, 0xE9, 0x20, 0x80, 0x93], "café €“"),
        "windows-1253": ([0xCA, 0xE1, 0xEB, 0xE7, 0xEC, 0xDD, 0xF1, 0xE1, 0x80], "Καλημέρα€"),
        "windows-1254": ([0xDD, 0xFD, 0xF0, 0xDE, 0x80], "İığŞ€"),
        "windows-1255": ([0xF9, 0xEC, 0xE5, 0xED, 0xA4], "שלום₪"),
        "windows-1256": ([0xE3, 0xD1, 0xCD, 0xC8, 0xC7, 0x80], "مرحبا€"),
        "windows-1257": ([0xDE, 0xE0, 0xE6, 0x80], "Žąę€"),
        "windows-1258": ([0xF0, 0xF5, 0xFD, 0xFE], "đơư₫"),
        "x-mac-cyrillic": ([0x8F, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2], "Привет"),
        "gbk": ([0xC4, 0xE3, 0xBA, 0xC3], "你好"),
        "gb18030": ([0xC4, 0xE3, 0xBA, 0xC3, 0x94, 0x39, 0xFC, 0x36], "你好😀"),
        "big5": ([0xA7, 0x41, 0xA6, 0x6E, 0x9D, 0xEF], "你好嘅"),
        "euc-jp": ([0xC6, 0xFC, 0xCB, 0xDC, 0xB8, 0xEC, 0x8E, 0xCA], "日本語ﾊ"),
        "iso-2022-jp": ([0x1B, 0x24, 0x42, 0x46, 0x7C, 0x4B, 0x5C, 0x38, 0x6C, 0x1B, 0x28, 0x42, 0x61], "日本語a"),
        "shift_jis": ([0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x87, 0x40, 0xCA, 0x81, 0x60], "日本語①ﾊ～"),
        "euc-kr": ([0xBE, 0xC8, 0xB3, 0xE7, 0x8C, 0x63], "안녕똠"),
        "x-user-defined": ([0x61, 0x80, 0xFF], "a\u{F780}\u{F7FF}"),
        "replacement": ([], ""),
    ]

    @Test(.spec(66)) func everyLabelOfTheStandardIsReadAsItsEncoding() throws {
        for (label, charset) in Charset.charsets {
            let (bytes, text) = try #require(Self.samples[charset.name], "\(charset.name)")
            for name in [label, label.uppercased(), " \(label)\t"] {
                expect(try Charset(label: name)?.text(of: Data(bytes)), text, "\(name)")
            }
        }
        expect(Charset.charsets.count, 228)
        expect(Charset.all.count, 40)
    }

    @Test(.spec(66), arguments: samples.keys.sorted())
    func aLongTextIsTheSumOfItsParts(name: String) throws {
        let (bytes, text) = try #require(Self.samples[name])
        let charset = try #require(Charset(label: name))
        let data = Data([0x22]) + Data((0..<20_000).flatMap { _ in bytes })

        let read = try charset.text(of: data.dropFirst())

        expect(Array(read.unicodeScalars), (0..<20_000).flatMap { _ in Array(text.unicodeScalars) })
    }

    /// Labels that mean more than their names in the standard, and characters that libc's converters do not support.
    private static let differences: [(String, [UInt8], String)] = [
        ("iso-8859-1", [0x80, 0x9F, 0xE9], "€Ÿé"), ("us-ascii", [0x61, 0xE9], "aé"), ("iso-8859-9", [0x80], "€"),
        ("windows-1252", [0x81, 0x8D, 0x8F, 0x90, 0x9D, 0x00], "\u{81}\u{8D}\u{8F}\u{90}\u{9D}\u{0}"),
        ("windows-1255", [0xF9, 0x81, 0xCA], "ש\u{81}\u{5BA}"), ("windows-874", [0x81, 0xA1], "\u{81}ก"),
        ("windows-1258", [0x61, 0x81, 0x61, 0xEC], "a\u{81}á"),
        ("koi8-u", [0xAE, 0xBE, 0x61], "ўЎa"), ("x-mac-ukrainian", [0xFF, 0xA2], "€Ґ"),
        ("macintosh", [0xC6, 0xF0], "\u{2206}\u{F8FF}"), ("gb2312", [0x80, 0x94, 0x39, 0xFC, 0x36], "€😀"),
        ("shift_jis", [0x80, 0x81, 0x80], "\u{80}÷"), ("ks_c_5601-1987", [0x8C, 0x63], "똠"),
        ("euc-jp", [0xAD, 0xA1, 0x8F, 0xB0, 0xA1], "①丂"), ("big5", [0x88, 0x62], "Ê̄"), ("big5", [0x88, 0x66], "Ê"),
        ("iso-2022-jp", [0x1B, 0x28, 0x49, 0x4A, 0x1B, 0x28, 0x42], "ﾊ"), ("utf-16", [0xE9, 0x00], "é"),
        ("utf-16be", [], ""), ("utf-8", [0xEF, 0xBF, 0xBD], "\u{FFFD}"),
    ]

    @Test(.spec(66), arguments: differences)
    func aLabelMeansWhatTheStandardSays(label: String, bytes: [UInt8], text: String) throws {
        expect(try Charset(label: label)?.text(of: Data(bytes)), text)
    }

    @Test(.spec(66), arguments: ["utf-8", "utf-16be", "iso-8859-1", "shift_jis", "replacement"])
    func aByteOrderMarkTakesPrecedenceOverTheLabel(label: String) throws {
        let charset = try #require(Charset(label: label))
        expect(try charset.text(of: Data([0xEF, 0xBB, 0xBF, 0xC3, 0xA9])), "é")
        expect(try charset.text(of: Data([0xFE, 0xFF, 0x00, 0xE9])), "é")
        expect(try charset.text(of: Data([0xFF, 0xFE, 0xE9, 0x00])), "é")
    }

    private static let invalidTexts: [(String, [UInt8])] = [
        ("utf-8", [0xFF]), ("utf-8", [0xC3]), ("utf-8", [0xED, 0xA0, 0x80]), ("utf-8", [0xC0, 0x80]),
        ("utf-16", [0x00]), ("utf-16le", [0x61, 0x00, 0x62]), ("utf-16be", [0xD8, 0x3D]),
        ("utf-16be", [0xDE, 0x00, 0xD8, 0x3D]), ("utf-16be", [0xD8, 0x3D, 0x00, 0x61]),
        ("windows-1253", [0xAA]), ("windows-874", [0x61, 0xFF]), ("iso-8859-3", [0xA5]), ("iso-8859-8", [0xA1]),
        ("gbk", [0xFF]), ("gbk", [0xC4]), ("gb18030", [0x94, 0x39, 0xFC]), ("big5", [0xFF]), ("big5", [0xA7]),
        ("euc-jp", [0xC6]), ("euc-jp", [0xA0]), ("shift_jis", [0xA0]), ("shift_jis", [0x61, 0x93]),
        ("euc-kr", [0xFF]), ("iso-2022-jp", [0x1B]), ("iso-2022-jp", [0x80]), ("replacement", [0x61]),
    ]

    @Test(.spec(66), arguments: invalidTexts)
    func bytesThatAreNotTextAreAnError(label: String, bytes: [UInt8]) throws {
        let charset = try #require(Charset(label: label))
        #expect(throws: Charset.Unreadable.invalidText) { try charset.text(of: Data(bytes)) }
        #expect(throws: Charset.Unreadable.invalidText) { try charset.text(of: Data([0x61, 0x61]) + Data(bytes)) }
    }

    @Test(arguments: ["", "utf-7", "utf-32", "utf-8; x", "é", "utf-8//IGNORE", "../x"])
    func aNameThatTheStandardDoesNotHaveIsNoCharset(name: String) {
        expect(Charset(label: name), nil)
    }

    private static let fields: [(String?, String?)] = [
        (nil, "utf-8"), ("", "utf-8"), ("text/plain", "utf-8"), ("text/plain;", "utf-8"),
        ("text/plain; charset=", "utf-8"), ("text/plain; charset", "utf-8"),
        ("text/plain; charset=iso-8859-1", "windows-1252"), ("text/plain;charset=ISO-8859-1", "windows-1252"),
        ("text/plain ; Charset=\"Windows-1251\" ", "windows-1251"), ("text/plain; charset='us-ascii'", "windows-1252"),
        ("text/plain; charset = utf-16le", "utf-16le"),
        ("text/plain; title=\"a; charset=x\"; charset=utf-16", "utf-16le"),
        ("text/plain; title=\"\\\"; charset=x\"; charset=utf-16be", "utf-16be"),
        ("text/plain; charset=sjis; charset=utf-16", "shift_jis"), ("text/plain; charset=klingon", nil),
        ("charset=us-ascii", "utf-8"), ("text/plain; xcharset=us-ascii", "utf-8"), ("\"", "utf-8"),
        (";;;=;charset==", nil),
    ]

    @Test(.spec(66), arguments: fields)
    func theCharsetIsTheOneThatTheContentTypeNames(field: String?, name: String?) {
        expect(Charset(contentType: field)?.name, name)
    }
}
