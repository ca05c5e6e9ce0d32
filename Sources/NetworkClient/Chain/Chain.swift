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
    /// The last answer, since what interceptors pass on need not know all of it.
    private let last = Locked<TransportResponse?>(nil)

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
    nonisolated(nonsending) func run(_ request: URLRequest) async throws -> TransportResponse {
        do {
            guard !interceptors.isEmpty else { return try await accept(request) }
            let result = try await proceed(request, from: 0)
            settings.log?.end(request, .answered(response: result.response, data: result.data))
            return answer(of: result)
        } catch NetworkClient.Error.apiError(let response, let data) {
            keep(nil)
            settings.log?.end(request, .answered(response: response, data: data))
            throw await mapper.map(ResponseErrorMapper.Info(response: response, data: data))
        } catch {
            keep(nil)
            settings.log?.end(request, .failed(error))
            throw error
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
        keep(answer)
        return (answer.body.data, answer.response)
    }

    /// The answer that interceptors have passed on, or made.
    private func answer(of result: NetworkClient.ChainResult) -> TransportResponse {
        let last = last.withLock { $0 }
        let known = last.flatMap { $0.response === result.response ? $0.head : nil }
        let head = known ?? ResponseHead(result.response, metrics: result.response.metrics ?? last?.metrics)
        // A head that was made anew, with another field perhaps, is of the same answer as long as its status is.
        guard let last, last.body.isStreamed, result.data.isEmpty, last.head.status == head.status else {
            keep(nil)
            return TransportResponse(head: head, body: .whole(result.data))
        }
        return TransportResponse(head: head, body: last.body)
    }

    /// Of bodies that are streamed, only the last is read.
    private func keep(_ answer: TransportResponse?) {
        let previous = last.withLock { last in
            defer { last = answer }
            return last
        }
        if let previous, previous.body.isStreamed { previous.body.channel.cancel() }
    }

    /// An answer whose status is not accepted becomes an error, which is thrown through the interceptors.
    ///
    /// A body of an attempt before is given up first: it may hold the connection that this one waits for.
    private nonisolated(nonsending) func accept(_ request: URLRequest) async throws -> TransportResponse {
        if settings.transportOptions.streamsBody { keep(nil) }
        let log = settings.log?.beginAttempt()
        guard let taker = settings.taker else {
            return try await judged(exchange.perform(request, settings, log), request)
        }
        // The requests that a download makes for the remaining bytes are part of one attempt, like redirects.
        let deadline = Deadline(settings.transportOptions.totalTimeout)
        let answer = try await judged(exchange.perform(taker.prepare(request), settings, log), request)
        do {
            return try await taker.take(answer, to: request) { request in
                var settings = self.settings
                settings.transportOptions.totalTimeout = try deadline.remaining(request)
                return try await self.judged(self.exchange.perform(request, settings, log), request)
            }
        } catch {
            log?.fail(request, error)
            throw Exchange.named(error, request)
        }
    }

    private nonisolated(nonsending) func judged(
        _ answer: TransportResponse,
        _ request: URLRequest
    ) async throws -> TransportResponse {
        let isAccepted = settings.acceptedStatuses.contains(answer.head.status)
        guard !isAccepted, settings.taker?.accepts(answer.head) != true else { return answer }
        let response = answer.response
        let head = ReceivedResponse(response, metrics: answer.metrics, decoder: settings.decoder) ?? response
        throw NetworkClient.Error.apiError(response: head, data: try await errorBody(of: answer, request))
    }

    private func errorBody(of answer: TransportResponse, _ request: URLRequest) async throws -> Data {
        guard answer.body.isStreamed else { return answer.body.data }
        let limit = min(settings.taker?.errorLimit ?? Self.errorLimit, settings.transportOptions.bodyLimit)
        do {
            return try await answer.body.channel.prefix(limit: limit)
        } catch {
            throw Exchange.named(error, request)
        }
    }

    /// Bytes that are kept of the body of an error where bodies are streamed, and may be of any length.
    static let errorLimit = 1 << 20
}
