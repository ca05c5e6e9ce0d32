import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The way of one call, in its order: the one place where that order stands.
///
///     error mapper → interceptors in turn → status accepted? → cookies → sharing → redirects → transport
///
/// A class, so that each step of the walk captures one reference and an index: an interceptor costs no allocation.
final class Chain: Sendable {
    private let interceptors: [any InterceptorProtocol]
    private let exchange: Exchange
    private let settings: CallSettings
    private let mapper: ResponseErrorMapper
    private let state = Locked(State())

    private struct State {
        /// The last accepted response, since what interceptors pass on does not have all of it.
        var last: TransportResponse?
        /// The heads of earlier responses whose streamed bodies were given up when the request was sent again.
        var givenUp: [HTTPURLResponse] = []
        /// Made with the first error.
        var mark: CallMark?
    }

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
            let answer = try answer(of: result)
            settings.log?.end(request, .answered(response: result.response, data: result.data))
            return answer
        } catch NetworkClient.Error.apiError(let response, let data) where isOfThisCall(response) {
            keep(nil)
            settings.log?.end(request, .answered(response: response, data: data))
            throw await mapper.map(ResponseErrorMapper.Info(response: response, data: data))
        } catch {
            keep(nil)
            settings.log?.end(request, .init(of: error))
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

    /// The response that interceptors have passed on, or made.
    private func answer(of result: NetworkClient.ChainResult) throws -> TransportResponse {
        let (last, givenUp) = state.withLock { ($0.last, $0.givenUp) }
        let response = result.response
        guard !result.data.isEmpty || !givenUp.contains(where: { $0 === response }) else {
            let detail = "the body of this response was given up when an interceptor sent the request again"
            throw NetworkClient.Error.requestError(type: TransportError(.bodyNotReplayable, detail: detail))
        }
        // A response that was made anew, with another field perhaps, stands for the last one if it has its status.
        let isLast = last?.response === response
        let standsForLast = isLast || last?.head.status == response.statusCode
        // So does what a cache made of a 304 (RFC 9111 §4.3.3), except for the body.
        let isOfTheServer = standsForLast || last?.head.status == 304
        let metrics = response.metrics ?? (isOfTheServer ? last?.metrics : nil)
        let known = isLast ? last?.head : nil
        let head = known ?? ResponseHead(response, metrics: metrics)
        guard let last, standsForLast, last.body.isStreamed, result.data.isEmpty else {
            keep(nil)
            return TransportResponse(head: head, body: .whole(result.data))
        }
        return TransportResponse(head: head, body: last.body)
    }

    /// Remembers a response, and gives up the one before: of bodies that are streamed, only the last is read.
    private func keep(_ answer: TransportResponse?) {
        let previous = state.withLock { state in
            defer { state.last = answer }
            if let last = state.last, last.body.isStreamed { state.givenUp.append(last.response) }
            return state.last
        }
        if let previous, previous.body.isStreamed { previous.body.channel.cancel() }
    }

    /// Whether an error is about a response that this call did not accept, and not about one of another call, which an
    /// interceptor passes on.
    private func isOfThisCall(_ response: HTTPURLResponse) -> Bool {
        guard let mark = (response as? ReceivedResponse)?.call else { return false }
        return state.withLock { $0.mark } === mark
    }

    private var mark: CallMark {
        state.withLock { state in
            let mark = state.mark ?? CallMark()
            state.mark = mark
            return mark
        }
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
            throw Exchange.named(error, request.url)
        }
    }

    private nonisolated(nonsending) func judged(
        _ answer: TransportResponse,
        _ request: URLRequest
    ) async throws -> TransportResponse {
        let isAccepted = settings.acceptedStatuses.contains(answer.head.status)
        guard !isAccepted, settings.taker?.accepts(answer.head) != true else {
            // Of a shared exchange that another caller began, who does not accept this status.
            guard answer.body.isCut else { return answer }
            let limit = settings.transportOptions.bodyLimit
            throw NetworkClient.Error.requestError(type: TransportError(tooLargeBody: limit, request: request))
        }
        let response = answer.response
        let head = ReceivedResponse(response, metrics: answer.metrics, decoder: settings.decoder, call: mark)
        let data = try await errorBody(of: answer, request)
        throw NetworkClient.Error.apiError(response: head ?? response, data: data)
    }

    private func errorBody(of answer: TransportResponse, _ request: URLRequest) async throws -> Data {
        guard answer.body.isStreamed else { return answer.body.data }
        let limit = min(settings.taker?.errorLimit ?? Self.errorLimit, settings.transportOptions.bodyLimit)
        do {
            return try await answer.body.channel.prefix(limit: limit)
        } catch {
            throw Exchange.named(error, request.url)
        }
    }

    /// Bytes that are kept of the body of an error where bodies are streamed, and may be of any length.
    static let errorLimit = 1 << 20
}
