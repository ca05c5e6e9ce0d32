extension RequestBuilder where Stage == QueryStage {
    /// Appends a query item with the raw value of an enum.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - value: The item's value; nil adds nothing.
    /// - Returns: The query stage.
    public consuming func add<Value: RawRepresentable>(
        query name: String,
        value: Value?
    ) -> RequestBuilder<QueryStage> where Value.RawValue: URLTextConvertible {
        add(query: name, value: value?.rawValue.urlText)
    }

    /// Replaces the query items of a name by one with the raw value of an enum.
    ///
    /// - Parameters:
    ///   - name: The items' name.
    ///   - value: The new value; nil only removes.
    /// - Returns: The query stage.
    public consuming func set<Value: RawRepresentable>(
        query name: String,
        value: Value?
    ) -> RequestBuilder<QueryStage> where Value.RawValue: URLTextConvertible {
        set(query: name, value: value?.rawValue.urlText)
    }

    /// Appends the raw values of an array, in the style that the service reads.
    ///
    /// - Parameters:
    ///   - name: The array's name.
    ///   - value: The elements; none, or nil, adds nothing.
    ///   - arrays: How the elements are named and divided.
    /// - Returns: The query stage.
    public consuming func add<Value: RawRepresentable>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle = .repeated
    ) -> RequestBuilder<QueryStage> where Value.RawValue: URLTextConvertible {
        let texts = value?.map(\.rawValue.urlText) ?? []
        return moved { $0.target.add(name, texts, arrays: arrays) }
    }

    /// Replaces the query items of a name, and of its parts such as `name[]`, by the raw values of an array.
    ///
    /// - Parameters:
    ///   - name: The array's name.
    ///   - value: The elements; without any, or nil, the step only removes.
    ///   - arrays: How the elements are named and divided.
    /// - Returns: The query stage.
    public consuming func set<Value: RawRepresentable>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle = .repeated
    ) -> RequestBuilder<QueryStage> where Value.RawValue: URLTextConvertible {
        let texts = value?.map(\.rawValue.urlText) ?? []
        return moved {
            $0.target.remove(name, parts: .inBrackets)
            $0.target.add(name, texts, arrays: arrays)
        }
    }
}

// Without these, a type that is both would be ambiguous between the steps for texts and those for raw values.
extension RequestBuilder where Stage == QueryStage {
    /// Appends a query item with the text of an enum, which may differ from its raw value.
    ///
    /// - Parameters:
    ///   - name: The item's name.
    ///   - value: The item's value; nil adds nothing.
    /// - Returns: The query stage.
    public consuming func add<Value: RawRepresentable & URLTextConvertible>(
        query name: String,
        value: Value?
    ) -> RequestBuilder<QueryStage> where Value.RawValue: URLTextConvertible {
        add(query: name, value: value?.urlText)
    }

    /// Replaces the query items of a name by one with the text of an enum.
    ///
    /// - Parameters:
    ///   - name: The items' name.
    ///   - value: The new value; nil only removes.
    /// - Returns: The query stage.
    public consuming func set<Value: RawRepresentable & URLTextConvertible>(
        query name: String,
        value: Value?
    ) -> RequestBuilder<QueryStage> where Value.RawValue: URLTextConvertible {
        set(query: name, value: value?.urlText)
    }

    /// Appends the texts of an array of enums, in the style that the service reads.
    ///
    /// - Parameters:
    ///   - name: The array's name.
    ///   - value: The elements; none, or nil, adds nothing.
    ///   - arrays: How the elements are named and divided.
    /// - Returns: The query stage.
    public consuming func add<Value: RawRepresentable & URLTextConvertible>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle = .repeated
    ) -> RequestBuilder<QueryStage> where Value.RawValue: URLTextConvertible {
        let texts = value?.map(\.urlText) ?? []
        return moved { $0.target.add(name, texts, arrays: arrays) }
    }

    /// Replaces the query items of a name, and of its parts such as `name[]`, by the texts of an array of enums.
    ///
    /// - Parameters:
    ///   - name: The array's name.
    ///   - value: The elements; without any, or nil, the step only removes.
    ///   - arrays: How the elements are named and divided.
    /// - Returns: The query stage.
    public consuming func set<Value: RawRepresentable & URLTextConvertible>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle = .repeated
    ) -> RequestBuilder<QueryStage> where Value.RawValue: URLTextConvertible {
        let texts = value?.map(\.urlText) ?? []
        return moved {
            $0.target.remove(name, parts: .inBrackets)
            $0.target.add(name, texts, arrays: arrays)
        }
    }
}
