/// Takes `Set-Cookie` fields apart that were joined by `, `, which is no list of HTTP's (RFC 6265 §3).
///
/// A comma without a space after it never ends a field. One with a space does among the attributes, but for those in
/// `Expires`; in the value and in `Expires` it does if what follows begins as a cookie does, with a name and `=`. What
/// stands in quotes is one. A value `a, b=c` without quotes, which RFC 6265 does not allow, is taken for two fields.
struct SetCookieSplitter {
    private let bytes: [UInt8]
    private var fields: [String] = []
    private var start = 0
    private var index = 0
    private var part = Part.name

    private enum Part {
        case name
        case value
        case attribute
        case expires
    }

    static func split(_ joined: String) -> [String] {
        var splitter = SetCookieSplitter(bytes: Array(joined.utf8))
        return splitter.split()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func split() -> [String] {
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case CookieGrammar.semicolon: part = isExpires(at: index) ? .expires : .attribute
            case CookieGrammar.equals where part == .name:
                part = .value
                skipQuoted()
            case CookieGrammar.comma where isEnd: endField()
            default: break
            }
        }
        add(bytes[start...])
        return fields
    }

    /// Whether the comma before the index ends a field.
    private var isEnd: Bool {
        guard index == bytes.count || CookieGrammar.isWhiteSpace(bytes[index]) else { return false }
        return part == .attribute || beginsCookie(at: index)
    }

    private mutating func endField() {
        add(bytes[start..<(index - 1)])
        start = index
        part = .name
    }

    private mutating func add(_ field: ArraySlice<UInt8>) {
        let field = CookieGrammar.trimmed(field)
        if !field.isEmpty { fields.append(CookieGrammar.text(field)) }
    }

    /// Moves behind a value in quotes; quotes that do not stand around the whole value are like any other byte.
    private mutating func skipQuoted() {
        let value = bytes[index...].drop(while: CookieGrammar.isWhiteSpace)
        guard value.first == CookieGrammar.quote else { return }
        let isLast = { (byte: UInt8) in byte == CookieGrammar.quote || byte == CookieGrammar.semicolon }
        guard let end = value.dropFirst().firstIndex(where: isLast), bytes[end] == CookieGrammar.quote else { return }
        let next = bytes[(end + 1)...].first { !CookieGrammar.isWhiteSpace($0) }
        if next == nil || next == CookieGrammar.semicolon || next == CookieGrammar.comma { index = end + 1 }
    }

    private func beginsCookie(at index: Int) -> Bool {
        let rest = bytes[index...].drop(while: CookieGrammar.isWhiteSpace)
        let name = rest.prefix { byte in
            switch byte {
            case 0...0x20, 0x7F, CookieGrammar.quote, CookieGrammar.comma, CookieGrammar.semicolon,
                CookieGrammar.equals:
                false
            default: true
            }
        }
        return !name.isEmpty
            && bytes[name.endIndex...].first { !CookieGrammar.isWhiteSpace($0) } == CookieGrammar.equals
    }

    private func isExpires(at index: Int) -> Bool {
        let name = bytes[index...].drop(while: CookieGrammar.isWhiteSpace).prefix(7)
        return name.elementsEqual("expires".utf8) { $0 | 0x20 == $1 }
    }
}
