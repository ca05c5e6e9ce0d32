import Foundation

/// The bytes of a URL whose query has been edited.
struct EditedURL: Sendable {
    /// What stands before the fragment.
    private var bytes: [UInt8]

    /// Where the query begins, after its `?`; nil if there is none.
    private var queryStart: Int?

    /// The `#` and what follows it, or nothing.
    private let fragment: [UInt8]

    /// What a few short items need, so that the bytes are rarely moved.
    private static let roomForItems = 96

    init(_ url: URL) {
        var text = url.absoluteString
        (bytes, queryStart, fragment) = text.withUTF8 { source in
            let head = source.prefix { $0 != UInt8(ascii: "#") }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(source.count + Self.roomForItems)
            bytes.append(contentsOf: head)
            let mark = head.firstIndex(of: UInt8(ascii: "?"))
            return (bytes, mark.map { $0 + 1 }, Array(source[head.endIndex...]))
        }
    }

    /// Whether there is nothing left.
    var isEmpty: Bool { bytes.isEmpty && fragment.isEmpty }

    /// The whole URL.
    var text: String {
        String(decoding: fragment.isEmpty ? bytes : bytes + fragment, as: UTF8.self)
    }

    /// Appends `name=value`, or `name` alone.
    mutating func append(_ name: String, _ value: String?) {
        beginItem()
        PercentEncoding.query.append(name, to: &bytes)
        if let value {
            bytes.append(UInt8(ascii: "="))
            PercentEncoding.query.append(value, to: &bytes)
        }
    }

    /// Appends items that are escaped already, with `&` between them.
    mutating func append(escaped items: [UInt8]) {
        beginItem()
        bytes.append(contentsOf: items)
    }

    /// Removes every item of that name; a query that has become empty loses its `?`.
    ///
    /// - Returns: Whether there was one.
    mutating func remove(_ name: String, parts: QueryItemName.Parts) -> Bool {
        let pattern = QueryItemName(name, parts: parts)
        return removeItems(where: pattern.matches)
    }

    /// Removes every item that has one of these names, in one pass.
    ///
    /// - Returns: Whether there was one.
    mutating func remove(_ names: [ArraySlice<UInt8>: QueryItemName.Parts]) -> Bool {
        removeItems { QueryItemName.isAny(of: names, $0) }
    }

    private mutating func removeItems(where isRemoved: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard let queryStart else { return false }
        let kept: [UInt8]? = bytes.withUnsafeBufferPointer { bytes in
            let items = bytes[queryStart...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
            let kept = items.filter { !isRemoved(UnsafeBufferPointer(rebasing: $0)) }
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
