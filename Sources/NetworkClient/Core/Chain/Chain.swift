/// The path of one call from its prepared request to its undecoded response.
///
///     error mapper → interceptors → status accepted? → sharing → redirects → steps of the hop → transport
///     run            proceed        attempt            exchange   follow      send
///
/// Each step contains the steps to its right, and the response passes the steps from right to left: `accepted` checks
/// its status before the interceptors get it. An exchange has several hops if redirects are followed. Each hop is one
/// request to the transport, with its own ``steps(_:interceptors:)``. What happens is recorded in the ``CallRecord``.
///
/// All functions run on the caller's executor: every change of the executor costs time, even one to the same executor.
/// A class, so that the closures for the interceptors capture one reference and an index, without an allocation.
final class Chain: Sendable {
    let interceptors: [any InterceptorProtocol]
    let transport: any Transport
    let sharing: SharedExchanges
    let settings: CallSettings
    let calls: CallRegistry
    let mapper: ResponseErrorMapper
    let record: CallRecord
    let steps: [any HopStep]

    init(
        interceptors: [any InterceptorProtocol],
        transport: any Transport,
        sharing: SharedExchanges,
        settings: CallSettings,
        calls: CallRegistry,
        mapper: ResponseErrorMapper,
        record: CallRecord,
        steps: [any HopStep]
    ) {
        (self.interceptors, self.transport, self.sharing) = (interceptors, transport, sharing)
        (self.settings, self.calls, self.mapper) = (settings, calls, mapper)
        (self.record, self.steps) = (record, steps)
    }

    /// The steps of each request to the transport, in the order in which they prepare it; responses and failures pass
    /// them in the reverse order.
    static func steps(_ configuration: NetworkClient.Configuration, interceptors: Bool) -> [any HopStep] {
        let steps: [(any HopStep)?] = [
            configuration.cookies.map(CookieStep.init),
            configuration.cache.map(CacheStep.init),
            // Interceptors supply them.
            interceptors ? CredentialStep() : nil,
            RecordStep(),
        ]
        return steps.compactMap(\.self)
    }

    /// Sends the request of the call; interceptors see the library's errors, and the caller sees the error mapper's.
    nonisolated(nonsending) func run(_ request: URLRequest) async throws -> TransportResponse {
        defer {
            if !settings.values.isEmpty { noteUnread() }
        }
        do {
            let response =
                interceptors.isEmpty
                ? try await attempt(request)
                : try response(for: await RequestContext(self).run { try await proceed(request, from: 0) })
            record.responded(response.head, response.body.data, to: request)
            return response
        } catch NetworkClient.Error.apiError(let response, let data) where isOfThisCall(response) {
            setLast(nil)
            let error = await mapper.map(ResponseErrorMapper.Info(response: response, data: data))
            record.responded(ResponseHead(response, metrics: response.metrics), data, to: request, failingWith: error)
            throw error
        } catch {
            setLast(nil)
            throw error
        }
    }

    private func noteUnread() {
        for name in withState({ $0.hasBegun ? settings.values.unread($0.reads) : [] }) {
            record.note(.decision, .text("no interceptor has read the option '\(name)'"))
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

    /// Makes one attempt to get an accepted response, and wraps its errors; no other step of the chain wraps errors.
    ///
    /// An attempt is one exchange, or several if a body writer asks for missing bytes; they share its timeout.
    private nonisolated(nonsending) func attempt(_ request: URLRequest) async throws -> TransportResponse {
        // A streamed body of an earlier attempt may hold the connection that this attempt waits for.
        if settings.transportOptions.streamsBody { setLast(nil) }
        // Without interceptors, the current context belongs to a call around this one, if there is one.
        let context = interceptors.isEmpty ? RequestContext(self) : .current
        let start = record.time.now
        let total = settings.transportOptions.exchangeTimeout.flatMap { seconds in
            CallLimit(.attempt(seconds), from: start)
        }
        let limit = settings.isTransfer ? CallLimit.first(total, context.callersLimit) : context.nearest(or: total)
        if let remaining = context.remainingTime(at: start), remaining <= 0 {
            throw context.timeoutBeforeAttempt(of: request)
        }
        let end = limit.map { TimeLimit(end: $0.end, on: record.time, passed: $0.passed) }
        let number = record.attempt(at: start) { $0.beginAttempt(end) }
        let attempt = CallAttempt(number: number, start: start, limit: end)
        let result: Result<TransportResponse, any Error>
        do {
            result = .success(
                settings.isTransfer || settings.transportOptions.streamsBody
                    ? try await deliver(request, attempt, context)
                    : try await accepted(exchange(request, attempt, context), request)
            )
        } catch {
            result = .failure(NetworkClient.Error.wrapping(error, request.url))
        }
        record.ended(attempt, request, with: result.map(\.head.status))
        return try result.get()
    }

    /// Makes the exchange of an attempt, and gives the response to the writer of its body, if there is one.
    private nonisolated(nonsending) func deliver(
        _ request: URLRequest,
        _ attempt: CallAttempt,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        guard let writer = settings.destination.writer else { return try await head(request, attempt, context) }
        try await writer.open()
        let response = try await head(writer.prepare(request), attempt, context)
        let start = record.time.now
        defer {
            if settings.isTransfer { withState { $0.addTransfer(of: record.time.now - start) } }
        }
        return try await writer.write(response, to: request) { request in
            try await self.head(request, attempt, context)
        }
    }

    /// Makes one exchange, and returns its response if the status is accepted.
    ///
    /// For a transfer, the time limits of interceptors end with the head of the response, or with the response to an
    /// upload, and pause while bytes are transferred.
    private nonisolated(nonsending) func head(
        _ request: URLRequest,
        _ attempt: CallAttempt,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        guard settings.isTransfer, let waiting = context.limitOfWaiting else {
            return try await accepted(exchange(request, attempt, context), request)
        }
        do {
            return try await waiting.run {
                try await self.accepted(self.exchange(request, attempt, context), request)
            }
        } catch is TimeLimit.Passed {
            throw context.timeout(of: request)
        }
    }

    /// Makes one exchange with the server, including redirects, or waits for the exchange of an identical request.
    private nonisolated(nonsending) func exchange(
        _ request: URLRequest,
        _ attempt: CallAttempt,
        _ context: RequestContext
    ) async throws -> TransportResponse {
        let (checked, optIn) = try outgoing(request, context)
        guard let optIn else { return try await follow(Hop(checked, attempt, context)) }
        var hop = Hop(checked, attempt, context)
        guard let key = try await sharingKey(&hop, optIn) else { return try await follow(hop) }
        // Each caller has its own limit: the exchange ends when no caller waits for it any more.
        _ = try remaining(of: attempt.limit, checked)
        (hop.attempt, hop.context) = (attempt.withoutLimit, context.withoutLimits)
        let shared = hop
        let performed = withState { $0.performed }
        let result: Result<TransportResponse, any Error>
        do {
            let response = try await sharing.share(key, until: attempt.limit) {
                self.record.note(.sharing)
                self.withState { $0.join() }
            } exchange: { close in
                // Later hops are sent with the cookies that the store has by then. A later caller may have other
                // cookies, so it must not join.
                let onRedirect = self.settings.cookies == nil ? nil : close
                return try await self.follow(shared, onRedirect: onRedirect)
            }
            withState { if $0.hasJoined { $0.reach(response.response.url, insteadOf: checked.url) } }
            result = .success(response)
        } catch is TimeLimit.Passed {
            let error = passed(attempt.limit, before: performed, checked)
            guard let response = try await stored(insteadOf: error, shared) else { throw error }
            result = .success(response)
        } catch {
            result = .failure(error)
        }
        record.leaveOutOfLog(result.map(\.head.status), of: attempt.number)
        return try result.get()
    }

    /// Returns a request from the interceptors in the form that is sent, and its opt-in to sharing; the cookies and the
    /// credential of its hop are added later.
    ///
    /// Out of line, so that the stack frame of this synchronous part is released before the first suspension.
    @inline(never)
    private func outgoing(_ request: URLRequest, _ context: RequestContext) throws -> (URLRequest, SharingOptIn?) {
        try CallScope.checkCancellation()
        let fields = request.allHTTPHeaderFields ?? [:]
        var request = request
        let optIn = SharingOptIn.take(from: &request, with: fields) ?? settings.sharing
        settings.scope?.confine(&request)
        if !settings.values.isEmpty { try settings.values.check(request, in: context) }
        if let countBody = settings.countBody {
            request = countBody(request) { self.withState { $0.move(at: self.record.time.now) } }
        }
        // Asks for no content coding, since a part of a coded body cannot be decoded (Fetch Standard §4.6).
        if fields.contains(where: { HeaderField.isSameName($0.key, "Range") }) { request.acceptNoCoding() }
        if request.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData { request.bypassCaches() }
        return (try RequestValidation.check(request, opening: settings.opening), settings.allowsSharing ? optIn : nil)
    }

    /// Sends the request of a hop, and again as often as a step has it sent again.
    nonisolated(nonsending) func send(_ hop: inout Hop) async throws -> TransportResponse {
        // A transport with its own cache checks that itself.
        if hop.request.cachePolicy == .returnCacheDataDontLoad, cacheStep == nil, !transport.defaults.keepsState {
            throw TransportError(.notInCache, request: hop.request)
        }
        resending: while true {
            hop.sent = hop.request
            do {
                for step in steps {
                    if let response = try await step.prepare(&hop, self) { return response }
                }
                let options = try departing(&hop)
                var response: TransportResponse
                do {
                    response = try await transport.send(hop.sent, options: options)
                } catch {
                    throw failure(error, of: &hop)
                }
                for step in steps.reversed() { response = step.arrived(response, &hop, self) }
                for step in steps.reversed() {
                    guard let taken = try await step.received(response, &hop, self) else { continue resending }
                    response = taken
                }
                return response
            } catch {
                for step in steps.reversed() {
                    if let response = try step.failed(error, &hop, self) { return response }
                }
                throw error
            }
        }
    }

    /// Counts a request that departs, and returns the limits that remain.
    private func departing(_ hop: inout Hop) throws -> TransportOptions {
        var options = settings.transportOptions
        let limit = hop.attempt.limit
        (options.exchangeTimeout, options.exchangeLimit) = (try remaining(of: limit, hop.request), limit?.passed)
        options.opensSocket = settings.opening
        // Services put tokens among the subprotocols, which follow to no other origin.
        if hop.hasLeft { options.opensSocket?.protocols = [] }
        if settings.isTransfer { options.headTimeout = hop.context.limitOfWaiting?.remaining }
        countPerformed(1, hasCredential: hop.credentials?.isEmpty == false)
        hop.mayBePerformed = true
        return options
    }

    /// Returns the error of a transport as the steps and the interceptors see it.
    ///
    /// A custom transport may use URLSession itself, and does not know which limit the seconds are that it was given.
    private func failure(_ error: any Error, of hop: inout Hop) -> any Error {
        let error = (error as? URLError).map { URLErrorClassification.classify($0, hop.request.url) } ?? error
        if (error as? TransportError)?.showsThatNothingWasSent == true {
            countPerformed(-1)
            hop.mayBePerformed = false
        }
        // Its timer may fire up to a millisecond early.
        guard let failure = error as? TransportError, failure.reason == .timedOut, failure.passedLimit == nil,
            let limit = [hop.attempt.limit, settings.isTransfer ? hop.context.limitOfWaiting : nil].compactMap(\.self)
                .first(where: { $0.remaining <= 0.001 })
        else { return error }
        return TransportError(
            passed: limit.passed,
            waitingIn: failure.localWait,
            request: hop.request,
            underlying: failure
        )
    }
}
