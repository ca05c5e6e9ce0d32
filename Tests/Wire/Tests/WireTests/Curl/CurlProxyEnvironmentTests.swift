#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The proxies that the variables of the environment name.
struct CurlProxyEnvironmentTests {
    @Test(.spec(285)) func theDescriptionOfATransportShowsItsProxyWithoutCredentials() async throws {
        let proxy = CurlTransport.Proxy.server(url("http://user:s3cret@127.0.0.1:3128"))
        let transport = try CurlTransport(configuration: .init(proxy: proxy))
        #expect(transport.description.hasSuffix(", proxy http://127.0.0.1:3128)"))
        await #expect(processExitsWith: .success) {
            for name in ["http_proxy", "all_proxy", "ALL_PROXY"] { unsetenv(name) }
            setenv("https_proxy", "u:s3cret@proxy.example:8080", 1)
            let description = try CurlTransport().description
            #expect(description.hasSuffix(", proxy http://proxy.example:8080)"), "\(description)")
        }
    }

    /// Returns whether the proxy or the server responds in a process with these variables, in which PROXY is its
    /// address.
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

    /// Each test has its own process, since the environment belongs to the whole process.
    @Test(
        arguments: [
            ["http_proxy": "PROXY"], ["all_proxy": "PROXY"], ["ALL_PROXY": "PROXY"],
            ["http_proxy": "PROXY", "no_proxy": "example.com"],
        ]
    )
    func aRequestGoesThroughTheProxyOfTheEnvironment(variables: [String: String]) async {
        await #expect(processExitsWith: .success) { [variables] in
            let answer = try await CurlProxyEnvironmentTests.answer(with: variables, .environment)
            #expect(answer == "proxy")
        }
    }

    /// A web server passes a request's field `Proxy` to its programs as `HTTP_PROXY` (RFC 3875 §4.1.18).
    @Test(
        arguments: [
            [:], ["HTTP_PROXY": "PROXY"], ["https_proxy": "PROXY"], ["http_proxy": ""],
            ["http_proxy": "PROXY", "no_proxy": "example.com,127.0.0.1"], ["http_proxy": "PROXY", "NO_PROXY": "*"],
        ]
    )
    func aRequestGoesToTheServerIfTheEnvironmentHasNoProxyForIt(variables: [String: String]) async {
        await #expect(processExitsWith: .success) { [variables] in
            let answer = try await CurlProxyEnvironmentTests.answer(with: variables, .environment)
            #expect(answer == "server")
        }
    }

    @Test func theEnvironmentIsIgnoredIfTheConfigurationHasNoProxy() async {
        await #expect(processExitsWith: .success) {
            let answer = try await CurlProxyEnvironmentTests.answer(with: ["http_proxy": "PROXY"], .none)
            #expect(answer == "server")
        }
    }
}
#endif
