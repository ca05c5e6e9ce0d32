import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Follows redirects by one set of rules on every platform and transport.
struct RedirectFollower: Sendable {
    private let rules: RedirectRules

    init(policy: RedirectPolicy, sensitiveHeaders: [String]) {
        rules = RedirectRules(policy: policy, sensitiveHeaders: sensitiveHeaders)
    }

    /// As many as browsers and curl follow before they call it a loop.
    static let limit = 20

    func send(
        _ request: URLRequest,
        _ options: TransportOptions,
        through transport: any Transport
    ) async throws -> TransportResponse {
        var request = request
        let deadline = Deadline(options.totalTimeout)
        for _ in 0...Self.limit {
            var options = options
            options.totalTimeout = try deadline.remaining(request)
            let answer = try await transport.send(request, options: options)
            guard let next = try rules.next(after: answer.response, to: request) else { return answer }
            try CallScope.checkCancellation()
            request = next
        }
        throw TransportError(.tooManyRedirects, request: request)
    }
}
