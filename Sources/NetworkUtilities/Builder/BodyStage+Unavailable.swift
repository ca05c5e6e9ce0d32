public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

// What may not be called before the body step, with what to do instead; `Tests/Misuse` holds the proof.

extension RequestBuilder where Stage == BodyStage {
    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func build() -> URLRequest { fatalError() }

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
    public func add(queryItems: [String: String]) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func add(queryItems: [URLQueryItem]) -> RequestBuilder<QueryStage> { fatalError() }

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
}
