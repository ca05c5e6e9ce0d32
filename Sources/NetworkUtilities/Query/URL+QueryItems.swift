extension URL {
    /// The decoded items of the query in their order; empty if the URL has no query.
    ///
    /// An item without a `=` has no value; an empty item, as in `&&`, is left out. No bytes are lost: an invalid escape
    /// stays unchanged, and so does a name or value whose escapes are not UTF-8. A `+` stays a `+`.
    public var queryItems: [URLQueryItem] {
        readQueryItems() ?? []
    }

    /// The items of the query by name, decoded like ``queryItems``; nil if the URL has no query.
    ///
    /// The last of several items with one name and a value wins; items without a value are left out.
    public var queryParameters: [String: String]? {
        readQueryItems()?.reduce(into: [:]) { result, item in
            if let value = item.value { result[item.name] = value }
        }
    }

    /// Reads the items from the URL's text, so that Foundation's parser can't fail on them; nil if there is no query.
    private func readQueryItems() -> [URLQueryItem]? {
        var text = absoluteString
        return text.withUTF8 { bytes in
            let query = URLParts(bytes).query
            guard !query.isEmpty else { return nil }
            return query.dropFirst().split(separator: UInt8(ascii: "&")).map { item in
                let name = item.prefix { $0 != UInt8(ascii: "=") }
                let value = name.endIndex < item.endIndex ? Self.decoded(item[(name.endIndex + 1)...]) : nil
                return URLQueryItem(name: Self.decoded(name), value: value)
            }
        }
    }

    private static func decoded(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        PercentDecoder.text(UnsafeBufferPointer(rebasing: bytes))
    }
}
