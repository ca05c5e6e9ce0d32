import Foundation

/// A URL whose query is being edited.
///
/// Bytes that are already in the URL stay as they are (a presigned URL keeps its signature): items are appended as
/// bytes, and removed as whole items.
struct URLDraft: Sendable {
    private let base: URL

    /// Nil as long as nothing was changed: then the URL is what was given.
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

    /// Removes every item of that name and of its parts, such as `name[]` and `name[key]`.
    ///
    /// Names are compared after decoding; with `partsByDot`, `name.key` is a part as well.
    mutating func remove(_ name: String, partsByDot: Bool = false) {
        if edited != nil {
            _ = edited?.remove(name, partsByDot: partsByDot)
        } else {
            var changed = EditedURL(base)
            if changed.remove(name, partsByDot: partsByDot) { edited = changed }
        }
    }

    /// The URL with its query as it is now.
    var url: URL {
        edited.flatMap { URL(string: $0.text) } ?? base
    }
}
