/// One request to the transport, on its way through the steps of a hop.
struct Hop {
    /// The request of the call or of a redirect, without what the steps add.
    let request: URLRequest
    var attempt: CallAttempt
    var context: RequestContext
    /// Whether a redirect has left the origin of the first hop; the hops after that have no credential.
    var hasLeft = false
    /// The credentials, in the order of their interceptors; nil before they were asked for.
    var credentials: [HopAuthentication.Credential]?
    /// The request as the steps have prepared it.
    var sent: URLRequest
    /// What a cache does with the response; nil if it has no part in the exchange.
    var forwarded: ForwardedRequest?
    /// Whether a cache may add conditions; false after a 304 that was of no use.
    var sendsConditions = true
    /// Whether a server may have performed the request: it was passed to the transport, which has not shown otherwise.
    var mayBePerformed = false
    /// The record of the exchange in progress; nil if it is neither logged nor observed.
    var record: HopRecord?

    /// The persons whose credentials it has been sent with.
    var persons: [SessionPerson] { (credentials ?? []).compactMap { $0.person?.0 } }

    init(_ request: URLRequest, _ attempt: CallAttempt, _ context: RequestContext, hasLeft: Bool = false) {
        (self.request, self.attempt, self.context, self.hasLeft) = (request, attempt, context, hasLeft)
        sent = request
    }
}

/// A step between the redirects and the transport, which every request to the transport passes, in the order of
/// ``Chain/steps(_:interceptors:)``; a step that leaves a function out takes no part there.
protocol HopStep: Sendable {
    /// Adds to the request; a response ends the hop, and nothing is sent.
    nonisolated(nonsending) func prepare(_ hop: inout Hop, _ chain: Chain) async throws -> TransportResponse?

    /// Sees each response of the transport, in the reverse order, before a step takes it or has the request sent again.
    func arrived(_ response: TransportResponse, _ hop: inout Hop, _ chain: Chain) -> TransportResponse

    /// Takes the response, in the reverse order; nil sends the request again, prepared anew.
    nonisolated(nonsending) func received(
        _ response: TransportResponse,
        _ hop: inout Hop,
        _ chain: Chain
    ) async throws -> TransportResponse?

    /// Sees a failure of the transport or of a later step; a response takes the place of the error.
    func failed(_ error: any Error, _ hop: inout Hop, _ chain: Chain) throws -> TransportResponse?
}

extension HopStep {
    nonisolated(nonsending) func prepare(_ hop: inout Hop, _ chain: Chain) async throws -> TransportResponse? { nil }

    func arrived(_ response: TransportResponse, _ hop: inout Hop, _ chain: Chain) -> TransportResponse { response }

    nonisolated(nonsending) func received(
        _ response: TransportResponse,
        _ hop: inout Hop,
        _ chain: Chain
    ) async throws -> TransportResponse? { response }

    func failed(_ error: any Error, _ hop: inout Hop, _ chain: Chain) throws -> TransportResponse? { nil }
}

/// Adds the cookies for the URL of each request, and stores those of each response, whatever its status.
struct CookieStep: HopStep {
    let store: CookieStore

    nonisolated(nonsending) func prepare(_ hop: inout Hop, _ chain: Chain) async throws -> TransportResponse? {
        hop.sent = store.adding(to: hop.sent, on: chain.record.time)
        return nil
    }

    func arrived(_ response: TransportResponse, _ hop: inout Hop, _ chain: Chain) -> TransportResponse {
        store.receive(response, to: hop.request, on: chain.record.time)
        return response
    }
}

/// Records each exchange for the log and for observers, which may add fields: the last step before the transport.
struct RecordStep: HopStep {
    nonisolated(nonsending) func prepare(_ hop: inout Hop, _ chain: Chain) async throws -> TransportResponse? {
        hop.record = chain.record.hop(&hop.sent, hop.context.exchangeObservers)
        return nil
    }

    func arrived(_ response: TransportResponse, _ hop: inout Hop, _ chain: Chain) -> TransportResponse {
        guard let record = hop.record else { return response }
        hop.record = nil
        return record.responded(response, isReadByTheCaller: chain.settings.givesBody(of: response.head))
    }

    func failed(_ error: any Error, _ hop: inout Hop, _ chain: Chain) throws -> TransportResponse? {
        hop.record?.failed(error, isOverdue: hop.context.isOverdue)
        return nil
    }
}
