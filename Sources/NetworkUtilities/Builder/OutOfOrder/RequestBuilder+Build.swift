#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

// `build()` before the request is complete, with what to do instead; `Tests/Misuse` holds the proof.

extension RequestBuilder where Stage: OpeningStage {
    /// Not before a method is chosen.
    @available(
        *,
        unavailable,
        message: "choose a method first: get, post, put, patch, delete, head or method, with a url: or a path:"
    )
    public func build() -> URLRequest { fatalError() }
}

extension RequestBuilder where Stage == BodyStage {
    /// Not before the body step.
    @available(
        *,
        unavailable,
        message: "this method needs a body step first: bodyJson(of:), bodyForm(params:), bodyMultipart(_:) or noBody()"
    )
    public func build() -> URLRequest { fatalError() }
}
