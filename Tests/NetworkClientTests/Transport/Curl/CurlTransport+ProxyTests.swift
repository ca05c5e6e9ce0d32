#if os(Linux)
import Foundation
import FoundationNetworking
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct CurlTransportProxyTests {
    private func client(_ configuration: CurlTransport.Configuration) throws -> NetworkClient {
        NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    private func client(_ proxy: CurlTransport.Proxy) throws -> NetworkClient {
        try client(.init(proxy: proxy))
    }

    @Test func goesThroughAProxyOfTheUsersOwn() async throws {
        let proxy = try LoopbackServer { _ in .respond(body: "from the proxy") }
        let client = try client(.server(proxy.url))
        let response: NetworkClient.Response<String> = try await client.fetch(
            request: URLRequest.get(url: url("http://example.invalid/a?b=1")).build()
        )
        #expect(response.item == "from the proxy")
        #expect(proxy.requests.first?.target == "http://example.invalid/a?b=1")
        #expect(proxy.requests.first?.value(forHeader: "Host") == "example.invalid")
    }

    @Test func givesTheProxyItsCredentialAndNobodyElse() async throws {
        let proxy = try LoopbackServer { _ in .respond() }
        let server = try LoopbackServer { _ in .respond() }
        let place = try #require(URL(string: "http://user:secret@127.0.0.1:\(proxy.port)"))
        let configuration = CurlTransport.Configuration(proxy: .server(place, except: ["127.0.0.1"]))
        let client = try client(configuration)
        try await client.fetch(request: URLRequest.get(url: url("http://example.invalid/")).build())
        try await client.fetch(request: URLRequest.get(url: server.url).build())
        let expected = "Basic \(Data("user:secret".utf8).base64EncodedString())"
        #expect(proxy.requests.map { $0.value(forHeader: "Proxy-Authorization") } == [expected])
        #expect(server.requests.map { $0.value(forHeader: "Proxy-Authorization") } == [nil])
        #expect(!"\(configuration.proxy)".contains("secret"))
        #expect(!String(reflecting: configuration).contains("secret"))
    }

    /// What a proxy says when it makes a tunnel is not the server's answer, however its body is read.
    @Test(.enabled(if: TLSServer.isAvailable, "there is no OpenSSL here"), arguments: [true, false])
    func goesThroughATunnel(isStreamed: Bool) async throws {
        let answer = "HTTP/1.1 200 Connection established\r\nContent-Encoding: rot13\r\nX-From: proxy\r\n\r\n"
        let proxy = try TunnelProxy(answer: answer)
        let plain = try LoopbackServer { _ in .respond(status: 201, headers: ["X-From": "server"], body: "hello") }
        let server = try TLSServer(before: plain)
        let client = try client(
            .init(proxy: .server(proxy.url), security: .init(trustRoots: TLSFixtures.root))
        )
        let request = URLRequest.get(url: server.url).build()
        if isStreamed {
            let response = try await client.stream(request: request)
            #expect(response.statusCode == 201 && response["X-From"] == "server")
            #expect(try await response.item.text() == "hello")
        } else {
            let response: NetworkClient.Response<String> = try await client.fetch(request: request)
            #expect(response.statusCode == 201 && response["X-From"] == "server" && response.item == "hello")
        }
        #expect(proxy.requestLines == ["CONNECT localhost:\(server.port) HTTP/1.1"])
    }

    @Test func leavesTheProxyOutForTheHostsThatAreNamed() async throws {
        let proxy = try LoopbackServer { _ in .respond(body: "from the proxy") }
        let server = try LoopbackServer { _ in .respond(body: "from the server") }
        let client = try client(.server(proxy.url, except: ["example.com", "127.0.0.1"]))
        let response: NetworkClient.Response<String> = try await client.fetch(
            request: URLRequest.get(url: server.url).build()
        )
        #expect(response.item == "from the server")
        #expect(proxy.requests.isEmpty)
    }

    @Test func saysThatAProxyCannotBeReached() async throws {
        let refusing = try RefusingPort()
        let client = try client(.server(refusing.url))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: URLRequest.get(url: url("http://example.invalid/")).build())
        }
        guard case .requestError(let failure)? = error else {
            Issue.record("not a failure of the transport")
            return
        }
        #expect(failure.reason == .connectionRefused)
    }

    /// Who answers a request in a process in whose environment there are these proxies, PROXY standing for one.
    private static func answer(with variables: [String: String], _ proxy: CurlTransport.Proxy) async throws -> String {
        let intermediary = try LoopbackServer { _ in .respond(body: "proxy") }
        let server = try LoopbackServer { _ in .respond(body: "server") }
        for name in ["http_proxy", "https_proxy", "all_proxy", "no_proxy"] {
            unsetenv(name)
            unsetenv(name.uppercased())
        }
        for (name, value) in variables {
            setenv(name, value.replacingOccurrences(of: "PROXY", with: intermediary.url.absoluteString), 1)
        }
        let client = NetworkClient(transport: try CurlTransport(configuration: .init(proxy: proxy)), logging: .off)
        let response: NetworkClient.Response<String> = try await client.fetch(
            request: URLRequest.get(url: server.url).build()
        )
        return response.item
    }

    /// The environment belongs to the whole process, so that each of these has a process of its own.
    @Test(
        arguments: [
            ["http_proxy": "PROXY"], ["all_proxy": "PROXY"], ["ALL_PROXY": "PROXY"],
            ["http_proxy": "PROXY", "no_proxy": "example.com"],
        ]
    )
    func goesThroughTheProxyOfTheEnvironment(variables: [String: String]) async {
        await #expect(processExitsWith: .success) { [variables] in
            let answer = try await CurlTransportProxyTests.answer(with: variables, .environment)
            #expect(answer == "proxy")
        }
    }

    /// A web server may have been sent a field `Proxy`, which its programs find as `HTTP_PROXY` (RFC 3875 §4.1.18).
    @Test(
        arguments: [
            [:], ["HTTP_PROXY": "PROXY"], ["https_proxy": "PROXY"], ["http_proxy": ""],
            ["http_proxy": "PROXY", "no_proxy": "example.com,127.0.0.1"], ["http_proxy": "PROXY", "NO_PROXY": "*"],
        ]
    )
    func goesToTheServerWhereTheEnvironmentNamesNoProxyForIt(variables: [String: String]) async {
        await #expect(processExitsWith: .success) { [variables] in
            let answer = try await CurlTransportProxyTests.answer(with: variables, .environment)
            #expect(answer == "server")
        }
    }

    @Test func mindsNoEnvironmentWhereItIsToldSo() async {
        await #expect(processExitsWith: .success) {
            let answer = try await CurlTransportProxyTests.answer(with: ["http_proxy": "PROXY"], .none)
            #expect(answer == "server")
        }
    }
}
#endif
