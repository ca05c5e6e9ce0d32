import Foundation

/// A URL whose query is being edited.
///
/// Bytes that are already in the URL stay as they are (a presigned URL keeps its signature): items are appended as
/// bytes, and removed as whole items.
struct URLDraft: Sendable {
    private let base: URL
    /// The edited query without its `?`, or nil as long as nothing was edited.
    private var edited: [UInt8]?

    init(url: URL) {
        base = url
    }

    /// Appends `name=value`, or `name` alone.
    mutating func add(_ name: String, _ value: String?) {
        var query = currentQuery ?? []
        edited = nil
        if let last = query.last, last != UInt8(ascii: "&") { query.append(UInt8(ascii: "&")) }
        PercentEncoding.query.append(name, to: &query)
        if let value {
            query.append(UInt8(ascii: "="))
            PercentEncoding.query.append(value, to: &query)
        }
        edited = query
    }

    /// Removes every item of that name; names are compared after decoding.
    mutating func remove(_ name: String) {
        guard let query = currentQuery else { return }
        let items = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        let kept = items.filter { item in
            let rawName = item.prefix { $0 != UInt8(ascii: "=") }
            return String(decoding: rawName, as: UTF8.self).removingPercentEncoding != name
        }
        if kept.count < items.count { edited = Array(kept.joined(separator: CollectionOfOne(UInt8(ascii: "&")))) }
    }

    /// The URL with its query as it is now.
    var url: URL {
        guard let edited else { return base }
        let text = base.absoluteString
        let head = text.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let fragment = text.utf8.drop { $0 != UInt8(ascii: "#") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count + edited.count + 1)
        bytes.append(contentsOf: head)
        if !edited.isEmpty { bytes.append(UInt8(ascii: "?")) }
        bytes.append(contentsOf: edited)
        bytes.append(contentsOf: fragment)
        return URL(string: String(decoding: bytes, as: UTF8.self)) ?? base
    }

    /// The bytes between `?` and `#`; nil if there is no `?`.
    private var currentQuery: [UInt8]? {
        if let edited { return edited }
        let text = base.absoluteString.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let mark = text.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        return Array(text[text.index(after: mark)...])
    }
}
