import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The request lines that a server receives for paths behind a base URL.
struct PathOnTheWireTests {
    @Test(.spec(19), arguments: TransportUnderTest.all)
    func eachPathValueIsSentAsOneSegment(transport: TransportUnderTest) async throws {
        let value = "a/b?é%:x"
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.builder(baseURL: $0).get(path: "/users/\(value)/posts").add(query: "q", value: "1+1").build()
        }
        #expect(request.target == "/items/users/a%2Fb%3F%C3%A9%25:x/posts?q=1%2B1")
    }

    @Test(.spec(19), arguments: TransportUnderTest.all)
    func anExpandedTemplateIsSent(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.builder(baseURL: $0)
                .get(path: .template("{/id}{?page,tags*}", variables: ["id": "a b", "page": 2, "tags": ["x", "y,z"]]))
                .build()
        }
        #expect(request.target == "/items/a%20b?page=2&tags=x&tags=y%2Cz")
    }

    @Test(.spec(31), arguments: TransportUnderTest.all)
    func thePortOfTheBaseURLIsSent(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.builder(baseURL: $0).get(path: "/a").build()
        }
        let port = try #require(request.value(forHeader: "Host")?.split(separator: ":").last)
        #expect(request.value(forHeader: "Host") == "127.0.0.1:\(port)" && UInt16(port) != nil)
    }

    @Test(.spec(21), arguments: TransportUnderTest.all)
    func aRequestEndsWhenTheTimeoutOfItsBuilderHasPassed(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in [.wait(Gate(), orPeerClose: true), .close] }
        let request = URLRequest.get(url: server.url("/items")).timeout(0.2).build()
        let failure = await #expect(throws: NetworkClient.Error.self) {
            try await transport.client().fetch(request: request)
        }
        guard case .requestError(let error)? = failure else {
            Issue.record("expected a failed request")
            return
        }
        #expect(error.reason == .timedOut)
    }
}
