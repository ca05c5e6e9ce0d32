import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Sends requests and follows redirects by the same rules on every platform and transport.
struct RedirectFollower: Sendable {
    let policy: RedirectPolicy
    let sensitiveHeaders: [String]
    let cookies: CookieStore?
    private let time: any TimeSource

    init(
        policy: RedirectPolicy,
        sensitiveHeaders: [String],
        cookies: CookieStore? = nil,
        time: any TimeSource = SystemTimeSource()
    ) {
        self.policy = policy
        self.sensitiveHeaders = sensitiveHeaders
        self.cookies = cookies
        self.time = time
    }

    /// The most redirects that are followed, as in browsers and curl.
    static let limit = 20

    /// Sends a request, and the requests of the redirects that follow; the total timeout is for all hops together.
    ///
    /// The request is without the cookies of the store, since those depend on the URL of each hop. `first` is the first
    /// hop with its cookies; nil to add the cookies that the store has now. `onRedirect` is called before each later
    /// hop.
    nonisolated(nonsending) func send(
        _ request: URLRequest,
        first: URLRequest? = nil,
        _ options: TransportOptions,
        through transport: any Transport,
        observer: (any RedirectObserver)? = nil,
        onRedirect: (@Sendable () -> Void)? = nil
    ) async throws -> TransportResponse {
        var (request, first) = (request, first)
        let begin = time.now
        let deadline = Deadline(options.totalTimeout, since: begin, time: time)
        for redirects in 0...Self.limit {
            var options = options
            options.totalTimeout = try deadline.remaining(request, at: redirects == 0 ? begin : time.now)
            let sent = first ?? cookies?.adding(to: request) ?? request
            first = nil
            let response = try await transport.send(sent, options: options)
            cookies?.receive(response, to: request)
            guard let next = try next(after: response, to: request) else {
                response.head.add(redirects: redirects, total: time.now - begin)
                return try await collected(response, options, request)
            }
            // Reads the page so that the connection can be reused; a failure while reading does not fail the call.
            if response.body.isStreamed { _ = try? await response.body.channel.prefix(limit: Self.maximumPageLength) }
            try CallScope.checkCancellation()
            guard redirects < Self.limit else { break }
            request = next
            observer?.willFollow(response.head, with: next)
            onRedirect?()
        }
        throw TransportError(.tooManyRedirects, request: request)
    }

    private func next(after response: TransportResponse, to request: URLRequest) throws -> URLRequest? {
        do {
            return try RedirectRules(policy: policy, sensitiveHeaders: sensitiveHeaders)
                .next(after: response.head, to: request)
        } catch {
            if response.body.isStreamed { response.body.channel.cancel() }
            throw error
        }
    }

    /// Collects a streamed body where a complete one was asked for, and applies the limit where the transport did not.
    private nonisolated(nonsending) func collected(
        _ response: TransportResponse,
        _ options: TransportOptions,
        _ request: URLRequest
    ) async throws -> TransportResponse {
        guard !options.streamsBody else { return response }
        let body = response.body
        var (data, isCut) = (body.data, body.isCut)
        if body.isStreamed { (data, isCut) = try await body.channel.collect(limit: options.bodyLimit) }
        let limit = max(0, options.bodyLimit)
        if data.count > limit { (data, isCut) = (Data(data.prefix(limit)), true) }
        // A redirect that is not followed is the response of the call: if its status is accepted, the limit applies to
        // its page.
        guard !isCut || options.acceptedStatuses?.contains(response.head.status) == false else {
            throw TransportError(tooLargeBody: options.bodyLimit, request: request)
        }
        guard body.isStreamed || isCut else { return response }
        return TransportResponse(head: response.head, body: .whole(data, isCut: isCut))
    }

    /// The most bytes that are read of the page of a redirect.
    private static let maximumPageLength = 1 << 16
}

/// Is told of each redirect that is followed.
protocol RedirectObserver: AnyObject, Sendable {
    func willFollow(_ head: ResponseHead, with next: URLRequest)
}
