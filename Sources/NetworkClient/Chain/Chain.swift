import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The path of one call from its prepared request to its undecoded response.
///
///     error mapper → interceptors → status accepted? → cookies → sharing → redirects → wire log → transport
///     run            proceed        attempt            exchange             follow
///
/// Each step contains those to its right, and the response passes them from right to left: `accepted` judges its status
/// before the interceptors get it. An exchange has several hops if redirects are followed. Each hop is one request to
/// the transport: it has the cookies for its own URL and its own record in the log.
///
/// All functions run on the caller's executor: every change of the executor costs time, even one to the same executor.
/// A class, so that the closures for the interceptors capture one reference and an index, without an allocation.
final class Chain: Sendable {
    let interceptors: [any InterceptorProtocol]
    /// The first interceptor, if it only limits the time of the call.
    private let limit: (any CallLimit)?
    private let transport: any Transport
    private let sharing: SharedExchanges
    let settings: CallSettings
    private let mapper: ResponseErrorMapper
    let state = Locked(State())
    let start: Double
    /// Whether attempts are recorded; otherwise there is one, and the metrics of its response tell when it ended.
    let recordsSteps: Bool

    struct State {
        /// The last accepted response, which is kept because interceptors see and return only a part of it.
        var lastResponse: TransportResponse?
        /// The head of the response that the call does not accept.
        var refused: ResponseHead?
        /// The heads of responses whose streamed bodies were given up when the request was sent again.
        var givenUpHeads: [HTTPURLResponse] = []
        /// The heads of accepted responses before the last one, of which an interceptor may return any.
        var earlierHeads: [ResponseHead] = []
        /// Identifies the errors of this call; created with the first of them.
        var mark: CallMark?
        /// What has happened so far.
        var steps: [CallJourney.Step] = []
        var attempts = 0
        /// What interceptors keep for all attempts of the call.
        var kept: [ObjectIdentifier: any Sendable] = [:]
    }

    init(
        interceptors: [any InterceptorProtocol],
        limit: (any CallLimit)? = nil,
        transport: any Transport,
        sharing: SharedExchanges,
        settings: CallSettings,
        mapper: ResponseErrorMapper,
        isObserved: Bool = false
    ) {
        self.interceptors = interceptors
        self.limit = limit
        self.transport = transport
        self.sharing = sharing
        self.settings = settings
        self.mapper = mapper
        recordsSteps = isObserved || !interceptors.isEmpty
        start = settings.time.now
    }

    /// Sends the request of the call; interceptors see the library's errors, and the caller those of the error mapper.
    nonisolated(nonsending) func run(_ request: URLRequest) async throws -> TransportResponse {
        do {
            // Without interceptors, the log has the record of each hop, and needs none of the call.
            guard !interceptors.isEmpty else { return noted(try await attempt(request)) }
            let context = RequestContext(self)
            let result = try await (limit?.limited(context, from: start) ?? context).run {
                try await proceed(request, from: limit == nil ? 0 : 1)
            }
            let response = try response(for: result)
            settings.log?.end(request, .answered(response: result.response, data: result.data))
            return noted(response)
        } catch NetworkClient.Error.apiError(let response, let data) where isOfThisCall(response) {
            refuse(response)
            settings.log?.end(request, .answered(response: response, data: data))
            throw await mapper.map(ResponseErrorMapper.Info(response: response, data: data))
        } catch {
            let error = limit?.explained(error, request, RequestContext(self), from: start) ?? error
            setLastResponse(nil)
            settings.log?.end(request, .init(of: error))
            throw error
        }
    }

    /// Passes the request to the interceptors from `index` on, and then to the server.
    ///
    /// Runs two interceptors per recursion, which halves the async frames per interceptor.
    private nonisolated(nonsending) func proceed(
        _ request: URLRequest,
        from index: Int
    ) async throws -> NetworkClient.ChainResult {
        guard index < interceptors.count else { return chainResult(of: try await attempt(request)) }
        let (second, third) = (index + 1, index + 2)
        let first = interceptors[index]
        return try await first.process(request) { request in
            guard second < self.interceptors.count else { return self.chainResult(of: try await self.attempt(request)) }
            return try await self.interceptors[second].process(request) { request in
                try await self.proceed(request, from: third)
            }
        }
    }

    /// Makes one attempt to get an accepted response, and wraps its errors: the one place that does.
    ///
    /// An attempt is one exchange, or several if a body writer asks for bytes that the first response lacks; like the
    /// hops of redirects they share the total timeout.
    private nonisolated(nonsending) func attempt(_ request: URLRequest) async throws -> TransportResponse {
        // A streamed body of an earlier attempt may hold the connection that this attempt waits for.
        if settings.transportOptions.streamsBody { setLastResponse(nil) }
        let log = settings.log?.beginAttempt()
        do {
            let response = try await deliver(request, beginAttempt(request), log)
            record(.response, "", number: Double(response.head.status))
            return response
        } catch {
            let error = NetworkClient.Error.wrapping(error, request.url)
            recordFailure(error)
            throw error
        }
    }

    /// Returns the limits of an attempt, those of the call and the deadline of an interceptor, and records the attempt
    /// unless the deadline has passed.
    private func beginAttempt(_ request: URLRequest) throws -> TransportOptions {
        var options = settings.transportOptions
        guard recordsSteps else { return options }
        let now = now
        // Without interceptors the context is that of a call around this one.
        if !interceptors.isEmpty, let remaining = RequestContext.current.remainingTime(at: now) {
            guard remaining > 0 else {
                let detail = "the deadline of the call has passed"
                throw TransportError(timeoutIn: .turn, request: request, detail: detail)
            }
            options.totalTimeout = min(options.totalTimeout ?? remaining, remaining)
        }
        state.withLock { state in
            state.attempts += 1
            state.steps.append(.init(time: now - start, kind: .attempt, number: Double(state.attempts)))
        }
        return options
    }

    /// Makes the exchange of an attempt, and gives the response to the writer of its body, if there is one.
    private nonisolated(nonsending) func deliver(
        _ request: URLRequest,
        _ options: TransportOptions,
        _ log: AttemptLog?
    ) async throws -> TransportResponse {
        guard let writer = settings.destination.writer else {
            return try await accepted(exchange(request, options, log), request)
        }
        let deadline = Deadline(options.totalTimeout, time: settings.time)
        let response = try await accepted(exchange(writer.prepare(request), options, log), request)
        do {
            return try await writer.write(response, to: request) { request in
                var options = options
                options.totalTimeout = try deadline.remaining(request)
                return try await self.accepted(self.exchange(request, options, log), request)
            }
        } catch let error where (error as? NetworkClient.Error)?.statusCode == nil {
            // A response that is not accepted was reported by its exchange.
            log?.fail(request, error)
            throw error
        }
    }

    /// Makes one exchange with the server, redirects included, or waits for that of an identical request.
    private nonisolated(nonsending) func exchange(
        _ request: URLRequest,
        _ options: TransportOptions,
        _ log: AttemptLog?
    ) async throws -> TransportResponse {
        let outgoing = try outgoing(request)
        guard let key = outgoing.sharingKey else { return try await follow(outgoing, options, log) }
        // Each caller has its own total timeout: the exchange ends when no caller waits for it any more.
        var shared = options
        shared.totalTimeout = nil
        _ = try Deadline(options.totalTimeout, time: settings.time).remaining(outgoing.request)
        log?.call.leaveToTheExchange()
        do {
            let limit = TimeLimit(seconds: options.totalTimeout, on: settings.time)
            return try await sharing.share(key, until: limit) {
                self.note(.sharing)
            } exchange: { [shared] close in
                // Later hops are sent with the cookies that the store has by then, and a later caller may have
                // other cookies: it must not join.
                let onRedirect = self.settings.redirects.cookies == nil ? nil : close
                return try await self.follow(outgoing, shared, log, onRedirect)
            }
        } catch is TimeLimit.Passed {
            let error = TransportError(.timedOut, request: outgoing.request)
            log?.stopWaiting(outgoing.request, error)
            throw error
        }
    }

    /// A request that has passed the interceptors and the checks.
    private struct OutgoingRequest {
        /// The request without the cookies of the store, which depend on the URL of each hop.
        let request: URLRequest
        /// The first hop: the request with the cookies for its URL.
        ///
        /// The sharing key contains these cookies, so that a call in flight for one account is not shared with another
        /// account.
        let first: URLRequest
        /// Nil unless the exchange may be shared.
        let sharingKey: SharingKey?
    }

    /// The synchronous part of an exchange, kept out of line so that its stack frame is released before the first
    /// suspension.
    @inline(never)
    private func outgoing(_ request: URLRequest) throws -> OutgoingRequest {
        try CallScope.checkCancellation()
        let fields = request.allHTTPHeaderFields ?? [:]
        var request = request
        let optIn = SharingOptIn.take(from: &request, with: fields) ?? settings.sharing
        settings.scope?.confine(&request)
        if let countBody = settings.countBody { request = countBody(request) }
        // A range counts the bytes of the resource and not those of a coding (Fetch Standard §4.6).
        if fields.contains(where: { HeaderField.isSameName($0.key, "Range") }) { request.acceptNoCoding() }
        if request.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData { request.bypassCaches() }
        let checked = try RequestValidation.check(request)
        let first = settings.redirects.cookies?.adding(to: checked) ?? checked
        let key = settings.allowsSharing ? optIn.flatMap { sharingKey(checked, first, $0) } : nil
        return OutgoingRequest(request: checked, first: first, sharingKey: key)
    }

    private func sharingKey(_ request: URLRequest, _ first: URLRequest, _ optIn: SharingOptIn) -> SharingKey? {
        let limit = settings.transportOptions.bodyLimit
        return SharingKey(of: request, sentAs: first, optIn, redirects: settings.redirects.policy, bodyLimit: limit)
    }

    /// Sends a request and follows redirects; each hop is logged as it is sent.
    private nonisolated(nonsending) func follow(
        _ outgoing: OutgoingRequest,
        _ options: TransportOptions,
        _ log: AttemptLog?,
        _ onRedirect: (@Sendable () -> Void)? = nil
    ) async throws -> TransportResponse {
        var transport = transport
        if let log { transport = LoggedTransport(wrapped: transport, log: log, reportsHead: settings.givesBody(of:)) }
        do {
            return try await settings.redirects.send(
                outgoing.request,
                first: outgoing.first,
                options,
                through: transport,
                observer: self,
                onRedirect: onRedirect
            )
        } catch {
            log?.fail(outgoing.request, error)
            throw error
        }
    }

    /// Returns a response whose status is accepted; another status is an error, which passes the interceptors.
    private nonisolated(nonsending) func accepted(
        _ response: TransportResponse,
        _ request: URLRequest
    ) async throws -> TransportResponse {
        let limit = settings.transportOptions.bodyLimit
        let writer = settings.destination.writer
        guard !settings.acceptedStatuses.contains(response.head.status), writer?.accepts(response.head) != true else {
            // The body was cut because the call that started this shared exchange does not accept the status.
            guard response.body.isCut else { return response }
            throw TransportError(tooLargeBody: limit, request: request)
        }
        let body = response.body
        let errorLimit = min(writer?.errorLimit ?? Self.errorLimit, limit)
        let data = body.isStreamed ? try await body.channel.prefix(limit: errorLimit) : body.data
        let head = response.response
        let marked = ReceivedResponse(head, metrics: response.metrics, decoder: settings.decoder, call: mark)
        throw NetworkClient.Error.apiError(response: marked ?? head, data: data)
    }

    /// The most bytes that are kept of the body of an error where bodies are streamed, since it may be of any length.
    static let errorLimit = 1 << 20
}
