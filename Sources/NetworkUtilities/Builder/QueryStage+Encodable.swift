extension RequestBuilder where Stage == QueryStage {
    // Disfavoured, so that values which cannot fail keep the steps that need no `try`: nearly all of them encode as
    // well.

    /// Appends any `Encodable` value: a number with a fraction, a date, an array, an object.
    ///
    /// The parts of an object are named after it, as in `filter[size]=2`.
    ///
    /// - Parameters:
    ///   - name: The name of the value.
    ///   - value: The value; nil, an empty array and an empty object add nothing.
    ///   - style: How arrays, nested values, Booleans, dates and names are written.
    /// - Returns: The query stage.
    /// - Throws: ``QueryEncodingError`` for `Data`, an infinite number and what is nested deeper than 64 levels.
    @_disfavoredOverload
    public consuming func add<Value: Encodable>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> RequestBuilder<QueryStage> {
        let field = try FormSerializer.query(of: value, named: name, style: style)
        return moved { $0.target.add(escaped: field.items) }
    }

    /// Replaces the query items of a name by any `Encodable` value.
    ///
    /// An array or an object replaces what is named as a part of it too, such as `name[]` and `name[key]`.
    ///
    /// - Parameters:
    ///   - name: The name of the value.
    ///   - value: The value; nil, an empty array and an empty object only remove.
    ///   - style: How arrays, nested values, Booleans, dates and names are written.
    /// - Returns: The query stage.
    /// - Throws: ``QueryEncodingError`` for `Data`, an infinite number and what is nested deeper than 64 levels.
    @_disfavoredOverload
    public consuming func set<Value: Encodable>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> RequestBuilder<QueryStage> {
        let field = try FormSerializer.query(of: value, named: name, style: style)
        return moved {
            $0.target.remove(name, parts: field.parts)
            $0.target.add(escaped: field.items)
        }
    }

    /// Appends the properties of a value in their order, or the entries of a dictionary sorted by name.
    ///
    /// - Parameters:
    ///   - queryItems: A value that encodes as an object; its properties that are nil or empty add nothing.
    ///   - style: How arrays, nested values, Booleans, dates and names are written.
    /// - Returns: The query stage.
    /// - Throws: ``QueryEncodingError`` for a value that is no object, or has a part without a place in a query.
    @_disfavoredOverload
    public consuming func add<Value: Encodable>(
        queryItems: Value,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> RequestBuilder<QueryStage> {
        let items = try FormSerializer.queries(of: queryItems, style: style).map(\.items)
        return moved { draft in
            for items in items { draft.target.add(escaped: items) }
        }
    }

    /// Replaces the query items of each property's name by the properties of a value.
    ///
    /// An array or an object replaces what is named as a part of it too, such as `name[]` and `name[key]`.
    ///
    /// - Parameters:
    ///   - queryItems: A value that encodes as an object; its properties that are nil replace nothing.
    ///   - style: How arrays, nested values, Booleans, dates and names are written.
    /// - Returns: The query stage.
    /// - Throws: ``QueryEncodingError`` for a value that is no object, or has a part without a place in a query.
    @_disfavoredOverload
    public consuming func set<Value: Encodable>(
        queryItems: Value,
        style: FormStyle = .query
    ) throws(QueryEncodingError) -> RequestBuilder<QueryStage> {
        let fields = try FormSerializer.queries(of: queryItems, style: style)
        return moved { draft in
            draft.target.remove(fields.map { (name: $0.name, parts: $0.parts) })
            for field in fields { draft.target.add(escaped: field.items) }
        }
    }
}
