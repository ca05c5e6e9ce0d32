/// Which bytes of a text stand as they are in a URL or a form, and how the others are written (`%XX`, RFC 3986 §2.1).
///
/// Text is escaped once, here, on its way in. What already is in a URL is never decoded and encoded again.
package struct PercentEncoding: Sendable {
    /// For names and values in a query: RFC 3986 unreserved characters, `/` and `?` stay bare.
    package static let query = PercentEncoding(bare: unreserved + "/?", spaceIsPlus: false)

    /// For a form body (WHATWG URL, application/x-www-form-urlencoded serialising): `*-._` and alphanumerics stay bare,
    /// a space becomes `+`.
    package static let form = PercentEncoding(bare: alphanumerics + "*-._", spaceIsPlus: true)

    /// For a value that is a segment of a path: RFC 3986 unreserved characters, `:` and `@` stay bare.
    ///
    /// The other characters that RFC 3986 §3.3 allows there are what some servers divide segments by.
    static let segment = PercentEncoding(bare: unreserved + ":@")

    /// For a path, query or fragment that has its escapes: what RFC 3986 §3.3 to §3.5 allows stays as it is.
    static let reference = PercentEncoding(bare: unreserved + "!$&'()*+,;=:@/?", keepsEscapes: true)

    /// For the values of a URI template (RFC 6570 §3.2.1): RFC 3986 unreserved characters stay bare.
    static let unreservedOnly = PercentEncoding(bare: unreserved)

    /// For the literals of a URI template and its expressions with `+` and `#`: reserved characters and escapes stay
    /// too.
    static let reserved = PercentEncoding(bare: unreserved + ":/?#[]@!$&'()*+,;=", keepsEscapes: true)

    private static let alphanumerics = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    private static let unreserved = alphanumerics + "-._~"

    /// What one byte becomes: itself, another single byte (`+`), or 0 for an escape.
    private let table: [UInt8]

    /// Whether an escape that is in the text already stays.
    let keepsEscapes: Bool

    private init(bare: String, spaceIsPlus: Bool = false, keepsEscapes: Bool = false) {
        self.keepsEscapes = keepsEscapes
        var table = [UInt8](repeating: 0, count: 256)
        for byte in bare.utf8 { table[Int(byte)] = byte }
        if spaceIsPlus { table[0x20] = UInt8(ascii: "+") }
        self.table = table
    }

    /// Appends the escaped UTF-8 bytes of a text.
    package func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &bytes) }
    }

    /// The escaped text.
    package func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count * 3)
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private func append(_ source: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        table.withUnsafeBufferPointer { table in
            for (index, byte) in source.enumerated() {
                let written = table[Int(byte)]
                if written != 0 || keepsEscapes && Self.isEscape(source[index...]) {
                    bytes.append(written == 0 ? byte : written)
                } else {
                    Self.appendEscape(of: byte, to: &bytes)
                }
            }
        }
    }

    /// Appends one byte of a text, of which the others are at hand.
    func append(_ byte: UInt8, followedBy rest: Substring.UTF8View, to bytes: inout [UInt8]) {
        let written = table[Int(byte)]
        if written != 0 {
            bytes.append(written)
        } else if keepsEscapes, byte == UInt8(ascii: "%"), rest.prefix(2).filter(Self.isHexadecimal).count == 2 {
            bytes.append(byte)
        } else {
            Self.appendEscape(of: byte, to: &bytes)
        }
    }

    /// Whether the bytes begin with `%` and two hexadecimal digits.
    private static func isEscape(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
        bytes.first == UInt8(ascii: "%") && bytes.dropFirst().prefix(2).filter(isHexadecimal).count == 2
    }

    /// Whether a byte is a hexadecimal digit.
    static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexadecimal(byte >> 4))
        bytes.append(hexadecimal(byte & 15))
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? 0x30 + digit : 0x37 + digit
    }
}
