/// A URL whose query is being edited.
///
/// Bytes that are already in the URL stay unchanged (a presigned URL keeps its signature): items are appended as bytes,
/// and removed as whole items.
package struct QueryEditor: Sendable {
    private let base: URL

    /// The edited text; nil until the first edit.
    private var edited: EditedText?

    package init(url: URL) {
        base = url
    }

    /// Appends `name=value`, or `name` alone if the value is nil.
    package mutating func add(_ name: String, _ value: String?) {
        if edited == nil { edited = EditedText(base) }
        edited?.append(name, value)
    }

    /// Appends items that are escaped already.
    mutating func add(escaped items: [UInt8]) {
        guard !items.isEmpty else { return }
        if edited == nil { edited = EditedText(base) }
        edited?.append(escaped: items)
    }

    /// Removes every item of a name, which is compared after decoding.
    package mutating func remove(_ name: String, parts: QueryItemParts = .none) {
        remove([(name, parts)])
    }

    /// Removes every item that has one of these names, in one pass.
    mutating func remove(_ names: [(name: String, parts: QueryItemParts)]) {
        if edited != nil {
            _ = edited?.remove(names)
        } else {
            var changed = EditedText(base)
            if changed.remove(names) { edited = changed }
        }
    }

    /// The URL with its current query.
    package var url: URL {
        guard let edited else { return base }
        // A relative URL that consisted of its query keeps the `?`: an empty string isn't a valid URL.
        return URL(string: edited.isEmpty ? "?" : edited.text) ?? Self.unsendable
    }

    /// The URL that stands in for an edited text that Foundation refuses.
    ///
    /// No such text is known, since only escaped bytes are added to a URL that Foundation accepted. A request that
    /// can't be sent is better than one without its query.
    private static let unsendable = URL(fileURLWithPath: "/")
}

/// The items that belong to a value besides those with its exact name.
package enum QueryItemParts: Int, Comparable, Sendable {
    /// No other items: `page[size]` is a separate name.
    case none
    /// `name[]`, `name[0]` and `name[key]`.
    case inBrackets
    /// `name[]`, `name[0]`, `name[key]` and `name.key`.
    case inBracketsOrAfterADot

    package static func < (one: QueryItemParts, other: QueryItemParts) -> Bool { one.rawValue < other.rawValue }

    /// Returns whether a byte directly after the name begins the rest of a part's name, such as `[0]` or `.key`.
    func begin(with byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "["): self >= .inBrackets
        case UInt8(ascii: "."): self >= .inBracketsOrAfterADot
        default: false
        }
    }
}

/// The names of the query items that are removed.
struct QueryItemNames {
    private let parts: [ArraySlice<UInt8>: QueryItemParts]

    /// The number of bytes of the longest name.
    private let longestCount: Int

    init(_ names: [(name: String, parts: QueryItemParts)]) {
        parts = Dictionary(names.map { (ArraySlice($0.name.utf8), $0.parts) }, uniquingKeysWith: max)
        longestCount = parts.keys.reduce(0) { max($0, $1.count) }
    }

    /// Returns whether an item's decoded name is one of these names, or the name of a part of the value.
    ///
    /// Looks up the prefix before each `[` and `.`, so that the time doesn't depend on the number of names. Reads only
    /// one byte more than the longest name has: a longer prefix can't match, and hashing all prefixes of a long name
    /// in a URL from a server would take quadratic time.
    func contains(_ name: some Sequence<UInt8>) -> Bool {
        let decoded = Array(name.prefix(longestCount + 1))[...]
        if parts[decoded] != nil { return true }
        return decoded.indices.contains { index in
            let byte = decoded[index]
            guard byte == UInt8(ascii: "[") || byte == UInt8(ascii: ".") else { return false }
            return parts[decoded[..<index]]?.begin(with: byte) ?? false
        }
    }
}

/// The bytes of a URL, divided at the places where items are added and removed.
private struct EditedText: Sendable {
    /// The text before the fragment.
    private var bytes: [UInt8]

    /// The position after the `?`; nil if the URL has no query.
    private var queryStart: Int?

    /// The `#` and the text after it, or no bytes.
    private let fragment: [UInt8]

    /// The capacity that is reserved for new items: enough for a few short ones.
    private static let capacityForItems = 96

    init(_ url: URL) {
        var text = url.absoluteString
        (bytes, queryStart, fragment) = text.withUTF8 { source in
            let parts = URLParts(source)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(source.count + Self.capacityForItems)
            bytes.append(contentsOf: source[..<parts.query.endIndex])
            return (bytes, parts.query.isEmpty ? nil : parts.query.startIndex + 1, Array(parts.fragment))
        }
    }

    var isEmpty: Bool { bytes.isEmpty && fragment.isEmpty }

    var text: String {
        String(decoding: fragment.isEmpty ? bytes : bytes + fragment, as: UTF8.self)
    }

    mutating func append(_ name: String, _ value: String?) {
        beginItem()
        PercentEncoding.query.append(name, value, to: &bytes)
    }

    mutating func append(escaped items: [UInt8]) {
        beginItem()
        bytes.append(contentsOf: items)
    }

    /// Removes the items of these names, and the `?` of a query that becomes empty; returns whether any was removed.
    mutating func remove(_ names: [(name: String, parts: QueryItemParts)]) -> Bool {
        guard let queryStart else { return false }
        let names = QueryItemNames(names)
        let kept: [UInt8]? = bytes.withUnsafeBufferPointer { bytes in
            let items = bytes[queryStart...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            let kept = items.filter { item in
                let name = item.prefix { $0 != UInt8(ascii: "=") }
                return !names.contains(PercentDecoder(UnsafeBufferPointer(rebasing: name)))
            }
            guard kept.count < items.count else { return nil }
            return Array(kept.joined(separator: CollectionOfOne(UInt8(ascii: "&"))))
        }
        guard let kept else { return false }
        bytes.removeSubrange((kept.isEmpty ? queryStart - 1 : queryStart)...)
        bytes.append(contentsOf: kept)
        if kept.isEmpty { self.queryStart = nil }
        return true
    }

    private mutating func beginItem() {
        if let queryStart {
            guard bytes.count > queryStart, bytes.last != UInt8(ascii: "&") else { return }
            bytes.append(UInt8(ascii: "&"))
        } else {
            bytes.append(UInt8(ascii: "?"))
            queryStart = bytes.count
        }
    }
}
