import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What lies inside the interceptors: cookies, then sharing, then redirects, then the transport.
struct Exchange: Sendable {
    let transport: any Transport
    let sharing: SharedExchanges

    /// Like all that a call passes on its way, on the caller's executor: each change of it, even to the same, costs.
    nonisolated(nonsending) func perform(
        _ request: URLRequest,
        _ settings: CallSettings,
        _ log: AttemptLog?
    ) async throws -> TransportResponse {
        do {
            return try await begin(request, settings, log)()
        } catch {
            throw Self.named(error, request.url)
        }
    }

    /// All that is done without waiting, apart, so that its space is given back before the wait begins.
    @inline(never)
    private func begin(
        _ request: URLRequest,
        _ settings: CallSettings,
        _ log: AttemptLog?
    ) throws -> nonisolated(nonsending) @Sendable () async throws -> TransportResponse {
        try CallScope.checkCancellation()
        let fields = request.allHTTPHeaderFields ?? [:]
        let isOnesOwn = settings.transportOptions.streamsBody || settings.upload != nil
        let optIn = isOnesOwn ? nil : SharingOptIn(in: fields) ?? settings.sharing
        var request = SharingOptIn.isLeft(in: fields) ? request.clearingInstanceCaching() : request
        settings.scope?.confine(&request)
        if let board = settings.upload { request = CountedBody.counting(request, on: board) }
        if fields.contains(where: { HeaderField.isSameName($0.key, "Range") }) { Self.askForNoCoding(&request) }
        let checked = try RequestValidation.check(request)
        // Before the key is made: a call in flight for one account is not shared with another one.
        let first = settings.cookies?.adding(to: checked) ?? checked
        guard let optIn, let key = SharingKey(of: checked, sentAs: first, settings, optIn) else {
            return { try await follow(checked, first: first, settings, settings.transportOptions, log) }
        }
        // What each caller waits for is its own: the exchange ends when nobody waits for it any more.
        var options = settings.transportOptions
        let total = options.totalTimeout
        options.totalTimeout = nil
        _ = try Deadline(total).remaining(checked)
        log?.call.leaveToTheExchange()
        return { [options] in
            do {
                return try await sharing.share(key, within: total) { close in
                    // The cookies of a later hop are those that the store has then; later callers may have others.
                    let onRedirect = settings.cookies == nil ? nil : close
                    return try await follow(checked, first: first, settings, options, log, onRedirect)
                }
            } catch is WaitedTooLong {
                let error = TransportError(.timedOut, request: checked)
                log?.fail(checked, error)
                throw error
            }
        }
    }

    /// The positions of a range are those of the bytes of the resource, and not of their codings (Fetch Standard §4.6).
    private static func askForNoCoding(_ request: inout URLRequest) {
        guard request.value(forHTTPHeaderField: "Accept-Encoding") == nil else { return }
        request.set(header: .custom(name: "Accept-Encoding", value: "identity"))
    }

    private nonisolated(nonsending) func follow(
        _ request: URLRequest,
        first: URLRequest,
        _ settings: CallSettings,
        _ options: TransportOptions,
        _ log: AttemptLog?,
        _ onRedirect: (@Sendable () -> Void)? = nil
    ) async throws -> TransportResponse {
        let redirects = RedirectFollower(
            policy: settings.redirects,
            sensitiveHeaders: settings.sensitiveHeaders,
            cookies: settings.cookies,
            onRedirect: onRedirect
        )
        guard let log else { return try await redirects.send(request, first: first, options, through: transport) }
        let logged = LoggedTransport(wrapped: transport, log: log, reportsHead: settings.givesBody(of:))
        do {
            return try await redirects.send(request, first: first, options, through: logged)
        } catch {
            log.fail(request, error)
            throw error
        }
    }

    /// The failure of a request to this URL as callers get it.
    ///
    /// After a call was cancelled every failure becomes `CancellationError`: transports report a cancellation in
    /// different ways.
    @inline(never)
    static func named(_ error: any Error, _ url: URL?) -> any Error {
        if CallScope.isCancelled { return CancellationError() }
        if let error = error as? TransportError { return NetworkClient.Error.requestError(type: error) }
        // From a transport that sends with URLSession by itself.
        guard let error = error as? URLError else { return error }
        return URLErrorClassification.wrap(error, url)
    }
}
