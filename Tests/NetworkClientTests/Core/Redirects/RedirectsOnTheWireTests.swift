import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct RedirectsOnTheWireTests {
    @Test(.spec(162), arguments: TransportUnderTest.all)
    func aRedirectTakesNoCredentialToAnotherOrigin(transport: TransportUnderTest) async throws {
        let target = try LoopbackServer { _ in .json("{}") }
        let start = try LoopbackServer { _ in .redirect(to: target.url("/x").absoluteString, status: 307) }
        let request = URLRequest.get(url: start.url)
            .set(header: .authorization(.bearer("t")))
            .set(header: .custom(name: "Cookie", value: "c"))
            .set(header: .custom(name: "Proxy-Authorization", value: "p"))
            .set(header: .custom(name: "Origin", value: "o"))
            .set(header: .custom(name: "X-Tenant", value: "secret"))
            .set(header: .custom(name: "X-Plain", value: "1"))
            .build()
        let client = try transport.client(configuration: .init(sensitiveHeaders: ["x-tenant"]))
        try await client.fetch(request: request)
        let first = try await start.request(at: 0)
        let second = try await target.request(at: 0)
        for name in ["Authorization", "Cookie", "Proxy-Authorization", "Origin", "X-Tenant"] {
            #expect(first.value(forHeader: name) != nil)
            expect(second.value(forHeader: name), nil)
        }
        expect(second.value(forHeader: "X-Plain"), "1")
        expect(second.value(forHeader: "Host"), "127.0.0.1:\(target.port)")
    }

    @Test(.spec(162)) func aRedirectTakesNoCredentialOfASessionToAnotherOrigin() async throws {
        let target = try LoopbackServer { _ in .respond() }
        let start = try LoopbackServer { _ in .redirect(to: target.url.absoluteString) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer t", "X-Plain": "1"]
        let client = NetworkClient(logging: .off, session: URLSession(configuration: configuration))
        try await client.fetch(request: URLRequest(url: start.url))
        expect(try await start.request(at: 0).value(forHeader: "Authorization"), "Bearer t")
        expect(try await target.request(at: 0).value(forHeader: "Authorization"), nil)
        expect(try await target.request(at: 0).value(forHeader: "X-Plain"), "1")
    }

    @Test(.spec(164, 185, 195), arguments: TransportUnderTest.all)
    func aRedirectResolvesItsReferenceAndKeepsCredentialsWithinTheOrigin(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            let authority = request.value(forHeader: "Host") ?? ""
            return switch request.path {
            case "/x/a": .redirect(to: "../b?u=a, http://b")
            case "/b": .redirect(to: "http://v:w@\(authority)/c")
            case "/c": .redirect(to: "//\(authority)/d e/é#f")
            default: .json("7")
            }
        }
        let request = URLRequest.get(url: url("http://u:p@127.0.0.1:\(server.port)/x/a"))
            .set(header: .custom(name: "X-Tenant", value: "secret")).build()
        let client = try transport.client(configuration: .init(sensitiveHeaders: ["x-tenant"]))
        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
        expect(response.item, 7)
        let targets = ["/x/a", "/b?u=a,%20http://b", "/c", "/d%20e/%C3%A9"]
        expect(response.httpResponse.url?.absoluteString, server.url("/d%20e/%C3%A9#f").absoluteString)
        let credentials = ["u:p", "u:p", "v:w"].map { "Basic \(Data($0.utf8).base64EncodedString())" }
        expect(server.requests.map(\.target), targets)
        expect(server.requests.map { $0.value(forHeader: "Authorization") }, credentials + [nil])
        #expect(server.requests.allSatisfy { $0.value(forHeader: "X-Tenant") == "secret" })
    }

    @Test(.spec(195), arguments: TransportUnderTest.all(without: .joinsFieldsOfOneName))
    func theFirstOfTwoLocationsIsFollowed(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/" else { return .respond() }
            let other = "http://\(request.value(forHeader: "Host") ?? "")/e"
            return .respond(status: 302, headers: ["Location": "/d", "Location": other])
        }
        let outcome = try await transport.client().outcome(of: URLRequest(url: server.url("/")))
        let isRefused = transport.has(.refusesTwoLocations)
        expect(outcome, (isRefused ? .failed(.malformedResponse) : .answered(200)))
        expect(server.requests.map(\.path), (isRefused ? ["/"] : ["/", "/d"]))
    }

    @Test(.spec(186), arguments: TransportUnderTest.all(without: .hearsOfHeadsLate))
    func aStreamedRedirectIsFollowedAlthoughItsBodyBreaksOff(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/" else { return .respond(body: "there") }
            return [.send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 10\r\n\r\npage"), .closeWrite, .close]
        }
        let response = try await transport.client().stream(URLRequest(url: server.url("/")))
        expect(try await response.item.text(), "there")
    }

    @Test(
        .spec(163),
        arguments: TransportUnderTest.all,
        [
            (301, HTTPMethod.post, "GET"), (303, .head, "HEAD"), (303, .delete, "GET"), (301, .put, "PUT"),
            (308, .post, "POST"),
        ]
    )
    func aRedirectKeepsTheMethodAndTheBodyOrTurnsThemIntoGET(
        transport: TransportUnderTest,
        example: (status: Int, method: HTTPMethod, next: String)
    ) async throws {
        let server = try LoopbackServer { request in
            request.path == "/a" ? .redirect(to: "/b", status: example.status) : .respond()
        }
        var request = URLRequest(url: server.url("/a"))
        request.method = example.method
        let hasBody = [.post, .put].contains(example.method)
        if hasBody {
            request.httpBody = Data("[1]".utf8)
            request.set(header: .custom(name: "Content-Type", value: "application/json"))
        }
        try await transport.client().fetch(request: request)
        expect(server.requests.map(\.method), [example.method.rawValue, example.next])
        let isKept = hasBody && example.next != "GET"
        let second = try await server.request(at: 1)
        expect(second.bodyText, (isKept ? "[1]" : ""))
        if !hasBody || !isKept { expect(second.framing, .none) }
        expect(second.value(forHeader: "Content-Type"), (isKept ? "application/json" : nil))
    }

    @Test(
        .spec(165, 242),
        arguments: TransportUnderTest.all,
        [(RedirectPolicy.sameOrigin, true), (.sameOrigin, false), (.never, false)]
    )
    func aRedirectThatThePolicyDoesNotFollowIsTheResponse(
        transport: TransportUnderTest,
        example: (policy: RedirectPolicy, isOfTheClient: Bool)
    ) async throws {
        let other = try LoopbackServer { _ in .respond() }
        let server = try LoopbackServer(routes: [
            "/here": .redirect(to: "/there"), "/there": .redirect(to: other.url("/away").absoluteString),
        ])
        let (policy, isOfTheClient) = example
        let client = try transport.client(configuration: .init(redirects: isOfTheClient ? policy : .follow))
        let options = CallOptions(acceptedStatuses: [302], redirects: isOfTheClient ? nil : policy)
        let response = try await client.fetch(request: URLRequest(url: server.url("/here")), options: options)
        let isFollowed = policy != .never
        expect(response.httpResponse.statusCode, 302)
        expect(response["Location"], (isFollowed ? other.url("/away").absoluteString : "/there"))
        expect(server.requests.map(\.path), (isFollowed ? ["/here", "/there"] : ["/here"]))
        expect(other.requestCount, 0)
    }

    @Test func allHopsShareOneAttemptTimeoutAndNoneBeginsAfterIt() async throws {
        let clock = TestClock()
        let scene = ResilienceScene([], clock: clock) { _, _ in
            clock.advance(by: 1.5)
            return (Data(), .made(302, url: "http://h/", headers: ["Location": "/"]))
        }
        let error = await scene.failure("http://h/", options: CallOptions(attemptTimeout: 4))
        expect(error?.localizedDescription.hasSuffix("it took longer than its attempt timeout of 4 s."), true)
        expect(scene.limits.values, [4, 2.5, 1])
    }

    @Test(.spec(164), arguments: TransportUnderTest.all)
    func aLoopOfRedirectsIsAnError(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer(recording: .countsOnly) { _ in .redirect(to: "/") }
        await #expect { try await client.fetch(request: URLRequest(url: server.url)) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .tooManyRedirects
        }
        expect(server.requestCount, 21)
    }

    /// Such a port is not a number that fits an integer.
    @Test(
        .spec(162),
        arguments: TransportUnderTest.all,
        ["file:///etc/passwd"] + [6, 20, 1_000].map { "http://127.0.0.1:\(String(repeating: "9", count: $0))/" }
    )
    func aRedirectToAnotherSchemeOrToAnInvalidPortIsAnError(transport: TransportUnderTest, location: String)
        async throws
    {
        let client = try transport.client()
        let server = try LoopbackServer { _ in .redirect(to: location) }
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await withDeadline { _ = try await client.fetch(request: URLRequest(url: server.url)) }
        }
        if location.hasPrefix("file") { expect(error?.reason, .redirectRefused) }
        expect(server.requestCount, 1)
    }
}
