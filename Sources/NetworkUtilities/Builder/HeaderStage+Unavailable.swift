public import Foundation

// What may not be called after the first header, with what to do instead; `Tests/Misuse` holds the proof.

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
    public func add(queryItems: [String: String]) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message: "query steps come before the headers: move this call in front of the first header step"
    )
    public func add(queryItems: [URLQueryItem]) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message:
            "body steps come before the headers: give the body right after post(url:), put(url:), patch(url:) or method(_:url:)"
    )
    public func noBody() -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message:
            "body steps come before the headers: give the body right after post(url:), put(url:), patch(url:) or method(_:url:)"
    )
    public func bodyJson<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message:
            "body steps come before the headers: give the body right after post(url:), put(url:), patch(url:) or method(_:url:)"
    )
    public func bodyForm(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message:
            "body steps come before the headers: give the body right after post(url:), put(url:), patch(url:) or method(_:url:)"
    )
    public func bodyForm<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message:
            "body steps come before the headers: give the body right after post(url:), put(url:), patch(url:) or method(_:url:)"
    )
    public func bodyFormUtf8(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first header.
    @available(
        *,
        unavailable,
        message:
            "body steps come before the headers: give the body right after post(url:), put(url:), patch(url:) or method(_:url:)"
    )
    public func bodyMultipart(
        boundary: MultipartBoundary = .random(),
        _ build: (inout MultipartFormBuilder) throws -> Void
    ) rethrows -> RequestBuilder<QueryStage> { fatalError() }
}
