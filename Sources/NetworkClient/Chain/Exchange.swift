import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What lies inside the interceptors: sharing, then redirects, then the transport.
struct Exchange: Sendable {
    let transport: any Transport
    let sharing: SharedExchanges

    func perform(_ request: URLRequest, _ settings: CallSettings) async throws -> TransportResponse {
        do {
            try CallScope.checkCancellation()
            let optIn = SharingOptIn(of: request) ?? settings.sharing
            var request = request.clearingInstanceCaching()
            settings.scope?.confine(&request)
            let checked = try RequestValidation.check(request)
            guard let optIn, let key = SharingKey(of: checked, settings, optIn) else {
                return try await follow(checked, settings)
            }
            return try await sharing.share(key) { try await follow(checked, settings) }
        } catch let error as TransportError {
            throw NetworkClient.Error.requestError(type: error)
        } catch let error as URLError {
            // From a transport that sends with URLSession by itself.
            if error.code == .cancelled, Task.isCancelled { throw CancellationError() }
            throw URLErrorClassification.wrap(error, request)
        }
    }

    private func follow(_ request: URLRequest, _ settings: CallSettings) async throws -> TransportResponse {
        let redirects = RedirectFollower(policy: settings.redirects, sensitiveHeaders: settings.sensitiveHeaders)
        return try await redirects.send(request, settings.transportOptions, through: transport)
    }
}
