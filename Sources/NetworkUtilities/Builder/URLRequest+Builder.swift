extension URLRequest {
    /// A builder at its first stage.
    public typealias Builder = RequestBuilder<VerbStage>

    /// A builder with a base URL, at its first stage.
    public typealias PathBuilder = RequestBuilder<PathVerbStage>

    /// A builder that needs a body step.
    public typealias BodyBuilder = RequestBuilder<BodyStage>

    /// A builder that accepts query items; it can be used where a ``HeaderBuilder`` or ``ResultBuilder`` is expected.
    public typealias QueryBuilder = RequestBuilder<QueryStage>

    /// A builder that accepts header fields.
    public typealias HeaderBuilder = any HeaderBuilding

    /// A builder that can create its request.
    public typealias ResultBuilder = any ResultBuilding

    /// Begins a request.
    public static func build() -> Builder { builder(options: .standard) }

    /// Begins a request.
    public static func builder() -> Builder { build() }

    /// Begins a request whose bodies are encoded with custom encoders; nil for the default ones.
    public static func builder(with options: URLRequestBuilderOptions?) -> Builder {
        builder(options: options ?? URLRequestBuilderOptions())
    }

    /// Begins a request whose bodies are encoded with custom encoders.
    public static func builder(options: URLRequestBuilderOptions) -> Builder {
        RequestBuilder(RequestDraft(options: options))
    }

    /// Begins requests to paths below one URL.
    ///
    /// ```swift
    /// let api = URLRequest.builder(baseURL: URL(string: "https://api.example.com/v1")!)
    /// let posts = try api.get(path: "/users/\(42)/posts").build()
    /// // https://api.example.com/v1/users/42/posts
    /// ```
    /// The base URL may end in a `/`. Its query and fragment are kept.
    public static func builder(baseURL: URL, options: URLRequestBuilderOptions = .init()) -> PathBuilder {
        RequestBuilder(RequestDraft(options: options, baseURL: baseURL))
    }
}
