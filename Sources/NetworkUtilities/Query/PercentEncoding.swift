/// Which bytes of a text stand as they are in a URL or a form, and how the others are written (`%XX`, RFC 3986 §2.1).
///
/// Text is escaped once, here, on its way in. What already is in a URL is never decoded and encoded again.
package struct PercentEncoding: Sendable {
    /// For names and values in a query: RFC 3986 unreserved characters, `/` and `?` stay bare.
    package static let query = PercentEncoding(
        """
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%-./0123456789%%%%%?\
        %ABCDEFGHIJKLMNOPQRSTUVWXYZ%%%%_\
        %abcdefghijklmnopqrstuvwxyz%%%~%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
        """
    )

    /// For a form body (WHATWG URL, application/x-www-form-urlencoded serialising): `*-._` and alphanumerics stay bare,
    /// a space becomes `+`.
    package static let form = PercentEncoding(
        """
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        +%%%%%%%%%*%%-.%0123456789%%%%%%\
        %ABCDEFGHIJKLMNOPQRSTUVWXYZ%%%%_\
        %abcdefghijklmnopqrstuvwxyz%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
        """
    )

    /// For a value that is a segment of a path: RFC 3986 unreserved characters, `:` and `@` stay bare.
    ///
    /// The other characters that RFC 3986 §3.3 allows there are what some servers divide segments by.
    static let segment = PercentEncoding(
        """
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%-.%0123456789:%%%%%\
        @ABCDEFGHIJKLMNOPQRSTUVWXYZ%%%%_\
        %abcdefghijklmnopqrstuvwxyz%%%~%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
        """
    )

    /// For a path, query or fragment that has its escapes: what RFC 3986 §3.3 to §3.5 allows stays as it is.
    static let reference = PercentEncoding(
        """
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %!%%$%&'()*+,-./0123456789:;%=%?\
        @ABCDEFGHIJKLMNOPQRSTUVWXYZ%%%%_\
        %abcdefghijklmnopqrstuvwxyz%%%~%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
        """,
        keepsEscapes: true
    )

    /// For the values of a URI template (RFC 6570 §3.2.1): RFC 3986 unreserved characters stay bare.
    static let unreserved = PercentEncoding(
        """
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%-.%0123456789%%%%%%\
        %ABCDEFGHIJKLMNOPQRSTUVWXYZ%%%%_\
        %abcdefghijklmnopqrstuvwxyz%%%~%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
        """
    )

    /// For the literals of a URI template and its expressions with `+` and `#`: reserved characters and escapes stay
    /// too.
    static let reserved = PercentEncoding(
        """
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %!%#$%&'()*+,-./0123456789:;%=%?\
        @ABCDEFGHIJKLMNOPQRSTUVWXYZ[%]%_\
        %abcdefghijklmnopqrstuvwxyz%%%~%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\
        %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%
        """,
        keepsEscapes: true
    )

    /// What each of the 256 bytes becomes, 32 in a line: itself, another single byte, or `%` for an escape.
    ///
    /// A literal, so that nothing is made on first use.
    private let table: StaticString

    /// Whether an escape that is in the text already stays.
    let keepsEscapes: Bool

    private init(_ table: StaticString, keepsEscapes: Bool = false) {
        self.table = table
        self.keepsEscapes = keepsEscapes
    }

    /// Appends the escaped UTF-8 bytes of a text.
    package func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { text in
            if keepsEscapes {
                appendKeepingEscapes(text, to: &bytes)
            } else {
                append(text, to: &bytes)
            }
        }
    }

    /// The escaped text.
    package func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes room for all the bytes before it writes them, since a check at each byte would cost more than the
    /// escaping.
    private func append(_ source: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        // Every byte is an index below 256, and so long is the table.
        let table = table.utf8Start
        var escapes = 0
        var changes: UInt8 = 0
        for byte in source {
            let written = table[Int(byte)]
            escapes &+= written == Self.escape ? 1 : 0
            changes |= written ^ byte
        }
        guard escapes != 0 || changes != 0 else { return bytes.append(contentsOf: source) }
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: source.count + escapes * 2))
        bytes.withUnsafeMutableBufferPointer { bytes in
            var index = start
            for byte in source {
                let written = table[Int(byte)]
                bytes[index] = written
                index &+= 1
                guard written == Self.escape else { continue }
                bytes[index] = Self.hexadecimal(byte >> 4)
                bytes[index &+ 1] = Self.hexadecimal(byte & 15)
                index &+= 2
            }
        }
    }

    /// Appends one byte of a text, of which the rest is at hand.
    func append(_ byte: UInt8, followedBy rest: some Collection<UInt8>, to bytes: inout [UInt8]) {
        let written = table.utf8Start[Int(byte)]
        if written != Self.escape || keepsEscapes && byte == Self.escape && Self.beginsWithDigits(rest) {
            bytes.append(written)
        } else {
            bytes.append(Self.escape)
            bytes.append(Self.hexadecimal(byte >> 4))
            bytes.append(Self.hexadecimal(byte & 15))
        }
    }

    private func appendKeepingEscapes(_ source: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        for (index, byte) in source.enumerated() {
            append(byte, followedBy: source[(index + 1)...], to: &bytes)
        }
    }

    /// Whether two hexadecimal digits come first.
    private static func beginsWithDigits(_ bytes: some Collection<UInt8>) -> Bool {
        let digits = bytes.prefix(2)
        return digits.count == 2 && digits.allSatisfy(isHexadecimal)
    }

    /// Whether a byte is a hexadecimal digit.
    static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private static let escape = UInt8(ascii: "%")

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? 0x30 + digit : 0x37 + digit
    }
}
