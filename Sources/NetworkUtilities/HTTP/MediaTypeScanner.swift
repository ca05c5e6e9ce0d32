/// Finds the parts of a media type from left to right, also in text that is none: servers write what they like.
struct MediaTypeScanner {
    /// Where a parameter is in the text, without white space around it.
    struct Parameter {
        /// Name, equals sign and value.
        let whole: Range<Int>

        /// Empty if there is no equals sign.
        let name: Range<Int>

        let value: Range<Int>
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
            let (end, equals) = endOfParameter(from: start)
            position = end
            let whole = HeaderField.trimmed(bytes, start..<end)
            guard !whole.isEmpty else { continue }
            guard let equals else { return Parameter(whole: whole, name: start..<start, value: end..<end) }
            let name = HeaderField.trimmed(bytes, start..<equals)
            return Parameter(whole: whole, name: name, value: HeaderField.trimmed(bytes, equals + 1..<end))
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

    private func endOfParameter(from start: Int) -> (end: Int, equals: Int?) {
        var equals: Int?
        var isQuoted = false
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case Self.semicolon where !isQuoted: return (index, equals)
            case Self.equalsSign where equals == nil: equals = index
            case QuotedString.quote: isQuoted.toggle()
            case QuotedString.backslash where isQuoted: index += 1
            default: break
            }
            index += 1
        }
        return (bytes.count, equals)
    }

    static let semicolon = UInt8(ascii: ";")
    static let equalsSign = UInt8(ascii: "=")
}
