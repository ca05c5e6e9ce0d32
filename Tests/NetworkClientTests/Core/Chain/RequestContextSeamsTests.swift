import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What an interceptor of a user learns of the call as the library's do.
struct RequestContextSeamsTests {
    private let request = URLRequest(url: url("https://api.example.com/items"))

    @Test(.spec(306)) func theRequestsOfARefreshAreToldFromOthers() async throws {
        let (seen, clients) = (Recorder<String>(), Recorder<NetworkClient>())
        let stub = StubTransport(otherwise: .status(200))
        stub.on(.get("/items"), .status(401), .status(200))
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in
            for client in clients.values { try await client.fetch(.get(url: url("https://api.example.com/refresh"))) }
            return AccessToken("new")
        }
        let looks = ClosureInterceptor(runsInCallersTask: true) { request, next in
            seen.record("\(request.url?.path ?? "") \(RequestContext.current.isOfRefresh)")
            return try await next(request)
        }
        let origins = [url("https://api.example.com")]
        let client = NetworkClient(
            transport: stub,
            interceptors: [looks, .authentication(.bearer(session), origins: origins)]
        )
        clients.record(client)
        try await client.fetch(request: request)
        expect(seen.values, ["/items false", "/refresh true"])
    }

    @Test(.spec(126, 306)) func aComputationOfAnInterceptorEndsWithItsCall() async throws {
        let reached = Gate()
        let computes = ClosureInterceptor(runsInCallersTask: true) { _, _ in
            reached.open()
            while true {
                try RequestContext.current.checkCancellation()
                await Task.yield()
            }
        }
        let client = NetworkClient(transport: StubTransport(), interceptors: [computes])
        let call = Task { try await client.fetch(request: request) }
        try await withDeadline { try await reached.wait() }
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
    }
}
