/// A name whose items are looked for in a query.
struct QueryItemName {
    private let name: String
    private let parts: Parts

    /// Which items are named as parts of a value, beside those that have its very name.
    enum Parts: Int, Comparable, Sendable {
        /// None: `page[size]` is a name of its own.
        case none
        /// `name[]`, `name[0]` and `name[key]`.
        case inBrackets
        /// Those, and `name.key`.
        case inBracketsOrAfterADot

        static func < (one: Parts, other: Parts) -> Bool { one.rawValue < other.rawValue }

        /// Whether the byte behind a name begins the name of a part.
        func begin(with byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "["): self >= .inBrackets
            case UInt8(ascii: "."): self >= .inBracketsOrAfterADot
            default: false
            }
        }
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
        return decoded.next().map(parts.begin) ?? true
    }
}

extension QueryItemName {
    /// Whether an item has one of several names, or is named as a part of one, found by one look at each place where
    /// the name of a part could begin.
    static func isAny(of names: [ArraySlice<UInt8>: Parts], _ item: UnsafeBufferPointer<UInt8>) -> Bool {
        let decoded = Array(decoder(of: item))[...]
        if names[decoded] != nil { return true }
        return decoded.indices.contains { index in
            let byte = decoded[index]
            guard byte == UInt8(ascii: "[") || byte == UInt8(ascii: ".") else { return false }
            return names[decoded[..<index]]?.begin(with: byte) ?? false
        }
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
