import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct DefaultTransportTests {
    /// By their transports: traffic of other tests may take the place of an idle connection.
    @Test func clientsWithoutATransportShareTheDefaultTransport() {
        let clients = (0..<2).map { _ in NetworkClient() }
        expect(Set(clients.map { ObjectIdentifier($0.transport as AnyObject) }).count, 1)
    }

    #if os(Linux)
    /// `scripts/libcurl test 7.74` runs the tests on a libcurl that is too old.
    @Test(.spec(177)) func theDefaultTransportDrivesLibcurlFrom7761OnAndIsURLSessionBelow() async throws {
        let transport = NetworkClient().transport
        let version = CurlLibrary.version
        #expect(version.hasPrefix(LoadedLibcurl.version) && !LoadedLibcurl.version.isEmpty)
        if LoadedLibcurl.isOlder(than: 7, 76, 1) {
            #expect(transport is URLSessionTransport)
            expect(transport.description, "URLSessionTransport (libcurl \(version) is older than 7.76.1)")
            let error = #expect(throws: TransportError.self) { try CurlTransport() }
            expect(error?.reason, .unsupported)
            expect(error?.detail, "libcurl \(version) is older than 7.76.1")
        } else {
            #expect(transport is CurlTransport)
            expect(
                transport.description,
                "CurlTransport (libcurl \(version), HTTP/\(CurlLibrary.hasHTTP2 ? "2" : "1.1"))"
            )
        }
        let server = try LoopbackServer { _ in .respond() }
        let request = URLRequest.get(url: server.url).build()
        expect(try await NetworkClient(logging: .off).fetch(request: request).statusCode, 200)
    }

    @Test func theDefaultTransportIsURLSessionAndSaysWhyIfLibcurlCannotBeUsed() async throws {
        let transport = DefaultTransport.choose(problem: "the libcurl that was found lacks functions")
        expect(transport.description, "URLSessionTransport (the libcurl that was found lacks functions)")
        let server = try LoopbackServer { _ in .respond() }
        let client = NetworkClient(transport: transport, logging: .off)
        expect(try await client.fetch(request: URLRequest.get(url: server.url).build()).statusCode, 200)
    }

    @Test(.spec(177)) func aClientWhoseDefaultTransportFellBackLogsTheReasonOnce() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let request = URLRequest.get(url: server.url).build()
        let reason = "libcurl 7.74.0 is older than 7.76.1"
        let line = "[NetworkClient] Requests are sent with URLSessionTransport instead of CurlTransport: "
        let stream = RecordingStream()
        let logger = DefaultLogger.default(requestLevel: .off, logStream: stream)
        let client = NetworkClient(transport: DefaultTransport.choose(problem: reason), logging: logger)
        for _ in 0..<2 { try await client.fetch(request: request) }
        expect(stream.records.first, .init(message: line + reason, type: .warning))
        #expect(stream.messages.dropFirst().allSatisfy { $0.contains("→ 200") } && stream.messages.count == 3)
        // `scripts/libcurl test 7.74` runs it on a libcurl that is too old.
        let records = RecordingStream()
        _ = NetworkClient(logging: .default(logStream: records))
        let isTooOld = LoadedLibcurl.isOlder(than: 7, 76, 1)
        expect(records.messages, (isTooOld ? ["\(line)libcurl \(CurlLibrary.version) is older than 7.76.1"] : []))
    }

    @Test func theDefaultTransportCannotBeShutDown() async throws {
        (NetworkClient().transport as? CurlTransport)?.shutDown()
        let server = try LoopbackServer { _ in .respond() }
        let client = NetworkClient(logging: .off)
        expect(try await client.fetch(request: URLRequest.get(url: server.url).build()).statusCode, 200)
    }
    #else
    @Test func theDefaultTransportIsURLSession() {
        expect(NetworkClient().transport.description, "URLSessionTransport")
    }
    #endif
}
