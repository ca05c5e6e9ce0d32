/// The `Set-Cookie` fields of a response.
enum SetCookieFields {
    /// Returns the values of the fields, in the order in which they were received.
    static func values(of head: ResponseHead) -> [String] {
        head.knownFields?.values(named: "Set-Cookie") ?? values(of: head.response)
    }

    /// Returns the values as Foundation keeps them: it joins the fields of one name by `, `.
    private static func values(of response: HTTPURLResponse) -> [String] {
        response.allHeaderFields.flatMap { name, value -> [String] in
            guard let name = name as? String, ASCII.isSame(name, "Set-Cookie") else { return [] }
            return (value as? String).map(SetCookieSplitter.split) ?? []
        }
    }
}

/// Separates `Set-Cookie` fields that were joined by `, `, although they are not a list in HTTP (RFC 6265 §3).
///
/// A comma ends a field only if a space follows. Such a comma ends a field after any attribute but `Expires`; in the
/// value and in `Expires`, it does so if a name and `=` follow, as at the beginning of a cookie. A quoted comma never
/// ends a field. An unquoted value `a, b=c`, which RFC 6265 does not allow, is split into two fields.
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
            case UInt8(ascii: ";"): part = isExpires(at: index) ? .expires : .attribute
            case UInt8(ascii: "=") where part == .name:
                part = .value
                skipQuoted()
            case UInt8(ascii: ",") where isEnd:
                add(bytes[start..<(index - 1)])
                start = index
                part = .name
            default: break
            }
        }
        add(bytes[start...])
        return fields
    }

    /// Whether the comma before the index ends a field.
    private var isEnd: Bool {
        guard index == bytes.count || ASCII.isWhiteSpace(bytes[index]) else { return false }
        return part == .attribute || beginsCookie(at: index)
    }

    private mutating func add(_ field: ArraySlice<UInt8>) {
        let field = ASCII.trimmed(field)
        if !field.isEmpty { fields.append(String(decoding: field, as: UTF8.self)) }
    }

    /// Skips a quoted value.
    ///
    /// Quotes that don't enclose the whole value have no meaning.
    private mutating func skipQuoted() {
        let value = bytes[index...].drop(while: ASCII.isWhiteSpace)
        guard value.first == UInt8(ascii: "\"") else { return }
        guard let end = value.dropFirst().firstIndex(where: { "\";".utf8.contains($0) }), bytes[end] == value.first
        else {
            return
        }
        let next = bytes[(end + 1)...].first { !ASCII.isWhiteSpace($0) }
        if next.map({ ";,".utf8.contains($0) }) ?? true { index = end + 1 }
    }

    private func beginsCookie(at index: Int) -> Bool {
        let rest = bytes[index...].drop(while: ASCII.isWhiteSpace)
        let name = rest.prefix { $0 > 0x20 && $0 != 0x7F && !"\",;=".utf8.contains($0) }
        return !name.isEmpty
            && bytes[name.endIndex...].first { !ASCII.isWhiteSpace($0) } == UInt8(ascii: "=")
    }

    private func isExpires(at index: Int) -> Bool {
        let name = bytes[index...].drop(while: ASCII.isWhiteSpace).prefix(7)
        return name.elementsEqual("expires".utf8) { $0 | 0x20 == $1 }
    }
}
