public import Foundation

// A second method, with what to do instead; `Tests/Misuse` holds the proof.

extension RequestBuilder where Stage: CompleteStage {
    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func options(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func trace(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func connect(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func options(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func trace(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func get(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func head(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func delete(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func post(url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func put(url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func patch(url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func method(_ method: HTTPMethod, url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func get(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func head(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func delete(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func post(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func put(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func patch(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func method(_ method: HTTPMethod, path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }
}

extension RequestBuilder where Stage == BodyStage {
    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func options(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func trace(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func connect(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func options(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func trace(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func get(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func head(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func delete(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func post(url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func put(url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func patch(url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func method(_ method: HTTPMethod, url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func get(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func head(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func delete(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func post(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func put(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func patch(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not after the first method.
    @available(*, unavailable, message: "a request has one method: begin another request with URLRequest.build()")
    public func method(_ method: HTTPMethod, path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }
}
