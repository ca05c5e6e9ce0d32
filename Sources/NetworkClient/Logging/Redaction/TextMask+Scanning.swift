/// Finds the ends of values in each notation.
extension TextMask {
    func byte(at index: Int) -> UInt8? {
        index < source.count ? source[index] : nil
    }

    func skip(_ bytes: Set<UInt8>, from start: Int) -> Int {
        var index = start
        while let byte = byte(at: index), bytes.contains(byte) { index += 1 }
        return index
    }

    /// Returns the position of the first of the bytes, or the end of the text if there is none.
    func index(of bytes: Set<UInt8>, from start: Int) -> Int {
        guard start < source.count else { return source.count }
        return source[start...].firstIndex { bytes.contains($0) } ?? source.count
    }

    func endOfValue(from start: Int, stops: Set<UInt8>) -> Int {
        let end = index(of: stops, from: start)
        // The backslashes of `\"` do not belong to a value in a JSON string.
        guard byte(at: end) == UInt8(ascii: "\"") else { return end }
        return source[start..<end].lastIndex { $0 != UInt8(ascii: "\\") }.map { $0 + 1 } ?? start
    }

    /// Returns whether three quotes begin at a position, as around a GraphQL block string, each after this many
    /// backslashes.
    func isTripleQuote(at start: Int, escapes: Int) -> Bool {
        let quote = Array(repeating: UInt8(ascii: "\\"), count: escapes) + [source[start]]
        return source[(start + 1)...].starts(with: quote + quote)
    }

    /// Returns the end of a quotation whose first quote follows a number of backslashes: one backslash in a JSON
    /// string, three in a string inside a string, then seven.
    func endOfQuotation(from start: Int, _ quote: UInt8, escapes: Int, isTriple: Bool) -> Int {
        let level = (escapes + 1).bitWidth - 1 - (escapes + 1).leadingZeroBitCount
        var index = start
        while index < source.count {
            let end = skip(Self.backslash, from: index)
            guard byte(at: end) == quote else {
                index = end + 1
                continue
            }
            // Each enclosing string doubles the backslashes and adds one before each quote. A quote inside this
            // quotation is therefore preceded by a number of backslashes whose last `level + 1` bits are all 1. Any
            // other quote ends this quotation or an enclosing string.
            let backslashes = end - index
            let ownEscapes = min(escapes, backslashes)
            if (~backslashes).trailingZeroBitCount <= level, !isTriple || isTripleQuote(at: end, escapes: ownEscapes) {
                return end - ownEscapes
            }
            index = end + 1
        }
        return source.count
    }

    /// Returns the end of an object or array, or of the text if it is not closed.
    func endOfContainer(from start: Int) -> Int {
        var depth = 0
        var index = start
        while let byte = byte(at: index) {
            let quote = skip(Self.backslash, from: index)
            if let mark = self.byte(at: quote), mark == UInt8(ascii: "\"") || mark == UInt8(ascii: "'") {
                let end = endOfQuotation(from: quote + 1, mark, escapes: quote - index, isTriple: false)
                index = skip(Self.backslash, from: end) + 1
                continue
            }
            if Self.openings.contains(byte) { depth += 1 }
            if Self.closings.contains(byte) { depth -= 1 }
            index = max(index + 1, quote)
            if depth == 0 { return index }
        }
        return source.count
    }

    /// Returns the end of the line, including following lines that are indented more than the line of the name, as in
    /// YAML.
    func endOfLines(from start: Int, of name: Int) -> Int {
        let lineStart = source[..<name].lastIndex { Self.lineStops.contains($0) }.map { $0 + 1 } ?? 0
        let indentation = skip(Self.blanks, from: lineStart) - lineStart
        var end = index(of: Self.lineStops, from: start)
        var line = end
        while line < source.count {
            line = skip(Self.lineStops, from: line)
            let text = skip(Self.blanks, from: line)
            let isBlank = byte(at: text).map { Self.lineStops.contains($0) } ?? true
            guard isBlank || text - line > indentation else { return end }
            line = index(of: Self.lineStops, from: text)
            if !isBlank { end = line }
        }
        return end
    }

    /// Returns the position of the unquoted `>` that ends a tag.
    ///
    /// If a quote is not closed, the content of a hidden element begins after the first `>`; any other tag ends where
    /// the next one begins.
    func endOfTag(from start: Int, isHidden: Bool) -> Int {
        // In XML, an attribute can't contain `<`.
        let limit = index(of: Self.tagStart, from: start)
        var quote: UInt8?
        for index in start..<limit {
            let byte = source[index]
            if byte == quote {
                quote = nil
            } else if quote == nil, byte == UInt8(ascii: ">") {
                return index
            } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            }
        }
        return isHidden ? index(of: Self.angles, from: start) : limit
    }

    /// Returns the start of an element's end tag, or the end of the text if there is none.
    func endOfElement(_ name: ArraySlice<UInt8>, from start: Int) -> Int {
        var depth = 1
        var index = start
        while true {
            index = self.index(of: Self.tagStart, from: index)
            guard index < source.count else { return index }
            if let end = endOfSection("<![CDATA[", "]]>", from: index) ?? endOfSection("<!--", "-->", from: index) {
                index = end
                continue
            }
            // In some JSON, the slash is `\/`.
            let slash = skip(Self.backslash, from: index + 1)
            let isEndTag = byte(at: slash) == UInt8(ascii: "/")
            if isTag(name, at: isEndTag ? slash + 1 : index + 1) {
                if !isEndTag, !isEmptyTag(from: index + 1) { depth += 1 }
                if isEndTag { depth -= 1 }
                if depth == 0 { return index }
            }
            index += 1
        }
    }

    /// Returns the end of a section with its own syntax, such as a comment; nil if none begins at the position.
    private func endOfSection(_ opening: String, _ closing: String, from start: Int) -> Int? {
        guard source[start...].starts(with: opening.utf8) else { return nil }
        var index = start + opening.utf8.count
        while index < source.count {
            if source[index...].starts(with: closing.utf8) { return index + closing.utf8.count }
            index += 1
        }
        return source.count
    }

    private func isTag(_ name: ArraySlice<UInt8>, at start: Int) -> Bool {
        guard start < source.count, source[start...].starts(with: name) else { return false }
        return byte(at: start + name.count).map { !Self.isElementByte($0) } ?? true
    }

    private func isEmptyTag(from start: Int) -> Bool {
        let end = index(of: Self.angles, from: start)
        return byte(at: end) == UInt8(ascii: ">") && source[end - 1] == UInt8(ascii: "/")
    }
}

extension TextMask {
    /// Returns the character that an XML entity represents, and the end of the entity; nil if none begins at the
    /// position.
    func entity(at start: Int) -> (character: Unicode.Scalar, end: Int)? {
        guard byte(at: start) == UInt8(ascii: "&"),
            let end = source[start...].prefix(10).firstIndex(of: UInt8(ascii: ";"))
        else { return nil }
        let name = String(decoding: source[start + 1..<end], as: UTF8.self)
        let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst(), radix: 10)
        let character = name.hasPrefix("#") ? number.flatMap { Unicode.Scalar($0) } : Self.entities[name]
        return character.map { ($0, end + 1) }
    }

    func textWithoutEntities(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        var index = range.lowerBound
        while index < range.upperBound {
            if let entity = entity(at: index) {
                bytes += String(entity.character).utf8
                index = entity.end
            } else {
                bytes.append(source[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
    ]
}

extension TextMask {
    static let schemes: Set<String> = ["basic", "bearer", "digest", "dpop", "negotiate"]

    static let whiteSpace = Set(" \t\r\n".utf8)
    static let backslash = Set("\\".utf8)
    static let separators = Set("=:>".utf8)
    static let openings = Set("{[(".utf8)
    static let closings = Set("}])".utf8)
    static let queryMarks = Set("?&#;".utf8)
    static let blanks = Set(" \t".utf8)
    static let quotes = Set("\\\"'`".utf8)
    static let tagStart = Set("<".utf8)
    static let angles = Set("<>".utf8)
    static let entityStops = Set("<\"".utf8)
    static let lineStops = Set("\r\n".utf8)
    /// Does not contain the apostrophe, which URLs can contain (RFC 3986 §2.2).
    static let queryStops = whiteSpace.union("&#\"<>".utf8)
    static let valueStops = queryStops.union("',;)]}".utf8)
    static let literalStops = whiteSpace.union(",}])".utf8)
    static let authorityStops = whiteSpace.union("/?#\"'<>\\".utf8)

    /// Returns whether a byte may occur in the name of a value.
    static func isNameByte(_ byte: UInt8) -> Bool {
        isWordByte(byte) || "_-.%[]".utf8.contains(byte)
    }

    /// Returns whether a byte may occur in the name of an element.
    static func isElementByte(_ byte: UInt8) -> Bool {
        isWordByte(byte) || "_-.:".utf8.contains(byte)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte >= 0x80
    }

    /// Returns whether the bytes are `name=` and a value, as after the scheme of a challenge.
    ///
    /// A trailing `=` belongs to Base64.
    static func isParameter(_ bytes: ArraySlice<UInt8>, before next: UInt8?) -> Bool {
        guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return false }
        return next == UInt8(ascii: "\"") || bytes[equals...].contains { $0 != UInt8(ascii: "=") }
    }
}
