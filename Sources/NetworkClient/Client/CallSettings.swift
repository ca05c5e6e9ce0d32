import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What holds for one call: the client's configuration with the call's own options before it.
struct CallSettings: Sendable {
    let acceptedStatuses: AcceptedStatuses
    let decoder: any DecoderProtocol
    let redirects: RedirectPolicy
    let sensitiveHeaders: [String]
    let cookies: CookieStore?
    var transportOptions: TransportOptions
    /// What takes the body while it comes; nil if that is for nobody, or for the caller.
    let taker: (any BodyTaker)?
    /// Where it is said how far the body of the request is; nil if nobody wants to know.
    let upload: ProgressBoard?
    /// The opt-in that the request had when the caller gave it; no interceptor sees it.
    let sharing: SharingOptIn?
    /// The log of the call; nil if nothing is logged.
    let log: CallLog?
    /// Where the client's credentials may go; nil for anywhere.
    let scope: CredentialScope?

    init(
        _ configuration: NetworkClient.Configuration,
        _ options: CallOptions,
        decoder: any DecoderProtocol,
        request: URLRequest,
        delivery: BodyDelivery = .whole,
        upload: ProgressBoard? = nil,
        log: CallLog? = nil
    ) {
        acceptedStatuses = options.acceptedStatuses ?? configuration.acceptedStatuses
        self.decoder = options.decoder ?? decoder
        redirects = options.redirects ?? configuration.redirects
        sensitiveHeaders = configuration.sensitiveHeaders
        cookies = configuration.cookies
        var transportOptions = TransportOptions(
            bodyLimit: options.bodyLimit ?? configuration.bodyLimit,
            totalTimeout: options.totalTimeout ?? configuration.totalTimeout,
            streamsBody: delivery.isStreamed
        )
        transportOptions.acceptedStatuses = acceptedStatuses
        transportOptions.redirectStatuses = redirects.followsSome ? RedirectRules.statuses : []
        self.transportOptions = transportOptions
        taker = delivery.taker
        self.upload = upload
        self.log = log
        // A body that is read while it comes can be read once, and progress is that of one call.
        sharing = delivery.isStreamed || upload != nil ? nil : SharingOptIn(of: request)
        scope = configuration.baseURL.map { baseURL in
            CredentialScope(
                origin: Origin(of: baseURL),
                fields: CredentialFields(sensitiveHeaders: configuration.sensitiveHeaders),
                given: request.allHTTPHeaderFields ?? [:]
            )
        }
    }

    /// Whether the caller reads the body of this response, after the call has returned.
    func givesBody(of head: ResponseHead) -> Bool {
        transportOptions.streamsBody && taker == nil && acceptedStatuses.contains(head.status)
    }
}
