/// A response head that creates its `HTTPURLResponse` lazily, at most once.
///
/// Creating the response is the most expensive step of a small exchange (6 µs), and callers of `fetch<D>` never need
/// it.
package final class ResponseHead: Sendable {
    private enum Form {
        case made(HTTPURLResponse)
        case unmade(URL)
    }

    private struct State {
        var metrics: TransportMetrics?
        /// Nil before the end of the body, and for a body without trailers.
        var trailers: ResponseFields?
        /// Whether the body is a stream that its reader has not read to its end.
        var isStreaming = false
        var form: Form
        /// The number of redirects that were followed before the exchange, and the seconds that they took.
        var earlier: (redirects: Int, seconds: TimeInterval) = (0, 0)
        var cacheStatus: CacheStatus?

        /// The trailers that may be seen: those of a stream only when it has been read to its end.
        var shownTrailers: ResponseFields? { isStreaming ? nil : trailers }
    }

    /// The status code.
    package let status: Int
    /// Whether the body had a content coding that was decoded; the fields that describe the coded body are left out.
    let isDecoded: Bool
    let lines: ResponseHeadLines?
    /// The fields of a stored response; nil for a response that was received.
    private let stored: ResponseFields?
    /// The head that the server sent, whose trailers and metrics become known later; nil for that head itself.
    private let received: ResponseHead?
    private let state: Locked<State>

    /// Creates a head from a response, which an interceptor may have made from the one that was `received`.
    package init(_ response: HTTPURLResponse, metrics: TransportMetrics? = nil, received: ResponseHead? = nil) {
        status = response.statusCode
        isDecoded = (response as? ReceivedResponse)?.isDecoded ?? false
        (lines, stored, self.received) = (nil, nil, received)
        var state = State(metrics: metrics ?? response.metrics, form: .made(response))
        (state.trailers, state.cacheStatus) = ((response as? ReceivedResponse)?.knownTrailers, response.cacheStatus)
        self.state = Locked(state)
    }

    /// Creates a head; nil if the lines contain no status.
    init?(_ lines: ResponseHeadLines, url: URL, metrics: TransportMetrics) {
        guard let status = lines.status else { return nil }
        self.status = status
        isDecoded = lines.isDecoded
        (self.lines, stored, received) = (lines, nil, nil)
        state = Locked(State(metrics: metrics, trailers: lines.trailers, form: .unmade(url)))
    }

    /// Creates the head of a stored response, with the metrics of the exchange in which a server confirmed it.
    init(
        storedStatus status: Int,
        _ fields: ResponseFields,
        url: URL,
        isDecoded: Bool,
        _ cacheStatus: CacheStatus,
        _ metrics: TransportMetrics?
    ) {
        self.status = status
        self.isDecoded = isDecoded
        (lines, stored, received) = (nil, fields, nil)
        state = Locked(State(metrics: metrics, form: .unmade(url), cacheStatus: cacheStatus))
    }

    /// The part that a cache had in the response, set before the response is made; nil if it had none.
    var cacheStatus: CacheStatus? {
        get { state.withLock { $0.cacheStatus } }
        set { state.withLock { $0.cacheStatus = newValue } }
    }

    /// Whether the response tells nothing about the server of today.
    var isFromCache: Bool { cacheStatus?.isOfThePast == true }

    /// The metrics, with the entries of `Server-Timing`; for a response that an interceptor made without metrics, those
    /// of the server's response.
    package var metrics: TransportMetrics? {
        let state = state.withLock { $0 }
        return state.metrics == nil ? received?.metrics : timed(state)
    }

    /// The seconds until the first byte; without the fields, which would have to be searched.
    var firstByte: TimeInterval? { state.withLock { $0.metrics }?.firstByte ?? received?.firstByte }

    private func timed(_ state: State) -> TransportMetrics? {
        guard var metrics = state.metrics, stored == nil, state.cacheStatus?.isOfThePast != true else {
            return state.metrics
        }
        var values = state.shownTrailers?.values(named: ServerTiming.fieldName) ?? []
        if let lines {
            values = lines.fields(named: ServerTiming.fieldName).map(\.value) + values
        } else if case .made(let response) = state.form {
            values = response.receivedValues(named: ServerTiming.fieldName) + values
        }
        let timings = ServerTiming.timings(in: values)
        if !timings.isEmpty { metrics.serverTimings = timings }
        return metrics
    }

    /// The trailer fields (RFC 9110 §6.5), which come after the body; none until it has ended.
    ///
    /// Setting them does not change a response that was already created.
    package var trailers: ResponseFields {
        get { state.withLock { $0.shownTrailers } ?? received?.trailers ?? ResponseFields([]) }
        set { state.withLock { $0.trailers = newValue } }
    }

    /// Records that the body is a stream: its trailers are not seen before its end, whenever they have come.
    func beginsStream() { state.withLock { $0.isStreaming = true } }

    /// Records that the body was read to its end.
    func endsStream() { state.withLock { $0.isStreaming = false } }

    /// Replaces the metrics, and adds the trailers; does not change a response that was already created.
    func update(_ metrics: TransportMetrics, trailers: ResponseFields? = nil) {
        state.withLock { state in
            (state.metrics, state.trailers) = (metrics, trailers ?? state.trailers)
            state.metrics?.redirects += state.earlier.redirects
            state.metrics?.total += state.earlier.seconds
        }
    }

    /// Adds the redirects before the exchange and their time to the metrics, and the total time if the transport did
    /// not measure it.
    func add(redirects: Int, total: TimeInterval) {
        state.withLock { state in
            let known = state.metrics
            guard redirects > 0 || known == nil else { return }
            state.earlier = (redirects, max(0, total - (known?.total ?? total)))
            state.metrics = known ?? TransportMetrics(total: total)
            state.metrics?.total = total
            state.metrics?.redirects = redirects
        }
    }

    /// The fields in the order in which they were received; nil if only Foundation's form of them is known.
    var knownFields: ResponseFields? {
        stored ?? lines.map { ResponseFields($0.fields()) } ?? (response as? ReceivedResponse)?.knownFields
    }

    package var fields: ResponseFields { knownFields ?? response.receivedFields }

    /// Returns the joined values of the fields of one name, in any letter case.
    func value(of name: String) -> String? {
        if let stored { return stored[name] }
        guard let fields = lines?.fields(named: name) else { return response.value(forHTTPHeaderField: name) }
        return fields.count == 1 ? fields[0].value : ResponseFields(fields)[name]
    }

    /// The response in Foundation's form, for the log.
    ///
    /// It is not kept, since it lacks values that are known only later, such as redirects.
    var responseSoFar: HTTPURLResponse {
        let state = state.withLock { $0 }
        return switch state.form {
        case .made(let response) where response.trailers.isEmpty && !trailers.isEmpty:
            ReceivedResponse(response, metrics: nil, trailers: trailers) ?? response
        case .made(let response): response
        case .unmade(let url): makeResponse(url, state)
        }
    }

    var response: HTTPURLResponse {
        state.withLock { state in
            switch state.form {
            case .made(let response): return response
            case .unmade(let url):
                let response = makeResponse(url, state)
                state.form = .made(response)
                return response
            }
        }
    }

    /// This can't fail: on Linux, where alone heads arrive as lines, the initialiser never does; elsewhere Foundation
    /// itself made the head before it was stored.
    private func makeResponse(_ url: URL, _ state: State) -> HTTPURLResponse {
        let response = ReceivedResponse(
            url: url,
            status: status,
            fields: fields,
            trailers: state.shownTrailers,
            metrics: timed(state),
            isDecoded: isDecoded,
            cacheStatus: state.cacheStatus
        )
        guard let response else {
            preconditionFailure("Foundation refuses the status \(status)")
        }
        return response
    }
}

/// An `HTTPURLResponse` that also has the fields and trailers as they were received, the metrics, and the call that
/// refused it.
///
/// Interceptors, `Response` and `NetworkClient.Error.getError()` read them from this subclass, since their public
/// signatures have an `HTTPURLResponse`. All properties are immutable, so that the superclass's unchecked `Sendable`
/// conformance holds for the subclass, too.
package final class ReceivedResponse: HTTPURLResponse, @unchecked Sendable {
    /// The fields in the order in which they were received; nil if only Foundation's form of them is known.
    let knownFields: ResponseFields?
    /// Nil if there were none when the response was created.
    let knownTrailers: ResponseFields?
    let knownMetrics: TransportMetrics?
    /// Whether the body had a content coding that was decoded.
    let isDecoded: Bool
    /// What the call attached that does not accept this status; nil for an accepted response.
    let refusal: (any Sendable)?
    let knownCacheStatus: CacheStatus?

    package init?(
        url: URL,
        status: Int,
        fields: ResponseFields,
        trailers: ResponseFields? = nil,
        metrics: TransportMetrics?,
        isDecoded: Bool = false,
        cacheStatus: CacheStatus? = nil
    ) {
        (knownFields, knownTrailers) = (fields, trailers)
        self.isDecoded = isDecoded
        knownCacheStatus = cacheStatus
        knownMetrics = metrics
        refusal = nil
        super.init(url: url, statusCode: status, httpVersion: nil, headerFields: fields.joined)
    }

    /// Creates a copy of a head with metrics and what a call attaches; without the fields of a coded body if URLSession
    /// has decoded it.
    init?(
        _ response: HTTPURLResponse,
        metrics: TransportMetrics?,
        trailers: ResponseFields? = nil,
        refusal: (any Sendable)? = nil,
        isDecoded: Bool = false,
        cacheStatus: CacheStatus? = nil
    ) {
        guard let url = response.url else { return nil }
        let received = response as? ReceivedResponse
        (knownFields, knownTrailers) = (received?.knownFields, trailers ?? received?.knownTrailers)
        knownMetrics = metrics ?? received?.knownMetrics
        self.isDecoded = isDecoded || received?.isDecoded == true
        self.refusal = refusal
        knownCacheStatus = cacheStatus ?? received?.knownCacheStatus
        let names = response.allHeaderFields.reduce(into: [String: String]()) { fields, field in
            if isDecoded, ResponseFields.describesCodedBody("\(field.key)") { return }
            fields["\(field.key)"] = "\(field.value)"
        }
        super.init(url: url, statusCode: response.statusCode, httpVersion: nil, headerFields: names)
    }

    required init?(coder: NSCoder) {
        nil
    }
}
