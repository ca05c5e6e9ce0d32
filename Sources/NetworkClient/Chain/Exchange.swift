import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What lies inside the interceptors: sharing, then redirects, then the transport.
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
            throw Self.named(error, request)
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
        let checked = try RequestValidation.check(request)
        guard let optIn, let key = SharingKey(of: checked, settings, optIn) else {
            return { try await follow(checked, settings, log) }
        }
        log?.call.leaveToTheExchange()
        return { try await sharing.share(key) { try await follow(checked, settings, log) } }
    }

    private nonisolated(nonsending) func follow(
        _ request: URLRequest,
        _ settings: CallSettings,
        _ log: AttemptLog?
    ) async throws -> TransportResponse {
        let redirects = RedirectFollower(
            policy: settings.redirects,
            sensitiveHeaders: settings.sensitiveHeaders,
            cookies: settings.cookies
        )
        guard let log else { return try await redirects.send(request, settings.transportOptions, through: transport) }
        let logged = LoggedTransport(wrapped: transport, log: log, reportsHead: settings.givesBody(of:))
        do {
            return try await redirects.send(request, settings.transportOptions, through: logged)
        } catch {
            log.fail(request, error)
            throw error
        }
    }

    /// The failure as callers get it.
    @inline(never)
    static func named(_ error: any Error, _ request: URLRequest) -> any Error {
        if let error = error as? TransportError { return NetworkClient.Error.requestError(type: error) }
        // From a transport that sends with URLSession by itself.
        guard let error = error as? URLError else { return error }
        return error.code == .cancelled && Task.isCancelled
            ? CancellationError() : URLErrorClassification.wrap(error, request)
    }
}
