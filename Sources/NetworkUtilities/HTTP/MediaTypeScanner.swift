/// A lenient scanner of media types from left to right: it also accepts malformed ones, which servers do send.
struct MediaTypeScanner {
    /// Where a parameter is in the text, without white space around it.
    struct Parameter {
        /// Name, equals sign and value.
        let whole: Range<Int>

        /// Empty if there is no equals sign.
        let name: Range<Int>

        let value: Range<Int>

        /// What is missing at the end of a quoted value that is not closed: without it, a parameter that is appended
        /// would be a part of that value.
        let closing: String
    }

    /// Where `type/subtype` is, without white space around it.
    let essence: Range<Int>

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        position = bytes.firstIndex(of: Self.semicolon) ?? bytes.count
        essence = HeaderField.trimmed(bytes, 0..<position)
    }

    /// The next parameter that is not empty; nil at the end.
    mutating func next() -> Parameter? {
        while position < bytes.count {
            let start = position + 1
            let (end, equals, closing) = endOfParameter(from: start)
            position = end
            let whole = HeaderField.trimmed(bytes, start..<end)
            guard !whole.isEmpty else { continue }
            let name = equals.map { HeaderField.trimmed(bytes, start..<$0) } ?? start..<start
            let value = equals.map { HeaderField.trimmed(bytes, $0 + 1..<end) } ?? end..<end
            return Parameter(whole: whole, name: name, value: value, closing: closing)
        }
        return nil
    }

    /// Whether a part is a name, letters compared without case.
    func isName(_ range: Range<Int>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == name.count else { return false }
        for (offset, index) in range.enumerated()
        where HeaderField.lowercased(bytes[index]) != HeaderField.lowercased(name[offset]) { return false }
        return true
    }

    /// A part in lower case.
    func lowercased(_ range: Range<Int>) -> String {
        String(decoding: bytes[range].map(HeaderField.lowercased), as: UTF8.self)
    }

    /// A part as it is.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// A parameter's value without its quotes.
    func unquoted(_ range: Range<Int>) -> String {
        QuotedString.unquoted(bytes[range])
    }

    private func endOfParameter(from start: Int) -> (end: Int, equals: Int?, closing: String) {
        var equals: Int?
        var isQuoted = false
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case Self.semicolon where !isQuoted: return (index, equals, "")
            case Self.equalsSign where equals == nil: equals = index
            case QuotedString.quote: isQuoted.toggle()
            case QuotedString.backslash where isQuoted: index += 1
            default: break
            }
            index += 1
        }
        guard isQuoted else { return (bytes.count, equals, "") }
        // A backslash that is the last byte has led beyond the end; it would escape the closing quote.
        return (bytes.count, equals, index > bytes.count ? "\\\"" : "\"")
    }

    static let semicolon = UInt8(ascii: ";")
    static let equalsSign = UInt8(ascii: "=")
}
