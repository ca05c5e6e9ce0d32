public import Foundation

extension RequestBuilder where Stage: OpeningStage {
    // Body steps where they may not stand, with what to do instead; `Tests/Misuse` holds the proof.

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func noBody() -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyJson<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyForm(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyForm<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyForm(items: [URLQueryItem]) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyFormUtf8(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyMultipart(
        boundary: MultipartBoundary = .random(),
        _ build: (inout MultipartFormBuilder) throws -> Void
    ) rethrows -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func bodyMultipart(_ form: MultipartForm) -> RequestBuilder<QueryStage> { fatalError() }
}

extension RequestBuilder where Stage == QueryStage {
    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func noBody() -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyJson<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyForm(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyForm<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyForm(items: [URLQueryItem]) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyFormUtf8(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyMultipart(
        boundary: MultipartBoundary = .random(),
        _ build: (inout MultipartFormBuilder) throws -> Void
    ) rethrows -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the body step, nor where the method carries no body.
    @available(
        *,
        unavailable,
        message:
            "a body step is not possible here: a body is given once, right after post, put, patch or method; GET, HEAD and DELETE carry no body"
    )
    public func bodyMultipart(_ form: MultipartForm) -> RequestBuilder<QueryStage> { fatalError() }
}

extension RequestBuilder where Stage == HeaderStage {
    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func noBody() -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyJson<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyForm(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyForm<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyForm(items: [URLQueryItem]) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyFormUtf8(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyMultipart(
        boundary: MultipartBoundary = .random(),
        _ build: (inout MultipartFormBuilder) throws -> Void
    ) rethrows -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "body steps come before the headers: give the body right after post, put, patch or method"
    )
    public func bodyMultipart(_ form: MultipartForm) -> RequestBuilder<QueryStage> { fatalError() }
}
