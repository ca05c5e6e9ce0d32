extension RequestBuilder where Stage: OpeningStage {
    // Header steps where they may not stand, with what to do instead; `Tests/Misuse` holds the proof.

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func add(header: HeaderField) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func set(header: HeaderField) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func add(headers: [HeaderField]) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func set(headers: [HeaderField]) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func headers(
        @HeaderFieldsBuilder _ fields: () throws -> [HeaderField]
    ) rethrows -> RequestBuilder<HeaderStage> { fatalError() }
}

extension RequestBuilder where Stage == BodyStage {
    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func add(header: HeaderField) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func set(header: HeaderField) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func add(headers: [HeaderField]) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func set(headers: [HeaderField]) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func headers(
        @HeaderFieldsBuilder _ fields: () throws -> [HeaderField]
    ) rethrows -> RequestBuilder<HeaderStage> { fatalError() }
}
