import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The way of one call, in its order: the one place where that order stands.
///
///     error mapper → interceptors in turn → status accepted? → sharing → redirects → transport
///
/// A class, so that each step of the walk captures one reference and an index: an interceptor costs no allocation.
final class Chain: Sendable {
    private let interceptors: [any InterceptorProtocol]
    private let exchange: Exchange
    private let settings: CallSettings
    private let mapper: ResponseErrorMapper
    /// How the last exchange went, since a response that interceptors pass on need not know.
    private let metrics = Locked<TransportMetrics?>(nil)

    init(
        interceptors: [any InterceptorProtocol],
        exchange: Exchange,
        settings: CallSettings,
        mapper: ResponseErrorMapper
    ) {
        self.interceptors = interceptors
        self.exchange = exchange
        self.settings = settings
        self.mapper = mapper
    }

    /// Outermost: interceptors see the library's errors, the caller sees what the mapper makes of them.
    func run(_ request: URLRequest) async throws -> TransportResponse {
        do {
            guard !interceptors.isEmpty else { return try await accept(request) }
            let (data, response) = try await proceed(request, from: 0)
            let metrics = response.metrics ?? metrics.withLock { $0 }
            return TransportResponse(response: response, data: data, metrics: metrics)
        } catch NetworkClient.Error.apiError(let response, let data) {
            throw await mapper.map(ResponseErrorMapper.Info(response: response, data: data))
        }
    }

    /// The interceptors from `index` on, and then the server.
    ///
    /// Two of them for each call of this function, and on the caller's executor: both spare a part of the time and of
    /// the stack that an interceptor takes.
    private nonisolated(nonsending) func proceed(
        _ request: URLRequest,
        from index: Int
    ) async throws -> NetworkClient.ChainResult {
        guard index < interceptors.count else { return result(try await accept(request)) }
        let (second, third) = (index + 1, index + 2)
        let first = interceptors[index]
        return try await first.process(request) { request in
            guard second < self.interceptors.count else { return self.result(try await self.accept(request)) }
            return try await self.interceptors[second].process(request) { request in
                try await self.proceed(request, from: third)
            }
        }
    }

    /// What interceptors are given of an answer.
    private func result(_ answer: TransportResponse) -> NetworkClient.ChainResult {
        metrics.withLock { $0 = answer.metrics }
        return (answer.body.data, answer.response)
    }

    /// An answer whose status is not accepted becomes an error, which is thrown through the interceptors.
    private nonisolated(nonsending) func accept(_ request: URLRequest) async throws -> TransportResponse {
        let answer = try await exchange.perform(request, settings)
        guard settings.acceptedStatuses.contains(answer.head.status) else {
            let response = answer.response
            let head = ReceivedResponse(response, metrics: answer.metrics, decoder: settings.decoder) ?? response
            throw NetworkClient.Error.apiError(response: head, data: answer.body.data)
        }
        return answer
    }
}
