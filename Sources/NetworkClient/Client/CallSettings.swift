import Foundation

/// What holds for one call: the client's configuration with the call's own options before it.
struct CallSettings: Sendable {
    let acceptedStatuses: AcceptedStatuses
    let decoder: any DecoderProtocol
    let redirects: RedirectPolicy
    let sensitiveHeaders: [String]
    let transportOptions: TransportOptions
    /// The opt-in that the request had when the caller gave it; no interceptor sees it.
    let sharing: SharingOptIn?

    init(
        _ configuration: NetworkClient.Configuration,
        _ options: CallOptions,
        decoder: any DecoderProtocol,
        sharing: SharingOptIn?
    ) {
        acceptedStatuses = options.acceptedStatuses ?? configuration.acceptedStatuses
        self.decoder = options.decoder ?? decoder
        redirects = options.redirects ?? configuration.redirects
        sensitiveHeaders = configuration.sensitiveHeaders
        transportOptions = TransportOptions(
            bodyLimit: options.bodyLimit ?? configuration.bodyLimit,
            totalTimeout: options.totalTimeout ?? configuration.totalTimeout
        )
        self.sharing = sharing
    }
}
