extension NetworkClientProtocol {
    /// Starts to send the request of an endpoint, and calls a closure with the outcome.
    ///
    /// ```swift
    /// let call = try client.start(.get(path: "items/1"), as: Item.self) { result in
    ///     print((try? result.get().item.name) ?? "failed")
    /// }
    /// call.cancel()
    /// ```
    /// The closure is called exactly once, on the main actor. After a cancellation, its argument is a
    /// `CancellationError`.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - options: The settings that differ from the endpoint's for this call.
    ///   - completion: Receives the response, or the error that `send` would throw.
    /// - Returns: The task of the call; cancel it to cancel the call. Releasing the task does not cancel the call.
    @discardableResult
    public func start<E: Endpoint>(
        _ endpoint: E,
        options: CallOptions = CallOptions(),
        completion: @escaping @MainActor @Sendable (Result<NetworkClient.Response<E.Value>, any Error>) -> Void
    ) -> Task<Void, Never> {
        // Cancelled by the caller, who holds the task.
        Task {
            let outcome: Result<NetworkClient.Response<E.Value>, any Error>
            do {
                outcome = .success(try await send(endpoint, options: options))
            } catch {
                outcome = .failure(error)
            }
            // The task may have been cancelled while it waited for the main actor.
            await MainActor.run { completion(Task.isCancelled ? .failure(CancellationError()) : outcome) }
        }
    }

    /// Builds a request and starts to send it, and calls a closure with the decoded response or the error.
    ///
    /// The mark `try` belongs to the request; `start` itself never throws. In a closure that must not throw, such as
    /// the action of a button, write `_ = try? client.start(…)`.
    ///
    /// - Parameters:
    ///   - request: A builder at any stage that can be built. One that begins with a bare verb has the client's base
    ///     URL and its encoders; an error of the builder is the outcome of the call.
    ///   - type: The type of the value: a model, `Data`, `String`, `Bool` or ``EmptyResponse``.
    ///   - options: The settings that differ from the client's configuration.
    ///   - completion: Called once, on the main actor, with the response or the error.
    /// - Returns: The task of the call; cancel it to cancel the call. Releasing the task does not cancel the call.
    @discardableResult
    public func start<D: Decodable & Sendable>(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type,
        options: CallOptions = CallOptions(),
        completion: @escaping @MainActor @Sendable (Result<NetworkClient.Response<D>, any Error>) -> Void
    ) -> Task<Void, Never> {
        start(RetypedEndpoint<D>(made(request), options), completion: completion)
    }

    /// Builds a request and starts to send it, and calls a closure with the response, whose body is ignored, or the
    /// error.
    ///
    /// For example `try client.start(.delete(path: "items/1")) { result in … }`. Otherwise behaves like
    /// ``start(_:as:options:completion:)``.
    @discardableResult
    public func start(
        _ request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        options: CallOptions = CallOptions(),
        completion: @escaping @MainActor @Sendable (Result<NetworkClient.Response<EmptyResponse>, any Error>) -> Void
    ) -> Task<Void, Never> {
        start(RetypedEndpoint<EmptyResponse>(made(request), options), completion: completion)
    }
}
