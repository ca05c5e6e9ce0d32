/// Escapes a text for a part of a URL or a form: bytes that the part can't contain become `%XX` (RFC 3986 §2.1).
///
/// The builder escapes what it is given; use an encoding only for URLs and bodies that are made in another way.
///
/// ```swift
/// let value = PercentEncoding.query.encode("a b&c")       // a%20b%26c
/// ```
public struct PercentEncoding: Sendable {
    /// For names and values in a query: keeps RFC 3986 unreserved characters, `/` and `?`.
    public static let query = PercentEncoding(keeping: "-._~/?")

    /// For a form body (WHATWG URL, application/x-www-form-urlencoded serialising): keeps `*-._`, letters and digits,
    /// and writes a space as `+`.
    public static let form = PercentEncoding(keeping: "*-._", space: UInt8(ascii: "+"))

    /// For a value that is a path segment: keeps RFC 3986 unreserved characters, `:` and `@`.
    ///
    /// RFC 3986 §3.3 also allows `!$&'()*+,;=`, but some servers split segments at these characters.
    public static let segment = PercentEncoding(keeping: "-._~:@")

    /// For a path, query or fragment that is escaped already: keeps what RFC 3986 §3.3 to §3.5 allows, and escapes.
    static let reference = PercentEncoding(keeping: "-._~!$&'()*+,;=:@/?", keepsEscapes: true)

    /// For the values of a URI template (RFC 6570 §3.2.1): keeps RFC 3986 unreserved characters.
    static let unreserved = PercentEncoding(keeping: "-._~")

    /// For the literals of a URI template and its expressions with `+` and `#`: keeps reserved characters and escapes
    /// too.
    static let reserved = PercentEncoding(keeping: "-._~:/?#[]@!$&'()*+,;=", keepsEscapes: true)

    /// The byte written for each of the 256 bytes: the same byte, another byte, or `%` for an escape.
    private let table: [UInt8]

    /// Whether valid `%XX` sequences in the text are kept.
    let keepsEscapes: Bool

    /// Creates an encoding that keeps letters, digits and other ASCII characters.
    private init(keeping others: String, space: UInt8 = escape, keepsEscapes: Bool = false) {
        table = (0...UInt8.max).map { byte in
            let isKept = ASCII.isLetter(byte) || ASCII.isDigit(byte) || others.utf8.contains(byte)
            return isKept ? byte : byte == UInt8(ascii: " ") ? space : Self.escape
        }
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

    /// Appends an item of a query or a form: `name=value`, or the name alone if the value is nil.
    func append(_ name: String, _ value: String?, to bytes: inout [UInt8]) {
        append(name, to: &bytes)
        guard let value else { return }
        bytes.append(UInt8(ascii: "="))
        append(value, to: &bytes)
    }

    /// Returns the escaped text, in UTF-8.
    public func encode(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reserves space for all bytes first: a capacity check for each byte would cost more than the escaping.
    private func append(_ source: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        // Every byte is a valid index.
        table.withUnsafeBufferPointer { table in
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
                    bytes[index] = ASCII.hexadecimalDigit(of: byte >> 4)
                    bytes[index &+ 1] = ASCII.hexadecimalDigit(of: byte & 15)
                    index &+= 2
                }
            }
        }
    }

    /// Appends one byte of a text; the remaining bytes tell whether a `%` begins an escape.
    func append(_ byte: UInt8, followedBy rest: some Collection<UInt8>, to bytes: inout [UInt8]) {
        let written = table[Int(byte)]
        if written != Self.escape || keepsEscapes && byte == Self.escape && Self.beginsWithDigits(rest) {
            bytes.append(written)
        } else {
            bytes.append(Self.escape)
            bytes.append(ASCII.hexadecimalDigit(of: byte >> 4))
            bytes.append(ASCII.hexadecimalDigit(of: byte & 15))
        }
    }

    private func appendKeepingEscapes(_ source: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        for (index, byte) in source.enumerated() {
            append(byte, followedBy: source[(index + 1)...], to: &bytes)
        }
    }

    private static func beginsWithDigits(_ bytes: some Collection<UInt8>) -> Bool {
        let digits = bytes.prefix(2)
        return digits.count == 2 && digits.allSatisfy(isHexadecimal)
    }

    /// Returns whether the byte is a hexadecimal digit.
    static func isHexadecimal(_ byte: UInt8) -> Bool { ASCII.hexadecimalValue(of: byte) != nil }

    private static let escape = UInt8(ascii: "%")
}

/// The text of a URL, divided before the `?` of its query and the `#` of its fragment (RFC 3986 §3).
package struct URLParts<Text: Collection<UInt8>> {
    /// The text before the query and the fragment.
    package let head: Text.SubSequence

    /// The query with its `?`; empty without one.
    package let query: Text.SubSequence

    /// The fragment with its `#`; empty without one.
    package let fragment: Text.SubSequence

    package init(_ text: Text) {
        let hash = text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let mark = text[..<hash].firstIndex(of: UInt8(ascii: "?")) ?? hash
        (head, query, fragment) = (text[..<mark], text[mark..<hash], text[hash...])
    }
}

/// The decoded bytes of a part of a URL (WHATWG URL, percent-decode); a `%` that begins no escape is kept.
package struct PercentDecoder: Sequence, IteratorProtocol {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// Creates a decoder; the bytes must outlive it.
    package init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    package mutating func next() -> UInt8? {
        guard index < bytes.count else { return nil }
        let byte = bytes[index]
        index += 1
        guard byte == UInt8(ascii: "%"), bytes.count - index >= 2,
            let high = ASCII.hexadecimalValue(of: bytes[index]),
            let low = ASCII.hexadecimalValue(of: bytes[index + 1])
        else { return byte }
        index += 2
        return high << 4 | low
    }

    /// Returns the decoded text; with its escapes if the decoded bytes are not UTF-8, so that nothing is lost.
    package static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) else { return String(decoding: bytes, as: UTF8.self) }
        let decoded = Array(PercentDecoder(bytes))
        let text = String(decoding: decoded, as: UTF8.self)
        // `String(decoding:)` replaces bytes that are not UTF-8.
        return text.utf8.elementsEqual(decoded) ? text : String(decoding: bytes, as: UTF8.self)
    }
}
