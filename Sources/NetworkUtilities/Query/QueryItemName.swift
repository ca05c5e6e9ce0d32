/// A name whose items are looked for in a query.
struct QueryItemName {
    private let name: String
    private let partsByDot: Bool

    /// Takes a name that is not escaped; with `partsByDot`, `name.key` is a part of it, as `name[key]` always is.
    init(_ name: String, partsByDot: Bool) {
        self.name = name
        self.partsByDot = partsByDot
    }

    /// Whether an item, as it stands in a URL, has this name once decoded, or is named as a part of it.
    func matches(_ item: UnsafeBufferPointer<UInt8>) -> Bool {
        let end = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
        var decoded = PercentDecoder(UnsafeBufferPointer(rebasing: item[..<end]))
        for byte in name.utf8 {
            guard decoded.next() == byte else { return false }
        }
        switch decoded.next() {
        case nil, UInt8(ascii: "["): return true
        case UInt8(ascii: "."): return partsByDot
        default: return false
        }
    }
}
