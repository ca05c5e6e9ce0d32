#if canImport(Combine)
public import Combine

extension NetworkClientProtocol {
    /// Returns a publisher that sends the request of an endpoint for each of its subscribers.
    ///
    /// Nothing is sent before a subscriber demands a value. The publisher emits one response and finishes, or fails
    /// with the error that `send` would throw. Cancelling the subscription cancels the call, and nothing is emitted.
    /// Values arrive on any thread: use `receive(on:)` for a particular one.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - options: The settings that differ from the endpoint's for this call.
    /// - Returns: The publisher.
    public func publisher<E: Endpoint>(
        for endpoint: E,
        options: CallOptions = CallOptions()
    ) -> AnyPublisher<NetworkClient.Response<E.Value>, any Error> {
        CallPublisher { try await self.send(endpoint, options: options) }.eraseToAnyPublisher()
    }

    /// Returns a publisher that sends a request for each of its subscribers, like the overload with an endpoint.
    ///
    /// - Parameters:
    ///   - request: A builder at any stage that can be built. One that begins with a bare verb has the client's base
    ///     URL and its encoders; if the builder throws an error, each call fails with it.
    ///   - type: The type of the value: a model, `Data`, `String` or `Bool`; by default the body is ignored.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The publisher.
    public func publisher<D: Decodable & Sendable>(
        for request: @autoclosure () throws -> RequestBuilder<some CompleteStage>,
        as type: D.Type = EmptyResponse.self,
        options: CallOptions = CallOptions()
    ) -> AnyPublisher<NetworkClient.Response<D>, any Error> {
        publisher(for: RetypedEndpoint<D>(made(request), options))
    }
}

/// Makes one call for each subscriber.
private struct CallPublisher<Output: Sendable>: Publisher {
    typealias Failure = any Error

    let call: @Sendable () async throws -> Output

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
        let receive = { (outcome: Result<Output, any Error>) in
            switch outcome {
            case .success(let output):
                _ = subscriber.receive(output)
                // The subscriber may have cancelled when it got the value.
                if !Task.isCancelled { subscriber.receive(completion: .finished) }
            case .failure(let error):
                subscriber.receive(completion: .failure(error))
            }
        }
        subscriber.receive(subscription: CallSubscription(call, receive))
    }
}

/// A call that begins with the first demand.
private final class CallSubscription<Output: Sendable>: Subscription, Sendable {
    private struct State {
        /// Nil after the subscriber has received the outcome or has cancelled.
        var receive: ((Result<Output, any Error>) -> Void)?
        var task: Task<Void, Never>?
    }

    private let call: @Sendable () async throws -> Output
    private let state = Locked(State())

    init(
        _ call: @escaping @Sendable () async throws -> Output,
        _ receive: @escaping (Result<Output, any Error>) -> Void
    ) {
        self.call = call
        state.withLock { $0.receive = receive }
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        state.withLock { state in
            guard state.receive != nil, state.task == nil else { return }
            // Cancelled by `cancel`.
            state.task = Task { await self.run() }
        }
    }

    func cancel() {
        let (receive, task) = take()
        task?.cancel()
        // Released outside the lock, since releasing the subscriber may run any code.
        withExtendedLifetime(receive) {}
    }

    private func run() async {
        let outcome: Result<Output, any Error>
        do { outcome = .success(try await call()) } catch { outcome = .failure(error) }
        take().receive?(outcome)
    }

    /// Takes the subscriber out, so that it receives at most one outcome, and none after it has cancelled.
    private func take() -> (receive: ((Result<Output, any Error>) -> Void)?, task: Task<Void, Never>?) {
        state.withLock { state in
            defer { state.receive = nil }
            return (state.receive, state.task)
        }
    }
}
#endif
