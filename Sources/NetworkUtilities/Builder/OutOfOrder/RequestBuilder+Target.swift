public import Foundation

// A path without a base URL, and a URL behind one, with what to do instead; `Tests/Misuse` holds the proof.

extension RequestBuilder where Stage == VerbStage {
    /// Not without a base URL.
    @available(
        *,
        unavailable,
        message: "a path needs a base URL: begin with URLRequest.builder(baseURL:), or give the whole URL with url:"
    )
    public func options(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not without a base URL.
    @available(
        *,
        unavailable,
        message: "a path needs a base URL: begin with URLRequest.builder(baseURL:), or give the whole URL with url:"
    )
    public func trace(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not without a base URL.
    @available(
        *,
        unavailable,
        message: "a path needs a base URL: begin with URLRequest.builder(baseURL:), or give the whole URL with url:"
    )
    public func get(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not without a base URL.
    @available(
        *,
        unavailable,
        message: "a path needs a base URL: begin with URLRequest.builder(baseURL:), or give the whole URL with url:"
    )
    public func head(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not without a base URL.
    @available(
        *,
        unavailable,
        message: "a path needs a base URL: begin with URLRequest.builder(baseURL:), or give the whole URL with url:"
    )
    public func delete(path: RequestPath) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not without a base URL.
    @available(
        *,
        unavailable,
        message: "a path needs a base URL: begin with URLRequest.builder(baseURL:), or give the whole URL with url:"
    )
    public func post(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not without a base URL.
    @available(
        *,
        unavailable,
        message: "a path needs a base URL: begin with URLRequest.builder(baseURL:), or give the whole URL with url:"
    )
    public func put(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not without a base URL.
    @available(
        *,
        unavailable,
        message: "a path needs a base URL: begin with URLRequest.builder(baseURL:), or give the whole URL with url:"
    )
    public func patch(path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not without a base URL.
    @available(
        *,
        unavailable,
        message: "a path needs a base URL: begin with URLRequest.builder(baseURL:), or give the whole URL with url:"
    )
    public func method(_ method: HTTPMethod, path: RequestPath) -> RequestBuilder<BodyStage> { fatalError() }
}

extension RequestBuilder where Stage == PathVerbStage {
    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func options(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func trace(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func connect(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func get(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func head(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func delete(url: URL) -> RequestBuilder<QueryStage> { fatalError() }

    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func post(url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func put(url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func patch(url: URL) -> RequestBuilder<BodyStage> { fatalError() }

    /// Not behind a base URL.
    @available(
        *,
        unavailable,
        message: "this builder has a base URL: give a path with path:, or begin with URLRequest.build() for another URL"
    )
    public func method(_ method: HTTPMethod, url: URL) -> RequestBuilder<BodyStage> { fatalError() }
}
