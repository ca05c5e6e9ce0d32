// The steps for `Encodable` values are disfavoured: nearly all values that other steps accept are `Encodable` as well,
// and those steps need no `try`.

extension RequestBuilder where Stage == QueryStage {
    /// Appends any `Encodable` value: a number with a fraction, a date, an array, an object.
    ///
    /// The parts of an object are named after it, as in `filter[size]=2`. Nil, an empty array and an empty object add
    /// nothing. Throws ``QueryEncodingError`` for `Data`, an infinite number and more than 64 nested levels.
    @_disfavoredOverload
    public consuming func add<Value: Encodable>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> RequestBuilder<QueryStage> {
        add([try EncodedQueryItems(any: value as Any, named: name, style: style)])
    }

    /// Replaces the query items of a name with any `Encodable` value; throws as ``add(query:value:style:)`` does.
    ///
    /// An array or an object also replaces the items of its parts, such as `name[]` and `name[key]`. With nil, an
    /// empty array or an empty object, the items are only removed, for a nil of a type with parts those of the parts
    /// too.
    @_disfavoredOverload
    public consuming func set<Value: Encodable>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> RequestBuilder<QueryStage> {
        set([try EncodedQueryItems(any: value as Any, named: name, style: style)])
    }

    /// Replaces the query items of each name in a block with the block's items, which are added at the end in their
    /// order.
    ///
    /// Several items with one name are all added. An item whose value is nil adds nothing, and the earlier items of its
    /// name are removed. Rethrows the errors of the block. See ``QueryItemsBuilder`` for what a block may contain.
    public consuming func query(
        @QueryItemsBuilder _ items: () throws -> [QueryItem]
    ) rethrows -> RequestBuilder<QueryStage> {
        set(try items().map(\.encoded))
    }

    /// Replaces the query items of each name in a dictionary with its values, which are added at the end, sorted by
    /// name.
    ///
    /// The values may be of several types with one text each, as in `["page": 2, "name": "x"]`. A value that is nil
    /// only removes the items of its name.
    public consuming func query(_ items: [String: (any URLTextConvertible)?]) -> RequestBuilder<QueryStage> {
        query { items }
    }

    /// Appends items.
    package consuming func add(items: [QueryItem]) -> RequestBuilder<QueryStage> { add(items.map(\.encoded)) }
}

extension RequestBuilder where Stage == QueryStage {
    /// Appends query items, sorted by name, since a dictionary has no order.
    public consuming func add(queryItems: [String: String]) -> RequestBuilder<QueryStage> {
        add(queryItems: Self.sorted(queryItems))
    }

    /// Appends query items in their order; an item without a value is its name alone, as in `?flag`.
    public consuming func add(queryItems: [URLQueryItem]) -> RequestBuilder<QueryStage> {
        moved { draft in
            for item in queryItems { draft.target.add(item.name, item.value) }
        }
    }

    /// Replaces the query items of these names; the new items are at the end, sorted by name.
    public consuming func set(queryItems: [String: String]) -> RequestBuilder<QueryStage> {
        set(queryItems: Self.sorted(queryItems))
    }

    /// Replaces the query items of these names; the new items are at the end, in their order.
    ///
    /// Several items with one name are all added. An item without a value is its name alone, as in `?flag`.
    public consuming func set(queryItems: [URLQueryItem]) -> RequestBuilder<QueryStage> {
        set(queryItems.map { EncodedQueryItems($0) })
    }

    /// Appends the properties of a value in their order, or the entries of a dictionary sorted by name.
    ///
    /// Properties that are nil or empty add nothing. Throws ``QueryEncodingError`` if the value doesn't encode as an
    /// object, or a property can't be encoded.
    @_disfavoredOverload
    public consuming func add<Value: Encodable>(
        queryItems: Value,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> RequestBuilder<QueryStage> {
        add(items: try QueryItem.items(of: queryItems, style: style))
    }

    /// Replaces the query items of each property's name with the properties of a value.
    ///
    /// An array or an object also replaces the items of its parts, such as `name[]` and `name[key]`. Properties that
    /// are nil replace nothing, unless the type encodes the nil; an entry of a dictionary that is nil only removes the
    /// items of its name. Throws as ``add(queryItems:style:)`` does.
    @_disfavoredOverload
    public consuming func set<Value: Encodable>(
        queryItems: Value,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> RequestBuilder<QueryStage> {
        set(try QueryItem.items(of: queryItems, style: style).map(\.encoded))
    }

    private static func sorted(_ items: [String: String]) -> [URLQueryItem] {
        items.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0.key, value: $0.value) }
    }
}
