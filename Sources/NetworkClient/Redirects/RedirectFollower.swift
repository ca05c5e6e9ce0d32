import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Follows redirects by one set of rules on every platform and transport.
struct RedirectFollower: Sendable {
    private let rules: RedirectRules
    private let cookies: CookieStore?
    /// Called before each hop but the first.
    private let onRedirect: (@Sendable () -> Void)?
    private let time: any TimeSource = SystemTimeSource()

    init(
        policy: RedirectPolicy,
        sensitiveHeaders: [String],
        cookies: CookieStore? = nil,
        onRedirect: (@Sendable () -> Void)? = nil
    ) {
        rules = RedirectRules(policy: policy, sensitiveHeaders: sensitiveHeaders)
        self.cookies = cookies
        self.onRedirect = onRedirect
    }

    /// As many as browsers and curl follow before they call it a loop.
    static let limit = 20

    /// Sends a request, and what follows from redirects; the total timeout is for all hops together.
    ///
    /// The request is without the cookies of the store, since those depend on the URL of each hop; `first` is what the
    /// first hop sends, or nil to add the cookies that the store has now.
    nonisolated(nonsending) func send(
        _ request: URLRequest,
        first: URLRequest? = nil,
        _ options: TransportOptions,
        through transport: any Transport
    ) async throws -> TransportResponse {
        var (request, first) = (request, first)
        let deadline = Deadline(options.totalTimeout)
        let begin = time.now
        for redirects in 0...Self.limit {
            var options = options
            options.totalTimeout = try deadline.remaining(request)
            let sent = first ?? cookies?.adding(to: request) ?? request
            first = nil
            let answer = try await transport.send(sent, options: options)
            cookies?.receive(answer, to: request)
            guard let next = try next(after: answer, to: request) else {
                record(redirects, since: begin, in: answer.head)
                return try await whole(answer, options, request)
            }
            // Read so that the connection can be used again. A page that breaks off does not fail the call.
            if answer.body.isStreamed { _ = try? await answer.body.channel.prefix(limit: Self.mostDropped) }
            try CallScope.checkCancellation()
            request = next
            onRedirect?()
        }
        throw TransportError(.tooManyRedirects, request: request)
    }

    private func next(after answer: TransportResponse, to request: URLRequest) throws -> URLRequest? {
        do {
            return try rules.next(after: answer.head, to: request)
        } catch {
            if answer.body.isStreamed { answer.body.channel.cancel() }
            throw error
        }
    }

    /// Collects a body that was not asked for as a stream, and sees to the limit where the transport did not.
    private nonisolated(nonsending) func whole(
        _ answer: TransportResponse,
        _ options: TransportOptions,
        _ request: URLRequest
    ) async throws -> TransportResponse {
        guard !options.streamsBody else { return answer }
        var (data, isCut) = (answer.body.data, answer.body.isCut)
        if answer.body.isStreamed { (data, isCut) = try await answer.body.channel.collect(limit: options.bodyLimit) }
        let limit = max(0, options.bodyLimit)
        if data.count > limit { (data, isCut) = (Data(data.prefix(limit)), true) }
        // The page of a redirect that leads nowhere is the response that the caller gets.
        guard !isCut || options.acceptedStatuses?.contains(answer.head.status) == false else {
            throw TransportError(tooLargeBody: options.bodyLimit, request: request)
        }
        guard answer.body.isStreamed || isCut else { return answer }
        return TransportResponse(head: answer.head, body: .whole(data, isCut: isCut))
    }

    /// Bytes of the body of a redirect, of which nobody wants more than that it ends.
    private static let mostDropped = 1 << 16

    /// Completes what the transport knows of one exchange by what is known of all.
    private func record(_ redirects: Int, since begin: TimeInterval, in head: ResponseHead) {
        head.add(redirects: redirects, total: time.now - begin)
    }
}
