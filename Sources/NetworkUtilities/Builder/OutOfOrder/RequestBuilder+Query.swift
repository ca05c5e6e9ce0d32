extension RequestBuilder where Stage: OpeningStage {
    // Query steps where they may not stand, with what to do instead; `Tests/Misuse` holds the proof.

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func add(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func set(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func add<Value>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func set<Value>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func add<Value>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle
    ) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func set<Value>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle
    ) -> RequestBuilder<QueryStage> { fatalError() }
}

extension RequestBuilder where Stage == BodyStage {
    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func add(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func set(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func add<Value>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func set<Value>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func add<Value>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle
    ) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func set<Value>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle
    ) -> RequestBuilder<QueryStage> { fatalError() }
}

extension RequestBuilder where Stage == HeaderStage {
    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "query steps come before the headers: move this call in front of the first header step"
    )
    public func add(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "query steps come before the headers: move this call in front of the first header step"
    )
    public func set(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "query steps come before the headers: move this call in front of the first header step"
    )
    public func add<Value>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "query steps come before the headers: move this call in front of the first header step"
    )
    public func set<Value>(
        query name: String,
        value: Value?,
        style: FormStyle = .query
    ) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "query steps come before the headers: move this call in front of the first header step"
    )
    public func add<Value>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle
    ) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "query steps come before the headers: move this call in front of the first header step"
    )
    public func set<Value>(
        query name: String,
        value: [Value]?,
        arrays: FormStyle.ArrayStyle
    ) -> RequestBuilder<QueryStage> { fatalError() }
}
