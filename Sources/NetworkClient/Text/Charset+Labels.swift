extension Charset {
    static let utf8 = Charset(
        "utf-8",
        "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8",
        .utf8
    )

    static let utf16BigEndian = Charset("utf-16be", "unicodefffe utf-16be", .utf16(isLittleEndian: false))

    static let utf16LittleEndian = Charset(
        "utf-16le",
        "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le",
        .utf16(isLittleEndian: true)
    )

    private static let userDefined = Charset("x-user-defined", "x-user-defined", .userDefined)

    private static let replacement = Charset(
        "replacement",
        "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement",
        .replacement
    )

    /// The encodings of the standard (§4.2).
    static let all = [utf8, utf16BigEndian, utf16LittleEndian, userDefined, replacement] + system

    /// The charsets by their labels.
    static let charsets: [String: Charset] = all.reduce(into: [:]) { charsets, charset in
        for label in charset.labels.split(separator: " ") { charsets[String(label)] = charset }
    }

    private static let system: [Charset] = systemTable.split(separator: "\n").compactMap { line in
        let columns = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.split(separator: " ") }
        guard columns.count == 4, let name = columns[0].first.map(String.init),
            let number = columns[2].first.flatMap({ UInt32($0, radix: 16) })
        else { return nil }
        let system = SystemCharset(
            names: columns[1].map(String.init),
            foundation: number,
            additions: (additions[name] ?? [:]).merging(name.hasPrefix("windows-") ? controls : [:]) { one, _ in one },
            replacements: replacements[name] ?? [:]
        )
        return Charset(name, (columns[0] + columns[3]).joined(separator: " "), .system(system))
    }

    /// The charsets that the system converts, in columns: the name, the names for `iconv`, the number of the
    /// `CFStringEncoding`, further labels.
    private static let systemTable = """
        iso-8859-2 | ISO-8859-2 | 0202 | csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 \
        latin2
        iso-8859-3 | ISO-8859-3 | 0203 | csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 \
        latin3
        iso-8859-4 | ISO-8859-4 | 0204 | csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 \
        latin4
        iso-8859-5 | ISO-8859-5 | 0205 | csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 \
        iso_8859-5:1988
        iso-8859-6 | ISO-8859-6 | 0206 | arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 \
        iso-8859-6-e iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
        iso-8859-7 | ISO-8859-7 | 0207 | csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597 \
        iso_8859-7 iso_8859-7:1987 sun_eu_greek
        iso-8859-8 | ISO-8859-8 | 0208 | csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 \
        iso88598 iso_8859-8 iso_8859-8:1988 visual
        iso-8859-8-i | ISO-8859-8 | 0208 | csiso88598i logical
        iso-8859-10 | ISO-8859-10 | 020A | csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
        iso-8859-13 | ISO-8859-13 | 020D | iso8859-13 iso885913
        iso-8859-14 | ISO-8859-14 | 020E | iso8859-14 iso885914
        iso-8859-15 | ISO-8859-15 | 020F | csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
        iso-8859-16 | ISO-8859-16 | 0210 |
        windows-874 | CP874 | 041D | dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
        windows-1250 | CP1250 | 0501 | cp1250 x-cp1250
        windows-1251 | CP1251 | 0502 | cp1251 x-cp1251
        windows-1252 | CP1252 | 0500 | ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 \
        iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252
        windows-1253 | CP1253 | 0503 | cp1253 x-cp1253
        windows-1254 | CP1254 | 0504 | cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 \
        iso_8859-9:1989 l5 latin5 x-cp1254
        windows-1255 | CP1255 | 0505 | cp1255 x-cp1255
        windows-1256 | CP1256 | 0506 | cp1256 x-cp1256
        windows-1257 | CP1257 | 0507 | cp1257 x-cp1257
        windows-1258 | CP1258 | 0508 | cp1258 x-cp1258
        ibm866 | CP866 | 0419 | 866 cp866 csibm866
        koi8-r | KOI8-R | 0A02 | cskoi8r koi koi8 koi8_r
        koi8-u | KOI8-U | 0A08 | koi8-ru
        macintosh | MACINTOSH | 0000 | csmacintosh mac x-mac-roman
        x-mac-cyrillic | MAC-CYRILLIC | 0007 | x-mac-ukrainian
        gbk | GB18030 | 0632 | chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
        gb18030 | GB18030 | 0632 |
        big5 | BIG5-HKSCS | 0A06 | big5-hkscs cn-big5 csbig5 x-x-big5
        euc-jp | EUC-JP-MS EUC-JP | 0920 | cseucpkdfmtjapanese x-euc-jp
        iso-2022-jp | ISO-2022-JP-3 ISO-2022-JP | 0820 | csiso2022jp
        shift_jis | CP932 | 0420 | csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
        euc-kr | CP949 | 0422 | cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 \
        windows-949
        """

    /// The control characters from 0x80 on, to which the standard maps the unassigned bytes of Windows code pages.
    private static let controls = [UInt8: Unicode.Scalar](
        uniqueKeysWithValues: (UInt8(0x80)...0x9F).map { ($0, Unicode.Scalar($0)) }
    )

    private static let additions: [String: [UInt8: Unicode.Scalar]] = [
        "windows-1255": [0xCA: "\u{5BA}"], "gbk": [0x80: "\u{20AC}"], "gb18030": [0x80: "\u{20AC}"],
        "shift_jis": [0x80: "\u{80}"],
    ]

    private static let replacements: [String: [Unicode.Scalar: Unicode.Scalar]] = [
        "koi8-u": ["\u{255D}": "\u{45E}", "\u{256C}": "\u{40E}"],
        "macintosh": ["\u{394}": "\u{2206}", "\u{E01E}": "\u{F8FF}"],
        "x-mac-cyrillic": ["\u{A4}": "\u{20AC}"],
    ]
}
