import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Values of a caller never become lines of the request.
struct InjectionOnTheWireTests {
    @Test(.spec(26), arguments: TransportUnderTest.all)
    func noTraceOfAnInjectionIsSent(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.get(url: $0)
                .set(header: .custom(name: "X-A", value: "1\r\nX-Evil: 1"))
                .set(header: .custom(name: "X-B\r\nX-Evil", value: "1"))
                .set(header: .custom(name: "X-C", value: "1\u{0}2\n"))
                .set(header: .authorisation(auth: "t\r\nX-Evil: 1"))
                .build()
        }
        #expect(request.value(forHeader: "X-A") == "1  X-Evil: 1")
        #expect(request.value(forHeader: "X-C") == "1 2")
        #expect(request.value(forHeader: "Authorization") == "t  X-Evil: 1")
        #expect(request.value(forHeader: "X-Evil") == nil)
        #expect(!request.headText.contains("X-B"))
    }

    @Test(.spec(26), arguments: TransportUnderTest.all)
    func noTraceOfAnInjectionThroughTheURLIsSent(transport: TransportUnderTest) async throws {
        let evil = " HTTP/1.1\r\nX-Evil: 1\r\n\r\n"
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.get(url: url($0.absoluteString + "/%0D%0AX-Evil:%201")).add(query: evil, value: evil).build()
        }
        let escaped = "%20HTTP/1.1%0D%0AX-Evil%3A%201%0D%0A%0D%0A"
        #expect(request.target == "/items/%0D%0AX-Evil:%201?\(escaped)=\(escaped)")
        #expect(request.value(forHeader: "X-Evil") == nil)
    }

    @Test(.spec(26), arguments: TransportUnderTest.all)
    func anInvalidRequestIsNotSent(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer { _ in .respond() }
        var request = URLRequest(url: server.url)
        request.httpMethod = "GET / HTTP/1.1\r\nX-Evil: 1\r\n\r\nGET"
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        request.httpMethod = "GET"
        request.allHTTPHeaderFields = ["X-A: 1\r\nX-Evil": "1"]
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        #expect(server.connectionCount == 0)
    }

    private static let invalid: [@Sendable (inout URLRequest) -> Void] = [
        { $0.httpMethod = "GET / HTTP/1.1\r\nX-Evil: 1\r\n\r\nGET" },
        { $0.allHTTPHeaderFields = ["X-A: 1\r\nX-Evil": "1"] },
        { $0.allHTTPHeaderFields = ["X-A": "1\r\nX-Evil: 1"] },
        { $0.allHTTPHeaderFields = ["Transfer-Encoding": "chunked"] },
        { $0.allHTTPHeaderFields = ["Content-Length": "7"] },
        { $0.allHTTPHeaderFields = ["Host": ""] },
    ]

    /// A transport may be used without a client, or through one that changes the request.
    @Test(.spec(26), arguments: TransportUnderTest.all, invalid.indices)
    func aTransportWithoutAClientSendsNoInvalidRequest(transport: TransportUnderTest, index: Int) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let transport = try transport.transport()
        for method in ["GET", "POST"] {
            var request = URLRequest(url: server.url)
            request.httpMethod = method
            Self.invalid[index](&request)
            let invalid = request
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(invalid, options: TransportOptions())
            }
            #expect(error?.reason == .invalidRequest)
        }
        #expect(server.connectionCount == 0)
    }

    /// A server may refuse a number that a caller has written in another form.
    @Test(arguments: TransportUnderTest.all, ["+4", " 4", "4, 4", "0x4", "-4", ""])
    func aStatedLengthIsSentAsANumber(transport: TransportUnderTest, length: String) async throws {
        let client = try transport.client()
        let server = try LoopbackServer { _ in .respond() }
        var request = URLRequest(url: server.url)
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data("1234".utf8))
        request.setValue(length, forHTTPHeaderField: "Content-Length")
        let isNumber = [" 4", "4, 4"].contains(length)
        #expect(await client.outcome(of: request) == (isNumber ? .answered(200) : .failed(.invalidRequest)))
        #expect(server.requests.map(\.framing) == (isNumber ? [.contentLength(4)] : []))
        #expect(server.malformed.isEmpty)
    }
}
