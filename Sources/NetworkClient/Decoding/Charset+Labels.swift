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

    /// Every charset by each of its labels.
    static let charsets: [String: Charset] = all.reduce(into: [:]) { charsets, charset in
        for label in charset.labels.split(separator: " ") { charsets[String(label)] = charset }
    }

    /// The encodings of the standard (§4.2), with what the system calls them.
    static let all: [Charset] = [utf8, utf16BigEndian, utf16LittleEndian] + iso8859 + windows + others + eastAsian

    private static let iso8859: [Charset] = [
        system(
            "iso-8859-2",
            "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2",
            ["ISO-8859-2"],
            0x0202
        ),
        system(
            "iso-8859-3",
            "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3",
            ["ISO-8859-3"],
            0x0203
        ),
        system(
            "iso-8859-4",
            "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4",
            ["ISO-8859-4"],
            0x0204
        ),
        system(
            "iso-8859-5",
            "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988",
            ["ISO-8859-5"],
            0x0205
        ),
        system(
            "iso-8859-6",
            "arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e iso-8859-6-i "
                + "iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987",
            ["ISO-8859-6"],
            0x0206
        ),
        system(
            "iso-8859-7",
            "csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
                + "iso_8859-7:1987 sun_eu_greek",
            ["ISO-8859-7"],
            0x0207
        ),
        system(
            "iso-8859-8",
            "csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
                + "iso_8859-8:1988 visual",
            ["ISO-8859-8"],
            0x0208
        ),
        system("iso-8859-8-i", "csiso88598i iso-8859-8-i logical", ["ISO-8859-8"], 0x0208),
        system(
            "iso-8859-10",
            "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6",
            ["ISO-8859-10"],
            0x020A
        ),
        system("iso-8859-13", "iso-8859-13 iso8859-13 iso885913", ["ISO-8859-13"], 0x020D),
        system("iso-8859-14", "iso-8859-14 iso8859-14 iso885914", ["ISO-8859-14"], 0x020E),
        system(
            "iso-8859-15",
            "csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9",
            ["ISO-8859-15"],
            0x020F
        ),
        system("iso-8859-16", "iso-8859-16", ["ISO-8859-16"], 0x0210),
    ]

    private static let windows: [Charset] = [
        windows("windows-874", "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874", "CP874", 0x041D),
        windows("windows-1250", "cp1250 windows-1250 x-cp1250", "CP1250", 0x0501),
        windows("windows-1251", "cp1251 windows-1251 x-cp1251", "CP1251", 0x0502),
        windows(
            "windows-1252",
            "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "
                + "iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252",
            "CP1252",
            0x0500
        ),
        windows("windows-1253", "cp1253 windows-1253 x-cp1253", "CP1253", 0x0503),
        windows(
            "windows-1254",
            "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
                + "windows-1254 x-cp1254",
            "CP1254",
            0x0504
        ),
        windows("windows-1255", "cp1255 windows-1255 x-cp1255", "CP1255", 0x0505, adding: [0xCA: "\u{5BA}"]),
        windows("windows-1256", "cp1256 windows-1256 x-cp1256", "CP1256", 0x0506),
        windows("windows-1257", "cp1257 windows-1257 x-cp1257", "CP1257", 0x0507),
        windows("windows-1258", "cp1258 windows-1258 x-cp1258", "CP1258", 0x0508),
    ]

    private static let others: [Charset] = [
        system("ibm866", "866 cp866 csibm866 ibm866", ["CP866"], 0x0419),
        system("koi8-r", "cskoi8r koi koi8 koi8-r koi8_r", ["KOI8-R"], 0x0A02),
        system(
            "koi8-u",
            "koi8-ru koi8-u",
            ["KOI8-U"],
            0x0A08,
            replacing: ["\u{255D}": "\u{45E}", "\u{256C}": "\u{40E}"]
        ),
        system(
            "macintosh",
            "csmacintosh mac macintosh x-mac-roman",
            ["MACINTOSH"],
            0x0000,
            replacing: ["\u{394}": "\u{2206}", "\u{E01E}": "\u{F8FF}"]
        ),
        system(
            "x-mac-cyrillic",
            "x-mac-cyrillic x-mac-ukrainian",
            ["MAC-CYRILLIC"],
            0x0007,
            replacing: ["\u{A4}": "\u{20AC}"]
        ),
        Charset("x-user-defined", "x-user-defined", .userDefined),
        Charset(
            "replacement",
            "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr replacement",
            .replacement
        ),
    ]

    private static let eastAsian: [Charset] = [
        system(
            "gbk",
            "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk",
            ["GB18030"],
            0x0632,
            adding: [0x80: "\u{20AC}"]
        ),
        system("gb18030", "gb18030", ["GB18030"], 0x0632, adding: [0x80: "\u{20AC}"]),
        system("big5", "big5 big5-hkscs cn-big5 csbig5 x-x-big5", ["BIG5-HKSCS"], 0x0A06),
        system("euc-jp", "cseucpkdfmtjapanese euc-jp x-euc-jp", ["EUC-JP-MS", "EUC-JP"], 0x0920),
        system("iso-2022-jp", "csiso2022jp iso-2022-jp", ["ISO-2022-JP-3", "ISO-2022-JP"], 0x0820),
        system(
            "shift_jis",
            "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis",
            ["CP932"],
            0x0420,
            adding: [0x80: "\u{80}"]
        ),
        system(
            "euc-kr",
            "cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949",
            ["CP949"],
            0x0422
        ),
    ]

    /// In the standard every byte from 0x80 to 0x9F is a character of these, a control character if it is no other.
    private static func windows(
        _ name: String,
        _ labels: String,
        _ systemName: String,
        _ foundation: UInt32,
        adding: [UInt8: Unicode.Scalar] = [:]
    ) -> Charset {
        let controls = (UInt8(0x80)...0x9F).map { ($0, Unicode.Scalar($0)) }
        let additions = adding.merging(controls) { scalar, _ in scalar }
        return system(name, labels, [systemName], foundation, adding: additions)
    }

    private static func system(
        _ name: String,
        _ labels: String,
        _ systemNames: [String],
        _ foundation: UInt32,
        adding: [UInt8: Unicode.Scalar] = [:],
        replacing: [Unicode.Scalar: Unicode.Scalar] = [:]
    ) -> Charset {
        let charset = SystemCharset(
            names: systemNames,
            foundation: foundation,
            additions: adding,
            replacements: replacing
        )
        return Charset(name, labels, .system(charset))
    }
}
