/// What becomes of a response: its status is checked, interceptors see it as a tuple, and theirs becomes a response.
extension Chain {
    /// Returns a response whose status is accepted; throws an error, which interceptors see, for any other status.
    nonisolated(nonsending) func accepted(
        _ response: TransportResponse,
        _ request: URLRequest
    ) async throws -> TransportResponse {
        let isAccepted = settings.acceptedStatuses.contains(response.head.status)
        guard isAccepted || settings.destination.writer?.accepts(response.head) == true else {
            throw try await refused(response)
        }
        // The body was cut because the call that started this shared exchange does not accept the status.
        guard !response.body.isCut else {
            throw TransportError(bodyOver: settings.transportOptions, request: request)
        }
        guard let limit = settings.ownBodyLimit, settings.transportOptions.streamsBody, response.body.socket == nil
        else { return response }
        let body = LimitedBody(response.body.channel, to: limit, request)
        return TransportResponse(head: response.head, body: .streamed(body))
    }

    /// Returns the error for a response whose status is not accepted.
    private nonisolated(nonsending) func refused(_ response: TransportResponse) async throws -> NetworkClient.Error {
        let body = response.body
        let data = body.isStreamed ? try await errorBody(body.channel) : body.data
        return NetworkClient.Error.apiError(response: marked(response), data: data)
    }

    /// Returns the head of a response that an error will have, with the record and the decoder of the call.
    func marked(_ response: TransportResponse) -> HTTPURLResponse {
        let marked = ReceivedResponse(
            response.response,
            metrics: response.metrics,
            trailers: response.head.trailers,
            refusal: Refusal(record: record, decoder: settings.decoder),
            cacheStatus: response.head.cacheStatus
        )
        return marked ?? response.response
    }

    /// Returns the beginning of the streamed body of an error, which may have any length; as much as the call's own
    /// limit allows, if it has one and its caller reads the body.
    private nonisolated(nonsending) func errorBody(_ channel: any BodyChannel) async throws -> Data {
        let writer = settings.destination.writer
        if writer == nil, let limit = settings.ownBodyLimit { return try await channel.collect(limit: limit).data }
        let limit = min(writer?.errorLimit ?? Self.errorLimit, settings.transportOptions.bodyLimit)
        return try await channel.beginning(limit: limit, on: record.time).data
    }

    /// Returns a response that a step may have sent again with its body in memory.
    ///
    /// A streamed body would hold a connection that the refresh of a credential may need. If the call accepts the
    /// status, the body belongs to the caller and remains a stream.
    nonisolated(nonsending) func beginning(of response: TransportResponse) async throws -> TransportResponse {
        guard response.body.isStreamed, !settings.acceptedStatuses.contains(response.head.status) else {
            return response
        }
        let limit = min(Chain.errorLimit, settings.transportOptions.bodyLimit)
        let (data, isCut) = try await response.body.channel.beginning(limit: limit, on: record.time)
        return TransportResponse(head: response.head, body: .whole(data, isCut: isCut))
    }

    /// The maximum number of bytes that are usually kept of such a body.
    static let errorLimit = 1 << 20

    func chainResult(of response: TransportResponse) -> NetworkClient.ChainResult {
        setLast(response)
        return (response.body.data, response.response)
    }

    /// Returns the response that interceptors have passed on, rebuilt or supplied.
    func response(for result: NetworkClient.ChainResult) throws -> TransportResponse {
        // The call is over, and a streamed body now belongs to the caller.
        let (last, givenUpHeads) = withState { $0.takeLast() }
        let response = result.response
        let isLast = last?.response === response
        // An interceptor may return a rebuilt head, for example with another field. If the status is unchanged, it is
        // treated as the same response.
        let standsForLast = isLast || last?.head.status == response.statusCode
        let isStream = standsForLast && last?.body.isStreamed == true && result.data.isEmpty
        if !isStream, let last, last.body.isStreamed { last.body.channel.cancel() }
        guard !result.data.isEmpty || !givenUpHeads.contains(where: { $0 === response }) else {
            let detail = "the body of this response was dropped when an interceptor sent the request again"
            throw NetworkClient.Error.requestError(type: TransportError(.bodyNotReplayable, detail: detail))
        }
        // A cache replaces the head of a 304 as well as its body (RFC 9111 §4.3.3).
        let isOfTheServer = standsForLast || last?.head.status == 304
        let received = isOfTheServer ? last?.head : nil
        let head = (isLast ? received : nil) ?? ResponseHead(response, received: received)
        guard isStream, let last else { return TransportResponse(head: head, body: .whole(result.data)) }
        return TransportResponse(head: head, body: last.body)
    }

    /// Returns whether the response is one of this call; an interceptor may throw the error of another call.
    func isOfThisCall(_ response: HTTPURLResponse) -> Bool {
        Refusal(of: response).map { $0.record === record } == true
    }
}

extension BodyChannel {
    /// Returns the beginning of a body that no caller waits for: what arrives within one second, at most `limit` bytes.
    nonisolated(nonsending) func beginning(
        limit: Int,
        on time: any TimeSource
    ) async throws -> (data: Data, isCut: Bool) {
        try await prefix(limit: limit, until: TimeLimit(seconds: RedirectBodyLimit.seconds, on: time))
    }
}
