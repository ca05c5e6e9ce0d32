#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Bodies that break off, and versions of libcurl that don't notice it.
struct CurlCutBodyTests {
    private let client: NetworkClient

    init() throws {
        let configuration = CurlTransport.Configuration(security: .init(trustRoots: TLSFixtures.root))
        client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    /// No version notices that NO_ERROR comes before the end of a response (RFC 9113, section 8.1).
    @Test(.spec(246), .needsHTTP2, arguments: [0, 8] as [UInt32])
    func aStreamThatTheServerResetsInItsBodyIsLostUnlessThereIsNoError(code: UInt32) async throws {
        let server = try HTTP2Server { .cut($0, body: "abc", code: code) }
        let outcome = await client.outcome(of: URLRequest(url: server.url("/a")))
        #expect(outcome == (code == 0 ? .answered(200, "abc") : .failed(.connectionLost)))
    }

    /// Before 8.14, libcurl does not notice that `close_notify` is missing, unless the length is known.
    @Test(
        .spec(246),
        .enabled(if: TLSConfiguration.isAvailable, "there is no OpenSSL here"),
        arguments: [.omitted, .stated(10)] as [ScriptedResponse.Length]
    )
    func aBodyThatEndsWithoutCloseNotifyIsLostIfThatCanBeKnown(length: ScriptedResponse.Length) async throws {
        let tls = TLSConfiguration(omitsCloseNotify: true)
        let server = try LoopbackServer(tls: tls) { _ in [.respond(length: length, body: "abc"), .close] }
        let outcome = await client.outcome(of: URLRequest(url: server.url))
        if case .omitted = length, LoadedLibcurl.isOlder(than: 8, 14) {
            #expect(outcome == .answered(200, "abc"))
        } else {
            #expect(outcome == .failed(.connectionLost))
        }
    }
}
#endif
