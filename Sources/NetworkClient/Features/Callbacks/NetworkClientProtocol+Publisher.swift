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
        CallPublisher { receive in receive(try await self.send(endpoint, options: options)) }.eraseToAnyPublisher()
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

extension NetworkClient {
    /// A publisher of the reports of all calls that begin after it got its subscriber; see ``reports``.
    ///
    /// It never fails, finishes when the client is released, and keeps up to 1,000 reports for a slow subscriber. Use
    /// `filter { $0.error != nil && !$0.isCancelled }` for failures alone.
    public var reportPublisher: AnyPublisher<CallReport, Never> {
        Deferred { [weak observers] in
            let reports = observers?.reports()
            return CallPublisher<CallReport> { receive in
                guard let reports else { return }
                for await report in reports { receive(report) }
            }
        }
        .buffer(size: 1_000, prefetch: .keepFull, whenFull: .dropOldest)
        .catch { _ in Empty<CallReport, Never>() }
        .eraseToAnyPublisher()
    }
}

/// Runs an operation for each subscriber, which gets the values that the operation passes on.
private struct CallPublisher<Output: Sendable>: Publisher {
    typealias Failure = any Error
    typealias Operation = @Sendable (_ receive: (Output) -> Void) async throws -> Void

    /// What a subscriber receives.
    enum Event {
        case value(Output)
        case end(Subscribers.Completion<any Error>)
    }

    private let operation: Operation

    init(_ operation: @escaping Operation) {
        self.operation = operation
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
        let receive = { (event: Event) in
            switch event {
            case .value(let output): _ = subscriber.receive(output)
            case .end(let completion): subscriber.receive(completion: completion)
            }
        }
        subscriber.receive(subscription: CallSubscription(operation, receive))
    }
}

/// An operation that begins with the first demand.
private final class CallSubscription<Output: Sendable>: Subscription, Sendable {
    typealias Receive = (CallPublisher<Output>.Event) -> Void

    private struct State {
        /// Nil after the subscriber has received the end or has cancelled.
        var receive: Receive?
        var task: Task<Void, Never>?
    }

    private let operation: CallPublisher<Output>.Operation
    private let state = Locked(State())

    init(_ operation: @escaping CallPublisher<Output>.Operation, _ receive: @escaping Receive) {
        self.operation = operation
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
        let completion: Subscribers.Completion<any Error>
        do {
            try await operation { output in
                let receive = state.withLock { $0.receive }
                receive?(.value(output))
            }
            completion = .finished
        } catch {
            completion = .failure(error)
        }
        // The subscriber may have cancelled when it got the last value.
        take().receive?(.end(completion))
    }

    /// Takes the subscriber out, so that it receives at most one end, and nothing after it has cancelled.
    private func take() -> (receive: Receive?, task: Task<Void, Never>?) {
        state.withLock { state in
            defer { state.receive = nil }
            return (state.receive, state.task)
        }
    }
}
#endif
