import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct CookieStoreExchangeTests {
    private let store = CookieStore()

    private func cookieField(_ given: [String: String], _ place: String = "https://h/") -> String? {
        var request = URLRequest(url: url(place))
        request.allHTTPHeaderFields = given
        return store.adding(to: request).value(forHTTPHeaderField: "Cookie")
    }

    @Test(arguments: [
        ([:], "a=1; b=2"), (["Cookie": "c=3"], "c=3; a=1; b=2"), (["cookie": " c=3; a=9 "], "c=3; a=9; b=2"),
        (["Cookie": ""], "a=1; b=2"), (["Cookie": "a"], "a; b=2"), (["Cookie": "b = x ;; a=;"], "b = x ;; a=;"),
        (["Cookie": "A=1"], "A=1; a=1; b=2"), (["Cookie": "x=a=1"], "x=a=1; a=1; b=2"),
    ])
    func putsWhatTheRequestHasFirst(given: [String: String], expected: String) {
        store.receive(["a=1", "b=2"], from: url("https://h/"))
        #expect(cookieField(given) == expected)
    }

    @Test func leavesARequestAloneForWhichThereIsNothing() throws {
        store.receive(["a=1; Path=/x"], from: url("https://h/"))
        let request = URLRequest.get(url: url("https://h/")).set(header: .custom(name: "Cookie", value: "own=1"))
            .build()
        #expect(store.adding(to: request).allHTTPHeaderFields == request.allHTTPHeaderFields)
        #expect(cookieField([:]) == nil)
    }

    @Test func takesNoPartInARequestThatHandlesNoCookies() throws {
        store.receive(["a=1"], from: url("https://h/"))
        var request = URLRequest(url: url("https://h/"))
        request.httpShouldHandleCookies = false
        #expect(store.adding(to: request).value(forHTTPHeaderField: "Cookie") == nil)
        let answer = TransportResponse(response: .made(url: "https://h/", headers: ["Set-Cookie": "b=2"]))
        store.receive(answer, to: request)
        #expect(store.cookies.map(\.name) == ["a"])
        request.httpShouldHandleCookies = true
        store.receive(answer, to: request)
        #expect(store.cookies.map(\.name) == ["a", "b"])
        #expect(store.adding(to: request).httpShouldHandleCookies == false)
    }

    @Test func isAskedForEachHopAnew() async throws {
        let sent = Recorder<String>()
        let transport = ClosureTransport { request in
            sent.record(request.value(forHTTPHeaderField: "Cookie") ?? "-")
            let place = request.url?.absoluteString ?? ""
            switch place {
            case "https://a.example/1":
                return (Data(), .made(307, url: place, headers: ["Location": "/2", "Set-Cookie": "hop=1"]))
            case "https://a.example/2":
                return (
                    Data(), .made(307, url: place, headers: ["Location": "https://b.example/", "Set-Cookie": "x=1"])
                )
            default: return (Data(), .made(url: place))
            }
        }
        store.receive(["b=1"], from: url("https://b.example/"))
        let client = NetworkClient(transport: transport, logging: .off, configuration: .init(cookies: store))
        let request = URLRequest.get(url: url("https://a.example/1")).set(
            header: .custom(name: "Cookie", value: "own=1")
        )
        try await client.fetch(request: request.build())
        #expect(sent.values == ["own=1", "own=1; hop=1", "b=1"])
    }

    @Test func keepsNothingOfARequestThatFailed() async throws {
        let transport = ClosureTransport { request, _ in throw TransportError(.timedOut, request: request) }
        let client = NetworkClient(transport: transport, logging: .off, configuration: .init(cookies: store))
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest(url: url("https://h/")))
        }
        #expect(store.cookies.isEmpty)
    }

    @Test(.spec(94)) func showsInterceptorsNothingThatIsStored() async throws {
        let seen = SeenFields()
        let transport = ClosureTransport { request in
            #expect(request.value(forHTTPHeaderField: "Cookie") == "a=s3cret")
            return (Data(), .made(url: "https://h/"))
        }
        let client = NetworkClient(
            transport: transport,
            interceptors: [seen],
            logging: .off,
            configuration: .init(cookies: store)
        )
        store.receive(["a=s3cret"], from: url("https://h/"))
        try await client.fetch(request: URLRequest(url: url("https://h/")))
        #expect(seen.fields.values == [[:]])
    }
}

private struct SeenFields: InterceptorProtocol {
    let fields = Recorder<[String: String]>()

    func process(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
    ) async throws -> NetworkClient.ChainResult {
        fields.record(request.allHTTPHeaderFields ?? [:])
        return try await next(request)
    }
}
