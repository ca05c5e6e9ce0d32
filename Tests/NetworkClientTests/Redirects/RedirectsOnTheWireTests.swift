import Foundation
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
            .set(header: .authorisation(.bearer("t")))
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
            #expect(second.value(forHeader: name) == nil)
        }
        #expect(second.value(forHeader: "X-Plain") == "1")
        #expect(second.value(forHeader: "Host") == "127.0.0.1:\(target.port)")
    }

    @Test(.spec(162), arguments: TransportUnderTest.all)
    func aRedirectTakesNoCredentialToAnotherHost(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer { request in
            guard request.path == "/a" else { return .respond() }
            let port = request.value(forHeader: "Host")?.split(separator: ":").last ?? ""
            return .redirect(to: "http://localhost:\(port)/b")
        }
        let request = URLRequest.get(url: server.url("/a"))
            .set(header: .authorisation(.bearer("t"))).set(header: .custom(name: "X-Plain", value: "1")).build()
        try await client.fetch(request: request)
        let second = try await server.request(at: 1)
        #expect(second.value(forHeader: "Host") == "localhost:\(server.port)")
        #expect(second.value(forHeader: "Authorization") == nil)
        #expect(second.value(forHeader: "X-Plain") == "1")
    }

    @Test(.spec(162)) func aRedirectTakesNoCredentialToAnotherSchemeAndNeverLeadsToHTTP() async throws {
        let sent = Recorder<URLRequest>()
        let transport = ClosureTransport { request in
            sent.record(request)
            let place = request.url?.absoluteString ?? ""
            switch request.url?.path {
            case "/up": return (Data(), .made(307, url: place, headers: ["Location": "https://h/b"]))
            case "/down": return (Data(), .made(307, url: place, headers: ["Location": "http://h/b"]))
            default: return (Data(), .made(200, url: place))
            }
        }
        let client = NetworkClient(transport: transport, logging: .off)
        let request = { URLRequest.get(url: url($0)).set(header: .authorisation(.bearer("t"))).build() }
        try await client.fetch(request: request("http://h/up"))
        #expect(sent.values.map(\.url) == [url("http://h/up"), url("https://h/b")])
        #expect(sent.values.map { $0.value(forHTTPHeaderField: "Authorization") } == ["Bearer t", nil])
        await #expect { try await client.fetch(request: request("https://h/down")) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .redirectRefused
        }
        #expect(sent.count == 3)
    }

    @Test(.spec(162)) func aRedirectTakesNoCredentialOfASessionToAnotherOrigin() async throws {
        let target = try LoopbackServer { _ in .respond() }
        let start = try LoopbackServer { _ in .redirect(to: target.url.absoluteString) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["Authorization": "Bearer t", "X-Plain": "1"]
        let client = NetworkClient(logging: .off, session: URLSession(configuration: configuration))
        try await client.fetch(request: URLRequest(url: start.url))
        #expect(try await start.request(at: 0).value(forHeader: "Authorization") == "Bearer t")
        #expect(try await target.request(at: 0).value(forHeader: "Authorization") == nil)
        #expect(try await target.request(at: 0).value(forHeader: "X-Plain") == "1")
    }

    @Test(.spec(164), arguments: TransportUnderTest.all)
    func aRedirectKeepsCredentialsWithinTheOrigin(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "b?x=1"), "/b": .json("7")])
        let request = URLRequest.get(url: server.url("/a")).set(header: .authorisation(auth: "t")).build()
        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
        #expect(response.item == 7)
        #expect(response.httpResponse.url == server.url("/b?x=1"))
        #expect(try await server.request(at: 1).value(forHeader: "Authorization") == "t")
    }

    @Test(.spec(185), arguments: TransportUnderTest.all)
    func aRedirectKeepsTheCredentialsOfTheURLForALocationWithoutAnAuthority(transport: TransportUnderTest) async throws
    {
        let server = try LoopbackServer { request in
            let authority = request.value(forHeader: "Host") ?? ""
            return switch request.path {
            case "/a": .redirect(to: "b")
            case "/b": .redirect(to: "http://v:w@\(authority)/c")
            case "/c": .redirect(to: "//\(authority)/d")
            default: .respond()
            }
        }
        let place = url("http://u:p@127.0.0.1:\(server.port)/a")
        let response = try await transport.client().fetch(request: URLRequest(url: place))
        #expect(response.httpResponse.url?.absoluteString == server.url("/d").absoluteString)
        let credentials = ["u:p", "u:p", "v:w"].map { "Basic \(Data($0.utf8).base64EncodedString())" }
        #expect(server.requests.map(\.path) == ["/a", "/b", "/c", "/d"])
        #expect(server.requests.map { $0.value(forHeader: "Authorization") } == credentials + [nil])
    }

    @Test(
        .spec(195),
        arguments: TransportUnderTest.all(without: .joinsFieldsOfOneName),
        [("/d", "/e"), ("d", "http://127.0.0.1:{port}/e"), ("http://127.0.0.1:{port}/d", "http://127.0.0.1:{port}/e")]
    )
    func theFirstOfTwoLocationsIsFollowed(
        transport: TransportUnderTest,
        locations: (first: String, second: String)
    ) async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/" else { return .respond() }
            let port = request.value(forHeader: "Host")?.split(separator: ":").last.map(String.init) ?? ""
            let values = [locations.first, locations.second].map { $0.replacingOccurrences(of: "{port}", with: port) }
            return .respond(status: 302, headers: ["Location": values[0], "Location": values[1]])
        }
        let outcome = try await transport.client().outcome(of: URLRequest(url: server.url("/")))
        let isRefused = transport.has(.refusesTwoLocations)
        #expect(outcome == (isRefused ? .failed(.malformedResponse) : .answered(200)))
        #expect(server.requests.map(\.path) == (isRefused ? ["/"] : ["/", "/d"]))
    }

    @Test(.spec(195), arguments: TransportUnderTest.all)
    func aLocationWithACommaIsOneReference(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            request.path == "/" ? .redirect(to: "/request?u=a, http://b") : .respond()
        }
        try await transport.client().fetch(request: URLRequest(url: server.url("/")))
        #expect(server.requests.map(\.target) == ["/", "/request?u=a,%20http://b"])
    }

    @Test(.spec(186), arguments: TransportUnderTest.all(without: .hearsOfHeadsLate))
    func aStreamedRedirectIsFollowedAlthoughItsPageBreaksOff(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            guard request.path == "/" else { return .respond(body: "there") }
            return [.send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 10\r\n\r\npage"), .closeWrite, .close]
        }
        let response = try await transport.client().stream(request: URLRequest(url: server.url("/")))
        #expect(try await response.item.text() == "there")
    }

    @Test(.spec(163), arguments: TransportUnderTest.all, [301, 302, 303])
    func aRedirectTurnsPOSTIntoGET(transport: TransportUnderTest, status: Int) async throws {
        let client = try transport.client()
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: status), "/b": .respond()])
        try await client.fetch(request: URLRequest.post(url: server.url("/a")).bodyJson(of: [1]).build())
        let second = try await server.request(at: 1)
        #expect(second.method == "GET")
        #expect(second.framing == .none)
        #expect(second.value(forHeader: "Content-Type") == nil)
    }

    @Test(
        .spec(163),
        arguments: TransportUnderTest.all,
        [
            (303, HTTPMethod.head, "HEAD"), (303, .put, "GET"), (303, .delete, "GET"), (301, .put, "PUT"),
            (302, .head, "HEAD"), (308, .delete, "DELETE"),
        ]
    )
    func aRedirectKeepsTheMethodOrTurnsItIntoGET(
        transport: TransportUnderTest,
        example: (status: Int, method: HTTPMethod, next: String)
    ) async throws {
        let server = try LoopbackServer { request in
            request.path == "/a" ? .redirect(to: "/b", status: example.status) : .respond()
        }
        let request = URLRequest.build().method(example.method, url: server.url("/a")).noBody().build()
        try await transport.client().fetch(request: request)
        #expect(server.requests.map(\.method) == [example.method.rawValue, example.next])
    }

    @Test(
        .spec(164),
        arguments: TransportUnderTest.all,
        [
            ("d", "/a/b/d"), ("../d", "/a/d"), ("../../../d", "/d"), ("./", "/a/b/"), ("?q=2", "/a/b/c?q=2"),
            ("/d#f", "/d"), ("//127.0.0.1:{port}/d", "/d"), ("http://127.0.0.1:{port}?q", "/?q"),
            ("d e/é", "/a/b/d%20e/%C3%A9"),
        ]
    )
    func aRedirectResolvesItsReference(transport: TransportUnderTest, example: (location: String, target: String))
        async throws
    {
        let server = try LoopbackServer { request in
            guard request.target == "/a/b/c?q=1" else { return .respond() }
            let port = request.value(forHeader: "Host")?.split(separator: ":").last.map(String.init) ?? ""
            return .redirect(to: example.location.replacingOccurrences(of: "{port}", with: port))
        }
        try await transport.client().fetch(request: URLRequest(url: server.url("/a/b/c?q=1")))
        #expect(server.requests.map(\.target) == ["/a/b/c?q=1", example.target])
    }

    @Test(.spec(165), arguments: TransportUnderTest.all, [true, false])
    func theSameOriginPolicyFollowsNoRedirectToAnotherOrigin(transport: TransportUnderTest, isOfTheClient: Bool)
        async throws
    {
        let other = try LoopbackServer { _ in .respond() }
        let server = try LoopbackServer(routes: [
            "/here": .redirect(to: "/there"), "/there": .redirect(to: other.url("/away").absoluteString),
        ])
        let policy = RedirectPolicy.sameOrigin
        let client = try transport.client(configuration: .init(redirects: isOfTheClient ? policy : .follow))
        let options = CallOptions(acceptedStatuses: [302], redirects: isOfTheClient ? nil : policy)
        let response = try await client.fetch(request: URLRequest(url: server.url("/here")), options: options)
        #expect(response["Location"] == other.url("/away").absoluteString)
        #expect(server.requests.map(\.path) == ["/here", "/there"])
        #expect(other.requestCount == 0)
    }

    @Test func allHopsShareOneTotalTimeout() async throws {
        let left = Recorder<TimeInterval>()
        let transport = ClosureTransport { request, options in
            left.record(options.totalTimeout ?? .infinity)
            let isLast = left.count == 5
            let response = HTTPURLResponse.made(isLast ? 200 : 302, url: "http://h/", headers: ["Location": "/"])
            return TransportResponse(response: response)
        }
        let client = NetworkClient(transport: transport, configuration: .init(totalTimeout: 60))
        try await client.fetch(request: URLRequest(url: url("http://h/")))
        #expect(left.values == left.values.sorted(by: >))
        #expect(Set(left.values).count == 5)
        #expect(left.values.allSatisfy { $0 <= 60 && $0 > 0 })
    }

    @Test func noHopBeginsAfterTheTotalTimeout() async throws {
        let (clock, count) = (TestClock(), Recorder<Int>())
        let transport = ClosureTransport { _ in
            count.record(1)
            clock.advance(by: 1.5)
            return (Data(), .made(302, url: "http://h/", headers: ["Location": "/"]))
        }
        let client = NetworkClient(transport: transport, configuration: .init(totalTimeout: 2, time: clock))
        await #expect { try await client.fetch(request: URLRequest(url: url("http://h/"))) } throws: {
            "\($0)".hasSuffix("it took longer than its total timeout of 2 s.")
        }
        #expect(count.count == 2)
    }

    @Test(.spec(164), arguments: TransportUnderTest.all)
    func aLoopOfRedirectsIsAnError(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer(recording: .countsOnly) { _ in .redirect(to: "/") }
        await #expect { try await client.fetch(request: URLRequest(url: server.url)) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .tooManyRedirects
        }
        #expect(server.requestCount == 21)
    }

    @Test(arguments: TransportUnderTest.all, ["file:///etc/passwd", "ftp://127.0.0.1/", "mailto:a@b.c"])
    func aRedirectCannotLeaveHTTP(transport: TransportUnderTest, location: String) async throws {
        let client = try transport.client()
        let server = try LoopbackServer { _ in .redirect(to: location) }
        await #expect { try await client.fetch(request: URLRequest(url: server.url)) } throws: {
            guard case NetworkClient.Error.requestError(let error) = $0 else { return false }
            return error.reason == .redirectRefused
        }
        #expect(server.requestCount == 1)
    }

    /// Such a port is not a number that fits an integer.
    @Test(arguments: TransportUnderTest.all, [6, 20, 1_000])
    func aRedirectToAnInvalidPortIsAnError(transport: TransportUnderTest, digits: Int) async throws {
        let client = try transport.client()
        let location = "http://127.0.0.1:\(String(repeating: "9", count: digits))/"
        let server = try LoopbackServer { _ in .redirect(to: location) }
        await #expect(throws: NetworkClient.Error.self) {
            try await withDeadline { _ = try await client.fetch(request: URLRequest(url: server.url)) }
        }
        #expect(server.requestCount == 1)
    }

    @Test(.spec(165), arguments: TransportUnderTest.all)
    func thePolicyNoneReturnsTheRedirectItself(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer { _ in .redirect(to: "/x", headers: ["X-A": "1"]) }
        let options = CallOptions(acceptedStatuses: [302], redirects: RedirectPolicy.none)
        let response = try await client.fetch(request: URLRequest(url: server.url), options: options)
        #expect(response.httpResponse.statusCode == 302)
        #expect(response["location"] == "/x")
        #expect(server.requestCount == 1)
    }
}
