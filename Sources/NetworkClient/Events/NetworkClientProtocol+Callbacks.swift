#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension NetworkClientProtocol {
    /// Starts to send the request of an endpoint, and calls a closure with the outcome.
    ///
    /// ```swift
    /// let call = client.start(request, as: Item.self) { result in
    ///     print((try? result.get().item.name) ?? "failed")
    /// }
    /// call.cancel()
    /// ```
    /// The closure is called exactly once, on the main actor. It gets a `CancellationError` after a cancellation.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - completion: Gets the response, or the error that `send` would throw.
    /// - Returns: The task of the call, which cancels it; releasing the task does not cancel it.
    @discardableResult
    public func start<E: Endpoint>(
        _ endpoint: E,
        completion: @escaping @MainActor @Sendable (Result<NetworkClient.Response<E.Value>, any Error>) -> Void
    ) -> Task<Void, Never> {
        // Cancelled by the caller, who gets it.
        Task {
            let outcome: Result<NetworkClient.Response<E.Value>, any Error>
            do {
                outcome = .success(try await send(endpoint))
            } catch {
                outcome = .failure(error)
            }
            // It may have been cancelled while it waited for the main actor.
            await MainActor.run { completion(Task.isCancelled ? .failure(CancellationError()) : outcome) }
        }
    }

    /// Starts to send a request, and calls a closure with the decoded response or the error.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - type: The type of the value: a model, `Data`, `String`, `Bool` or ``EmptyResponse``.
    ///   - options: The settings that differ from the client's configuration.
    ///   - completion: As in the overload with an endpoint.
    /// - Returns: The task of the call, which cancels it; releasing the task does not cancel it.
    @discardableResult
    public func start<D: Decodable & Sendable>(
        _ request: URLRequest,
        as type: D.Type,
        options: CallOptions = CallOptions(),
        completion: @escaping @MainActor @Sendable (Result<NetworkClient.Response<D>, any Error>) -> Void
    ) -> Task<Void, Never> {
        start(RetypedEndpoint<D>(options) { _ in request }, completion: completion)
    }
}
