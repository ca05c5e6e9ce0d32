import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct NetworkClientDescriptionTests {
    private struct SigningInterceptor: InterceptorProtocol {
        let secret = "s3cret"

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            try await next(request)
        }
    }

    private func lines(_ interceptors: [any InterceptorProtocol], base: String? = nil) -> [Substring] {
        let client = NetworkClient(
            transport: StubTransport(),
            interceptors: interceptors,
            configuration: .init(baseURL: base.map { url($0) })
        )
        return "\(client)".split(separator: "\n")
    }

    @Test func anInterceptorWithDefaultsNeedsNoParentheses() {
        let without: [any InterceptorProtocol] = [
            .tracing, .idempotencyKey, .retry, .circuitBreaker, .compression, .logging,
        ]
        let with: [any InterceptorProtocol] = [
            .tracing(), .idempotencyKey(), .retry(), .circuitBreaker(), .compression(), .logging(),
        ]
        expect(lines(without), lines(with))
        let shown = "Tracing → IdempotencyKey → Retry → CircuitBreaker → Compression → Logging"
        expect(lines(without).first.map(String.init), "NetworkClient: \(shown) → StubTransport")
    }

    @Test func aClientShowsItsChainWithoutSecrets() {
        let bearer = AuthenticationScheme.bearer("s3cret")
        let chain: [any InterceptorProtocol] = [
            .standardResilience, .authentication(bearer, origins: [url("https://h")]), SigningInterceptor(),
        ]
        expect(
            lines(chain, base: "https://user:s3cret@h/v1?api_key=s3cret"),
            [
                "https://h/v1: Deadline (30 s) → Retry → ConcurrencyLimit → CircuitBreaker → "
                    + "WaitTimeout (10 s) → Authentication → Signing → StubTransport"
            ]
        )
        expect(lines([]), ["NetworkClient: StubTransport"])
    }

    @Test func anOrderThatHardlyMakesSenseIsNamed() {
        let bearer = AuthenticationInterceptor(.bearer("t"), origins: [url("https://h")])
        let orders: [([any InterceptorProtocol], String?)] = [
            ([.retry(), .deadline(3)], "The deadline is inside the retry"),
            ([.waitTimeout(3), .retry()], "The wait timeout is outside the retry"),
            ([.concurrencyLimit(3), .retry()], "The concurrency limit is outside the retry"),
            ([bearer, .retry()], "The retry is inside the authentication"),
            ([.retry(), .retry()], "Two retries multiply"),
            ([.retry(), .compression()], "The compression is inside the retry"),
            ([bearer, .compression()], "The compression is inside the authentication"),
            ([.compression(), .retry(), bearer], nil),
            ([.deadline(3), .retry(), bearer, .waitTimeout(1)], nil), ([.waitTimeout(1), bearer], nil),
        ]
        for (order, doubt) in orders {
            let lines = lines(order)
            expect(lines.count, doubt == nil ? 1 : 2)
            if let doubt { expect(lines.last?.hasPrefix(doubt), true, "\(lines)") }
        }
    }

    @Test func anAuthenticationThatIsNotForTheBaseURLIsNamed() {
        let bearer = AuthenticationScheme.bearer("t")
        let local = url("http://localhost:8080")
        let other = lines([.authentication(bearer, origins: [local])], base: "http://127.0.0.1:8080")
        expect(
            other.dropFirst().map { "\($0)" },
            ["The authentication is for 'http://localhost:8080', not for the base URL: leave out its origins."]
        )
        expect(lines([.authentication(bearer, origins: [url("https://h:443")])], base: "https://h/v1").count, 1)
        expect(
            lines([.authentication(bearer, origins: [url("https://h"), url("https://i")])], base: "https://h").last,
            "The authentication never goes to 'https://i': the client sends credentials only to its base URL."
        )
        expect(lines([.authentication(bearer)], base: "https://h").count, 1)
        expect(
            lines([.authentication(bearer)]).dropFirst().map { "\($0)" },
            ["The authentication has no origins, and the client no base URL: its calls fail."]
        )
    }
}
