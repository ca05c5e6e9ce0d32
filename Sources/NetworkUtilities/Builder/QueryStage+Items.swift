public import Foundation

extension RequestBuilder where Stage == QueryStage {
    /// Appends query items, sorted by name, since a dictionary has no order of its own.
    ///
    /// - Parameter queryItems: Values by name.
    /// - Returns: The query stage.
    public consuming func add(queryItems: [String: String]) -> RequestBuilder<QueryStage> {
        moved { draft in
            for item in queryItems.sorted(by: { $0.key < $1.key }) { draft.target.add(item.key, item.value) }
        }
    }

    /// Appends query items in their order.
    ///
    /// - Parameter queryItems: The items; one without a value is its name alone, as in `?flag`.
    /// - Returns: The query stage.
    public consuming func add(queryItems: [URLQueryItem]) -> RequestBuilder<QueryStage> {
        moved { draft in
            for item in queryItems { draft.target.add(item.name, item.value) }
        }
    }

    /// Replaces the query items of each name in turn; they stand at the end, sorted by name.
    ///
    /// - Parameter queryItems: Values by name.
    /// - Returns: The query stage.
    public consuming func set(queryItems: [String: String]) -> RequestBuilder<QueryStage> {
        moved { draft in
            draft.target.remove(queryItems.keys.map { (name: $0, parts: .none) })
            for item in queryItems.sorted(by: { $0.key < $1.key }) { draft.target.add(item.key, item.value) }
        }
    }

    /// Replaces the query items of all these names by these at the end, in their order.
    ///
    /// Of several items with one name all are added.
    ///
    /// - Parameter queryItems: The items; one without a value is its name alone, as in `?flag`.
    /// - Returns: The query stage.
    public consuming func set(queryItems: [URLQueryItem]) -> RequestBuilder<QueryStage> {
        moved { draft in
            draft.target.remove(queryItems.map { (name: $0.name, parts: .none) })
            for item in queryItems { draft.target.add(item.name, item.value) }
        }
    }
}
