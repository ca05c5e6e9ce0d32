import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Uploads that the server refuses early, that have to be sent again, or that cannot be read.
struct UploadTests {
    private struct Broken: Error, Equatable {}

    /// A body whose reader does something, and then fails.
    private struct Scripted: BodySource, RequestBody {
        let length = 10
        let mediaType: MediaType? = nil
        let action: @Sendable () -> Void

        func makeContent() -> RequestContent { .source(self) }
        func open() -> any BodyReader { Reader(action) }

        final class Reader: BodyReader {
            private let action: @Sendable () -> Void

            init(_ action: @escaping @Sendable () -> Void) {
                self.action = action
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
                action()
                throw Broken()
            }

            func close() {}
        }
    }

    /// Longer than the buffers between client and server, so that it is still being sent when the server responds.
    private static let longLength = 4 << 20

    @Test(arguments: TransportUnderTest.all, BodyKind.allCases)
    func aResponseBeforeTheEndOfTheUploadIsReturned(transport: TransportUnderTest, kind: BodyKind) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer(
            recording: .withoutBodies,
            onHead: { request in request.path == "/next" ? .none : .final(.respond(status: 413, body: "too much")) },
            handler: { _ in .respond(body: "next") }
        )
        let client = try transport.client()
        let (request, _) = try kind.request(to: server.url, length: Self.longLength, in: directory)
        expect(await client.outcome(of: request), .refused(413, "too much"))
        expect(await client.outcome(of: URLRequest(url: server.url("/next"))), .answered(200, "next"))
    }

    @Test(arguments: TransportUnderTest.all, BodyKind.allCases)
    func anUploadFailsWhenTheServerClosesTheConnection(transport: TransportUnderTest, kind: BodyKind) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer(onHead: { _ in .final([.reset]) }, handler: { _ in .respond() })
        let (request, _) = try kind.request(to: server.url, length: Self.longLength, in: directory)
        expect(await (try transport.client()).outcome(of: request), .failed(.connectionLost))
        // The client may know of the end before the server has written it down.
        try await withDeadline { try await server.waitForRequests(count: 1) }
        expect(server.requestCount, 1)
    }

    @Test(.spec(163), arguments: TransportUnderTest.all, [307, 308])
    func anUploadIsSentAgainAfterARedirect(transport: TransportUnderTest, status: Int) async throws {
        let directory = try TemporaryDirectory()
        for kind in BodyKind.allCases {
            let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: status), "/b": .respond()])
            let (request, body) = try kind.request(to: server.url("/a"), in: directory)
            let outcome = await (try transport.client()).outcome(of: request)
            expect(outcome, (kind.isReplayable ? .answered(200) : .failed(.bodyNotReplayable)), "\(kind)")
            expect(server.requests.map(\.path), (kind.isReplayable ? ["/a", "/b"] : ["/a"]))
            #expect(server.requests.allSatisfy { $0.method == "POST" && $0.body == body }, "\(kind)")
        }
    }

    @Test(.spec(163), arguments: TransportUnderTest.all, BodyKind.allCases.filter(\.isReplayable))
    func anUploadIsSentAgainAfterARedirectBeforeItsEnd(transport: TransportUnderTest, kind: BodyKind) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer(
            onHead: { $0.path == "/a" ? .final(.redirect(to: "/b", status: 307)) : .none },
            handler: { _ in .respond() }
        )
        let (request, body) = try kind.request(to: server.url("/a"), length: Self.longLength, in: directory)
        expect(await (try transport.client()).outcome(of: request), .answered(200))
        // The first may end, cut off, after the second.
        expect(server.heads.map(\.path), ["/a", "/b"])
        expect(server.requests.first { $0.path == "/b" }?.body, body)
    }

    @Test(arguments: TransportUnderTest.all)
    func anUploadOfAStreamIsSentOnce(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client()
        let (request, body) = try BodyKind.stream.request(to: server.url, in: directory)
        expect(await client.outcome(of: request), .answered(200))
        expect(await client.outcome(of: request), .failed(.bodyNotReplayable))
        expect(server.requests.map(\.body), [body])
    }

    @Test(arguments: TransportUnderTest.all)
    func anUploadSendsNoExpectField(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        for kind in BodyKind.allCases {
            let server = try LoopbackServer { _ in .respond() }
            let (request, _) = try kind.request(to: server.url, length: 2 << 20, in: directory)
            expect(await (try transport.client()).outcome(of: request), .answered(200))
            expect(server.requests.first?.value(forHeader: "Expect"), nil)
        }
    }

    @Test(arguments: TransportUnderTest.all)
    func anUploadThatCannotBeReadSaysSo(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client()
        let request = try URLRequest.post(url: server.url).body(Scripted {}).build()
        await #expect {
            try await withDeadline { try await client.fetch(request: request) }
        } throws: {
            guard case NetworkClient.Error.requestError(let failure) = $0 else { return false }
            return failure.reason == .bodyUnreadable && failure.underlying is Broken
        }
        expect(server.requestCount, 0)
    }

    @Test(arguments: TransportUnderTest.all)
    func anUploadMayCancelItsOwnCall(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client()
        let request = try URLRequest.post(url: server.url).body(Scripted { client.cancelAll() }).build()
        expect(await client.outcome(of: request), .cancelled)
    }
}
