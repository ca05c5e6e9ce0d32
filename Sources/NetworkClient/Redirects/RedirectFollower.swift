import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Follows redirects by one set of rules on every platform and transport.
struct RedirectFollower: Sendable {
    private let rules: RedirectRules
    private let cookies: CookieStore?
    private let time: any TimeSource = SystemTimeSource()

    init(policy: RedirectPolicy, sensitiveHeaders: [String], cookies: CookieStore? = nil) {
        rules = RedirectRules(policy: policy, sensitiveHeaders: sensitiveHeaders)
        self.cookies = cookies
    }

    /// As many as browsers and curl follow before they call it a loop.
    static let limit = 20

    nonisolated(nonsending) func send(
        _ request: URLRequest,
        _ options: TransportOptions,
        through transport: any Transport
    ) async throws -> TransportResponse {
        var request = request
        let deadline = Deadline(options.totalTimeout)
        let begin = time.now
        for redirects in 0...Self.limit {
            var options = options
            options.totalTimeout = try deadline.remaining(request)
            // Added to a copy: the next hop has the cookies for its own URL.
            let answer = try await transport.send(cookies?.adding(to: request) ?? request, options: options)
            cookies?.receive(answer, to: request)
            guard let next = try next(after: answer, to: request) else {
                record(redirects, since: begin, in: answer.head)
                return try await whole(answer, options, request)
            }
            // The connection can be used again when nothing is left on it.
            if answer.body.isStreamed { _ = try await answer.body.channel.prefix(limit: Self.mostDropped) }
            try CallScope.checkCancellation()
            request = next
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

    /// A body that was not asked for as a stream is put together.
    private nonisolated(nonsending) func whole(
        _ answer: TransportResponse,
        _ options: TransportOptions,
        _ request: URLRequest
    ) async throws -> TransportResponse {
        guard answer.body.isStreamed, !options.streamsBody else { return answer }
        guard let data = try await answer.body.channel.collect(limit: options.bodyLimit) else {
            throw TransportError(tooLargeBody: options.bodyLimit, request: request)
        }
        return TransportResponse(head: answer.head, body: .whole(data))
    }

    /// Bytes of the body of a redirect, of which nobody wants more than that it ends.
    private static let mostDropped = 1 << 16

    /// Completes what the transport knows of one exchange by what is known of all.
    private func record(_ redirects: Int, since begin: TimeInterval, in head: ResponseHead) {
        head.add(redirects: redirects, total: time.now - begin)
    }
}
