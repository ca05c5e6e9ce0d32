import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The facts of the call for its interceptors, and the record of what they do.
extension Chain: CallFacts {
    var time: any TimeSource { settings.time }
    var now: Double { settings.time.now }
    var values: CallOptionValues { settings.values }
    var maySendTwiceAtOnce: Bool { settings.allowsSeveralExchanges && settings.sharing == nil }
    var sensitiveHeaders: [String] { settings.redirects.sensitiveHeaders }
    var logger: (any NetworkLogger)? { settings.log?.logger }
    var credentialOrigin: Origin? { settings.scope?.origin }

    func record(_ kind: CallJourney.Kind, _ detail: String, number: Double?) {
        if recordsSteps { note(kind, detail, number: number) }
    }

    /// Adds a step, whether attempts are recorded or not.
    func note(_ kind: CallJourney.Kind, _ detail: String = "", number: Double? = nil) {
        let time = settings.time.now - start
        state.withLock { $0.steps.append(.init(time: time, kind: kind, detail: detail, number: number)) }
    }

    func kept(for key: ObjectIdentifier, _ make: () -> any Sendable) -> any Sendable {
        if let value = state.withLock({ $0.kept[key] }) { return value }
        let made = make()
        return state.withLock { state in
            // Another attempt may have been faster, since attempts can overlap.
            let value = state.kept[key] ?? made
            state.kept[key] = value
            return value
        }
    }

    func recordFailure(_ error: any Error) {
        if case NetworkClient.Error.apiError(let response, _) = error {
            record(.response, "", number: Double(response.statusCode))
        } else if case NetworkClient.Error.requestError(let error) = error {
            record(.failure, error.reason.description, number: nil)
        } else {
            let known = (error as? NetworkClient.Error)?.description
            record(.failure, error is CancellationError ? "cancelled" : known ?? "\(type(of: error))", number: nil)
        }
    }

    /// Returns the final response of the call, with its journey.
    func noted(_ response: TransportResponse) -> TransportResponse {
        let steps = state.withLock { $0.steps }
        guard recordsSteps || !steps.isEmpty else { return response }
        var response = response
        response.journey =
            recordsSteps
            ? CallJourney(steps: steps)
            : CallJourney(status: response.head.status, total: settings.time.now - start, between: steps)
        return response
    }

    var journey: CallJourney { CallJourney(steps: state.withLock { $0.steps }) }

    /// Tells the observers of the call what has happened.
    func report(to call: ObservedCall?) {
        guard let call else { return }
        call.journey = journey
        if call.head == nil { call.head = state.withLock { $0.refused } }
    }
}

extension Chain: RedirectObserver {
    func willFollow(_ head: ResponseHead, with next: URLRequest) {
        note(.redirect, next.url.map { TransportError.place(of: $0) } ?? "", number: Double(head.status))
    }
}

/// The conversion of responses to the tuples that interceptors see, and of the tuples that they return to responses.
extension Chain {
    func chainResult(of response: TransportResponse) -> NetworkClient.ChainResult {
        setLastResponse(response)
        return (response.body.data, response.response)
    }

    /// Returns the response that interceptors have passed on, rebuilt or supplied.
    func response(for result: NetworkClient.ChainResult) throws -> TransportResponse {
        // The call is over, and a body that is streamed is the caller's now.
        let (last, givenUpHeads, earlierHeads) = state.withLock { state in
            defer { state.lastResponse = nil }
            return (state.lastResponse, state.givenUpHeads, state.earlierHeads)
        }
        let response = result.response
        let isLast = last?.response === response
        let standsForLast = isLast || last?.head.status == response.statusCode
        let isStream = standsForLast && last?.body.isStreamed == true && result.data.isEmpty
        if !isStream { Self.giveUp(last) }
        guard !result.data.isEmpty || !givenUpHeads.contains(where: { $0 === response }) else {
            let detail = "the body of this response was given up when an interceptor sent the request again"
            throw NetworkClient.Error.requestError(type: TransportError(.bodyNotReplayable, detail: detail))
        }
        // An interceptor may return a rebuilt head, for example with another field. If the status is unchanged, it is
        // treated as the same response.
        if !isLast, let head = earlierHeads.first(where: { $0.response === response }) {
            // Of two attempts at the same time, the other was the last to end.
            return TransportResponse(head: head, body: .whole(result.data))
        }
        // A cache replaces the head of a 304 as well as its body (RFC 9111 §4.3.3).
        let isOfTheServer = standsForLast || last?.head.status == 304
        let metrics = response.metrics ?? (isOfTheServer ? last?.metrics : nil)
        let known = isLast ? last?.head : nil
        let head = known ?? ResponseHead(response, metrics: metrics)
        guard isStream, let last else { return TransportResponse(head: head, body: .whole(result.data)) }
        return TransportResponse(head: head, body: last.body)
    }

    /// Sets the last response and gives up the previous one: of several streamed bodies, only the last is read.
    func setLastResponse(_ response: TransportResponse?) {
        let previous = state.withLock { state in
            defer { state.lastResponse = response }
            guard let last = state.lastResponse else { return nil as TransportResponse? }
            if last.body.isStreamed {
                state.givenUpHeads.append(last.response)
            } else {
                state.earlierHeads.append(last.head)
            }
            return last
        }
        Self.giveUp(previous)
    }

    /// Notes the response that the call does not accept.
    func refuse(_ response: HTTPURLResponse) {
        state.withLock { $0.refused = ResponseHead(response, metrics: response.metrics) }
        setLastResponse(nil)
    }

    private static func giveUp(_ response: TransportResponse?) {
        if let response, response.body.isStreamed { response.body.channel.cancel() }
    }

    /// Whether an error is about a response of this call, and not of another call whose error an interceptor throws.
    func isOfThisCall(_ response: HTTPURLResponse) -> Bool {
        guard let mark = (response as? ReceivedResponse)?.call else { return false }
        return state.withLock { $0.mark } === mark
    }

    var mark: CallMark {
        state.withLock { state in
            let mark = state.mark ?? CallMark()
            state.mark = mark
            return mark
        }
    }
}
