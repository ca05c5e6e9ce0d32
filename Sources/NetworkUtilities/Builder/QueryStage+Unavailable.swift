extension RequestBuilder where Stage == QueryStage {
    // What may not be called here, with what to do instead; `Tests/Misuse` holds the proof.

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post(url:), put(url:), patch(url:) or method(_:url:); GET, HEAD and DELETE carry no body"
    )
    public func noBody() -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post(url:), put(url:), patch(url:) or method(_:url:); GET, HEAD and DELETE carry no body"
    )
    public func bodyJson<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post(url:), put(url:), patch(url:) or method(_:url:); GET, HEAD and DELETE carry no body"
    )
    public func bodyForm(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post(url:), put(url:), patch(url:) or method(_:url:); GET, HEAD and DELETE carry no body"
    )
    public func bodyForm<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post(url:), put(url:), patch(url:) or method(_:url:); GET, HEAD and DELETE carry no body"
    )
    public func bodyFormUtf8(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post(url:), put(url:), patch(url:) or method(_:url:); GET, HEAD and DELETE carry no body"
    )
    public func bodyMultipart(
        boundary: MultipartBoundary = .random(),
        _ build: (inout MultipartFormBuilder) throws -> Void
    ) rethrows -> RequestBuilder<QueryStage> { fatalError() }
}
