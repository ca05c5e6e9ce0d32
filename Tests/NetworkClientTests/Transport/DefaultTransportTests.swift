import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct DefaultTransportTests {
    @Test func isSharedByClientsThatAreGivenNone() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let request = URLRequest.get(url: server.url).build()
        try await NetworkClient(logging: .off).fetch(request: request)
        try await NetworkClient(logging: .off).fetch(request: request)
        #expect(server.requests.map(\.connection) == [0, 0])
    }

    #if os(Linux)
    @Test func drivesLibcurl() {
        #expect(NetworkClient().transport is CurlTransport)
    }

    @Test func isURLSessionAndSaysWhyWithoutLibcurl() async throws {
        let transport = DefaultTransport.choose(problem: "libcurl 7.29.0 is older than 7.68")
        #expect(transport.description == "URLSessionTransport (libcurl 7.29.0 is older than 7.68)")
        let server = try LoopbackServer { _ in .respond() }
        let client = NetworkClient(transport: transport, logging: .off)
        #expect(try await client.fetch(request: URLRequest.get(url: server.url).build()).statusCode == 200)
    }

    @Test func cannotBeShutDown() async throws {
        (NetworkClient().transport as? CurlTransport)?.shutDown()
        let server = try LoopbackServer { _ in .respond() }
        let client = NetworkClient(logging: .off)
        #expect(try await client.fetch(request: URLRequest.get(url: server.url).build()).statusCode == 200)
    }
    #else
    @Test func isURLSession() {
        #expect(NetworkClient().transport.description == "URLSessionTransport")
    }
    #endif
}
