extension NetworkClientProtocol {
    /// Returns the pages of a list, of which each says where the next one is.
    ///
    /// ```swift
    /// let pages = try client.pages(
    ///     .get(path: "items").add(query: "per_page", value: 100), as: [Item].self
    /// )
    /// for try await item in pages.items { print(item.name) }
    /// ```
    /// Nothing is sent before the first page is awaited; errors of the builder are those of the first page.
    ///
    /// - Parameters:
    ///   - request: The request for the first page, at any stage that can be built.
    ///   - type: The type of a page.
    ///   - next: How the request for the next page is made.
    ///   - limit: The number of pages after which the sequence fails, for servers that never end; more than 0.
    ///   - allowsOtherOrigins: Whether pages may have another origin than the first one. They are requested without
    ///     fields that belong to an origin, and without the body of the page before.
    ///   - options: The settings of each call that differ from the client's configuration.
    /// - Returns: The pages.
    public func pages<D: Decodable & Sendable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type,
        next: NextPage<D> = .links,
        limit: Int = 10_000,
        allowsOtherOrigins: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Pages<D> {
        let made = made(request)
        return pages(call(RetypedEndpoint<D>(made, options), made, next), limit, allowsOtherOrigins)
    }

    /// Returns the pages of a list whose first one an endpoint requests; a page is the endpoint's value.
    ///
    /// Otherwise behaves like ``pages(_:as:next:limit:allowsOtherOrigins:options:)``.
    public func pages<E: Endpoint>(
        _ endpoint: E,
        next: NextPage<E.Value> = .links,
        limit: Int = 10_000,
        allowsOtherOrigins: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Pages<E.Value> {
        let made = Result { try endpoint.request(from: request) }
        return pages(call(AdaptedEndpoint(endpoint, options), made, next), limit, allowsOtherOrigins)
    }

    /// Returns the pages of a list, of which each is requested by an endpoint that is made from the page before it.
    ///
    /// ```swift
    /// let pages = client.pages(ItemAt(id: 1)) { page in
    ///     page.item.id < 9 ? ItemAt(id: page.item.id + 1) : nil
    /// }
    /// ```
    /// Otherwise behaves like ``pages(_:as:next:limit:allowsOtherOrigins:options:)``.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint that requests the first page.
    ///   - limit: The number of pages after which the sequence fails; more than 0.
    ///   - allowsOtherOrigins: Whether pages may have another origin than the first one.
    ///   - options: The settings of each call that differ from the endpoint's.
    ///   - next: Makes the endpoint of the next page; returns nil after the last page. Its errors end the sequence.
    /// - Returns: The pages.
    public func pages<E: Endpoint>(
        _ endpoint: E,
        limit: Int = 10_000,
        allowsOtherOrigins: Bool = false,
        options: CallOptions = CallOptions(),
        next: @escaping @Sendable (NetworkClient.Response<E.Value>) throws -> E?
    ) -> Pages<E.Value> {
        pages(call(endpoint, options, next), limit, allowsOtherOrigins)
    }

    private func pages<Value>(_ first: PageCall<Value>, _ limit: Int, _ allowsOtherOrigins: Bool) -> Pages<Value> {
        let client = underlyingClient
        let rules = PageRules(
            limit: limit,
            allowsOtherOrigins: allowsOtherOrigins && client?.transport.defaults.reachesOneServer != true
        )
        return Pages(first: first, rules: rules, calls: client?.calls)
    }

    /// Returns a request whose relative URL is resolved, so that its origin is known.
    private func absolute(_ relative: URLRequest) -> URLRequest {
        guard let url = relative.url, url.scheme == nil, let base = request.method(.get).noBody().build().url,
            base.scheme != nil, let resolved = try? RequestPath.resolve(url, against: base)
        else { return relative }
        var request = relative
        request.url = resolved
        return request
    }

    /// Returns the call for a page that is requested by an endpoint, as are all that follow, with other requests.
    private func call<E: Endpoint>(
        _ endpoint: E,
        _ made: Result<URLRequest, any Error>,
        _ next: NextPage<E.Value>
    ) -> PageCall<E.Value> {
        PageCall(request: made.map(absolute), sender: sender(endpoint)) { page, request in
            try next.request(page, request).map { self.call(endpoint, .success($0), next) }
        }
    }

    private func call<E: Endpoint>(
        _ endpoint: E,
        _ options: CallOptions,
        _ next: @escaping @Sendable (NetworkClient.Response<E.Value>) throws -> E?
    ) -> PageCall<E.Value> {
        let made = Result { absolute(try endpoint.request(from: request)) }
        let sender = sender(AdaptedEndpoint(endpoint, options))
        // A mock knows the endpoint by its type.
        let own: PageCall<E.Value>.Send = { made, ofPage in
            ofPage.series?.hasLeftOrigin == true
                ? try await sender(made, ofPage) : try await self.send(endpoint, options: options)
        }
        return PageCall(request: made, sender: underlyingClient == nil ? own : sender) { page, _ in
            try next(page).map { self.call($0, options, next) }
        }
    }

    private func sender<E: Endpoint>(_ endpoint: E) -> PageCall<E.Value>.Send {
        { made, options in try await self.send(AdaptedEndpoint(endpoint, options, made: made)) }
    }
}

// As in `NetworkClientProtocol+WrongCalls.swift`: the definite stage makes the compiler name a step that doesn't exist.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
@available(*, unavailable, message: "this request is not complete: give it a body step, such as noBody()")
extension NetworkClientProtocol {
    public func pages<D: Decodable>(
        _ request: @autoclosure () throws -> RequestBuilder<BodyStage>,
        as type: D.Type,
        next: NextPage<D> = .links,
        limit: Int = 10_000,
        allowsOtherOrigins: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Pages<D> { fatalError() }
}
