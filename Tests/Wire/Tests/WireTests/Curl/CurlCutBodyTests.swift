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

    /// Whether libcurl takes a reset in a body for its end: NO_ERROR with every version (RFC 9113, section 8.1), and
    /// any code before 7.80.
    private static func isHidden(_ code: UInt32) -> Bool { code == 0 || LoadedLibcurl.isOlder(than: 7, 80) }

    @Test(.spec(246), .needsHTTP2, arguments: [0, 8] as [UInt32])
    func aStreamThatTheServerResetsInItsBodyIsLostUnlessThereIsNoError(code: UInt32) async throws {
        let server = try HTTP2Server { .cut($0, body: "abc", code: code) }
        let outcome = await client.outcome(of: URLRequest(url: server.url("/a")))
        #expect(outcome == (Self.isHidden(code) ? .answered(200, "abc") : .failed(.connectionLost)))
    }

    /// The point of a response at which its stream is reset.
    enum Point: CaseIterable, Sendable {
        case beforeTheHead, afterTheHead, inTheBody, beforeTheEnd

        func answer(_ request: HTTP2Request, _ length: Int?, _ code: UInt32) -> HTTP2Answer {
            let body = String(repeating: "x", count: 60_000)
            return switch self {
            case .beforeTheHead: .reset(request, code: code)
            case .afterTheHead: .cut(request, body: nil, of: length, code: code)
            case .inTheBody: .cut(request, body: body, of: length.map { 2 * $0 }, code: code)
            case .beforeTheEnd: .cut(request, body: body, of: length, code: code)
            }
        }
    }

    /// The ways to receive a body.
    enum Way: CaseIterable, Sendable {
        case fetch, stream, download, post

        func count(_ url: URL, _ client: NetworkClient) async throws -> Int {
            switch self {
            case .fetch: return try await client.fetch(URLRequest(url: url), as: Data.self).item.count
            case .post:
                return try await client.fetch(.post(url: url).bodyData(Data([1])), as: Data.self).item.count
            case .stream: return try await client.stream(URLRequest(url: url)).item.data().count
            case .download:
                let folder = try TemporaryDirectory()
                let file = folder.url.appendingPathComponent("file")
                _ = try await client.download(URLRequest(url: url), to: file).value
                return try Data(contentsOf: file).count
            }
        }
    }

    /// Every code of RFC 9113, section 7; 13 makes libcurl send the request again over HTTP/1.1.
    @Test(.spec(301), .needsHTTP2, .needsNoSanitizer, arguments: 0...13 as ClosedRange<UInt32>, Way.allCases)
    func noBodyThatIsCutByAResetIsASuccess(code: UInt32, way: Way) async throws {
        for point in Point.allCases {
            for length in [nil, 60_000] {
                let server = try HTTP2Server { request in
                    guard request.stream > 0 else { return .respond(to: request, body: ["again"]) }
                    return point.answer(request, length, code)
                }
                let result = await Result { try await withDeadline { try await way.count(server.url("/a"), client) } }
                let place: Comment = "\(point), length \(length as Any): \(result)"
                switch result {
                case .success(let count): #expect(isAllowed(count, point, length, code), place)
                case .failure(NetworkClient.Error.requestError(let error)):
                    #expect(error.reason == .connectionLost, place)
                case .failure: Issue.record(place)
                }
            }
        }
    }

    /// Whether a body of some bytes may be a success.
    private func isAllowed(_ count: Int, _ point: Point, _ length: Int?, _ code: UInt32) -> Bool {
        // The response over HTTP/1.1, which libcurl before 8.1 uses for streams, and any after the code 13.
        if count == 5 { return true }
        // No byte is missing.
        if point == .beforeTheEnd, length != nil { return count == length }
        // What libcurl hides: see SPEC 246 and ENGINE.md.
        return Self.isHidden(code) && length == nil && count == (point == .afterTheHead ? 0 : 60_000)
    }

    /// A frame that is longer than the client allows (RFC 9113, section 4.2).
    @Test(.spec(246), .needsHTTP2, arguments: [nil, 10])
    func aBodyThatAProtocolErrorEndsIsLostIfThatCanBeKnown(length: Int?) async throws {
        let server = try HTTP2Server { .endingWithALongFrame($0, body: "abc", of: length) }
        var request = URLRequest(url: server.url("/a"))
        // 8.4 waits for the end of the connection.
        request.timeoutInterval = 1
        let outcome = await client.outcome(of: request)
        let isHidden = length == nil && LoadedLibcurl.isOlder(than: 8, 0)
        let failures: [Outcome] = [.failed(.connectionLost), .failed(.timedOut)]
        #expect(isHidden ? outcome == .answered(200, "abc") : failures.contains(outcome))
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

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
#endif
