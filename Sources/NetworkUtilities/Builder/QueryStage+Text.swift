extension RequestBuilder where Stage == QueryStage {
    /// Appends a query item with the text of a value, such as a number or a Boolean.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - value: The item's value; nil adds nothing.
    /// - Returns: The query stage.
    public consuming func add<Value: URLTextConvertible>(
        query name: String,
        value: Value?
    ) -> RequestBuilder<QueryStage> {
        add(query: name, value: value?.urlText)
    }

    /// Replaces the query items of a name by one with the text of a value.
    ///
    /// - Parameters:
    ///   - name: The items' name.
    ///   - value: The new value; nil only removes.
    /// - Returns: The query stage.
    public consuming func set<Value: URLTextConvertible>(
        query name: String,
        value: Value?
    ) -> RequestBuilder<QueryStage> {
        set(query: name, value: value?.urlText)
    }

    /// Appends the elements of an array, in the style that the service reads.
    ///
    /// - Parameters:
    ///   - name: The array's name.
    ///   - value: The elements; none, or nil, adds nothing.
    ///   - arrays: How the elements are named and divided.
    /// - Returns: The query stage.
    public consuming func add<Value: URLTextConvertible>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle = .repeated
    ) -> RequestBuilder<QueryStage> {
        let texts = value?.map(\.urlText) ?? []
        return moved { $0.target.add(name, texts, arrays: arrays) }
    }

    /// Replaces the query items of a name, and of its parts such as `name[]`, by the elements of an array.
    ///
    /// - Parameters:
    ///   - name: The array's name.
    ///   - value: The elements; without any, or nil, the step only removes.
    ///   - arrays: How the elements are named and divided.
    /// - Returns: The query stage.
    public consuming func set<Value: URLTextConvertible>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle = .repeated
    ) -> RequestBuilder<QueryStage> {
        let texts = value?.map(\.urlText) ?? []
        return moved {
            $0.target.remove(name, parts: .inBrackets)
            $0.target.add(name, texts, arrays: arrays)
        }
    }
}
