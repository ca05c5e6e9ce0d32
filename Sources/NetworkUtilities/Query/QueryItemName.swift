/// A name whose items are looked for in a query.
struct QueryItemName {
    private let name: String
    private let parts: Parts

    /// Which items are named as parts of a value, beside those that have its very name.
    enum Parts: Sendable {
        /// None: `page[size]` is a name of its own.
        case none
        /// `name[]`, `name[0]` and `name[key]`.
        case inBrackets
        /// Those, and `name.key`.
        case inBracketsOrAfterADot
    }

    /// Takes a name that is not escaped.
    init(_ name: String, parts: Parts) {
        self.name = name
        self.parts = parts
    }

    /// Whether an item, as it stands in a URL, has this name once decoded, or is named as a part of it.
    func matches(_ item: UnsafeBufferPointer<UInt8>) -> Bool {
        var decoded = Self.decoder(of: item)
        for byte in name.utf8 {
            guard decoded.next() == byte else { return false }
        }
        switch decoded.next() {
        case nil: return true
        case UInt8(ascii: "["): return parts != .none
        case UInt8(ascii: "."): return parts == .inBracketsOrAfterADot
        default: return false
        }
    }
}

extension QueryItemName {
    /// The bytes of an item's name, decoded.
    static func decoded(_ item: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var decoder = decoder(of: item)
        var bytes: [UInt8] = []
        while let byte = decoder.next() { bytes.append(byte) }
        return bytes
    }

    private static func decoder(of item: UnsafeBufferPointer<UInt8>) -> PercentDecoder {
        let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
        return PercentDecoder(UnsafeBufferPointer(rebasing: item[..<end]))
    }
}

extension FormStyle {
    /// Which items this style names as parts of a value.
    var parts: QueryItemName.Parts {
        nesting.usesDots ? .inBracketsOrAfterADot : .inBrackets
    }
}
