public import Foundation

/// The stage after the method or the body: what the query says.
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
    public func add(query name: String, value: String?) -> RequestBuilder<QueryStage> {
        guard let value else { return self }
        return moved { $0.target.add(name, value) }
    }

    /// Replaces the query items of a name, those of the URL included, by one at the end.
    ///
    /// - Parameters:
    ///   - name: The items' name.
    ///   - value: The new value; nil only removes.
    /// - Returns: The query stage.
    public func set(query name: String, value: String?) -> RequestBuilder<QueryStage> {
        moved {
            $0.target.remove(name)
            if let value { $0.target.add(name, value) }
        }
    }

    /// Appends query items, sorted by name, since a dictionary has no order of its own.
    ///
    /// - Parameter queryItems: Values by name.
    /// - Returns: The query stage.
    public func add(queryItems: [String: String]) -> RequestBuilder<QueryStage> {
        moved { draft in
            for item in queryItems.sorted(by: { $0.key < $1.key }) { draft.target.add(item.key, item.value) }
        }
    }

    /// Appends query items in their order.
    ///
    /// - Parameter queryItems: The items; one without a value is its name alone, as in `?flag`.
    /// - Returns: The query stage.
    public func add(queryItems: [URLQueryItem]) -> RequestBuilder<QueryStage> {
        moved { draft in
            for item in queryItems { draft.target.add(item.name, item.value) }
        }
    }
}
