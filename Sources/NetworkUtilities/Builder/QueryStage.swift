/// The stage after the method or the body: what the query says.
///
/// `add` appends and `set` replaces. Texts, Booleans, integers, enums of these and arrays of them always have a place
/// in a query; a number with a fraction, a date or another `Encodable` may have none, so those steps throw.
///
/// ```swift
/// let request = try URLRequest.get(url: url)
///     .add(query: "page", value: 2)
///     .add(query: "tag", value: ["new", "sale"])
///     .add(query: "price", value: 9.5)
///     .build()
/// // ?page=2&tag=new&tag=sale&price=9.5
/// ```
public enum QueryStage: HeaderCapableStage {}

extension RequestBuilder where Stage == QueryStage {
    /// Appends a query item; items of that name that are there stay.
    ///
    /// Only RFC 3986 unreserved characters, `/` and `?` stand bare; the URL's own bytes are not touched.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - value: The item's value; nil adds nothing.
    /// - Returns: The query stage.
    public consuming func add(query name: String, value: String?) -> RequestBuilder<QueryStage> {
        guard let value else { return self }
        return moved { $0.target.add(name, value) }
    }

    /// Replaces the query items of a name, those of the URL included, by one at the end.
    ///
    /// Another name is another item: `tag[]` and `tag[0]` stay.
    ///
    /// - Parameters:
    ///   - name: The items' name.
    ///   - value: The new value; nil only removes.
    /// - Returns: The query stage.
    public consuming func set(query name: String, value: String?) -> RequestBuilder<QueryStage> {
        moved {
            $0.target.remove(name)
            if let value { $0.target.add(name, value) }
        }
    }
}
