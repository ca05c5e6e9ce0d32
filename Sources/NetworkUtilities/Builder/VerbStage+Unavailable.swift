public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// What may not be called before a method is chosen, with what to do instead; `Tests/Misuse` holds the proof.

extension RequestBuilder where Stage == VerbStage {
    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func build() -> URLRequest { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func add(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func set(query name: String, value: String?) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func add(queryItems: [String: String]) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func add(queryItems: [URLQueryItem]) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func add(header: HeaderField) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func set(header: HeaderField) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func add(headers: [HeaderField]) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func set(headers: [HeaderField]) -> RequestBuilder<HeaderStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func noBody() -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func bodyJson<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func bodyForm(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func bodyForm<Value: Encodable>(of value: Value) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func bodyFormUtf8(params: Params) throws -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message:
            "choose a method first: get(url:), post(url:), put(url:), patch(url:), delete(url:), head(url:) or method(_:url:)"
    )
    public func bodyMultipart(
        boundary: MultipartBoundary = .random(),
        _ build: (inout MultipartFormBuilder) throws -> Void
    ) rethrows -> RequestBuilder<QueryStage> { fatalError() }
}
