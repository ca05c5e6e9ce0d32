extension RequestBuilder where Stage: OpeningStage {
    // Steps for several query items where they may not stand; `Tests/Misuse` holds the proof.

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func add<Items>(queryItems: Items, style: FormStyle = .query) -> RequestBuilder<QueryStage> {
        fatalError()
    }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func set<Items>(queryItems: Items, style: FormStyle = .query) -> RequestBuilder<QueryStage> {
        fatalError()
    }
}

extension RequestBuilder where Stage == BodyStage {
    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func add<Items>(queryItems: Items, style: FormStyle = .query) -> RequestBuilder<QueryStage> {
        fatalError()
    }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func set<Items>(queryItems: Items, style: FormStyle = .query) -> RequestBuilder<QueryStage> {
        fatalError()
    }
}

extension RequestBuilder where Stage == HeaderStage {
    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "query steps come before the headers: move this call in front of the first header step"
    )
    public func add<Items>(queryItems: Items, style: FormStyle = .query) -> RequestBuilder<QueryStage> {
        fatalError()
    }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "query steps come before the headers: move this call in front of the first header step"
    )
    public func set<Items>(queryItems: Items, style: FormStyle = .query) -> RequestBuilder<QueryStage> {
        fatalError()
    }
}
