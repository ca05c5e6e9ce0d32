import Foundation

/// A URL whose query is being edited.
///
/// Bytes that are already in the URL stay as they are (a presigned URL keeps its signature): items are appended as
/// bytes, and removed as whole items.
struct URLDraft: Sendable {
    private let base: URL

    /// Nil until the first edit.
    private var edited: EditedURL?

    init(url: URL) {
        base = url
    }

    /// Appends `name=value`, or `name` alone.
    mutating func add(_ name: String, _ value: String?) {
        if edited == nil { edited = EditedURL(base) }
        edited?.append(name, value)
    }

    /// Appends items that are escaped already; nothing if there are no bytes.
    mutating func add(escaped items: [UInt8]) {
        guard !items.isEmpty else { return }
        if edited == nil { edited = EditedURL(base) }
        edited?.append(escaped: items)
    }

    /// Appends the elements of an array.
    mutating func add(_ name: String, _ texts: [String], arrays: FormStyle.ArrayStyle) {
        add(escaped: FormSerializer.items(named: name, texts, arrays: arrays))
    }

    /// Removes every item of that name, which is compared after decoding.
    mutating func remove(_ name: String, parts: QueryItemName.Parts = .none) {
        if edited != nil {
            _ = edited?.remove(name, parts: parts)
        } else {
            var changed = EditedURL(base)
            if changed.remove(name, parts: parts) { edited = changed }
        }
    }

    /// Removes every item that has one of these names, in one pass.
    mutating func remove(_ names: [(name: String, parts: QueryItemName.Parts)]) {
        var changed = edited ?? EditedURL(base)
        let parts = Dictionary(names.map { (ArraySlice($0.name.utf8), $0.parts) }, uniquingKeysWith: max)
        if changed.remove(parts) { edited = changed }
    }

    /// The URL with its query as it is now.
    var url: URL {
        guard let edited else { return base }
        // Without its `?`, a relative URL that was nothing but a query would be empty, which is not a URL.
        return URL(string: edited.isEmpty ? "?" : edited.text) ?? Self.unsendable
    }

    /// Stands where Foundation refuses the edited text.
    ///
    /// It has never been seen to, since only escaped bytes are added to a URL that it accepted. A request that cannot
    /// be sent is better than one without its query.
    private static let unsendable = URL(fileURLWithPath: "/")
}
