import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Uploads and their progress.
struct NetworkClientUploadTests {
    private struct Receipt: Codable, Equatable, Sendable { var count: Int }

    private static let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })

    @Test(.spec(130, 134), arguments: TransportUnderTest.all)
    func anUploadReturnsTheResponseAndReportsItsProgress(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", Self.body)
        let server = try LoopbackServer { request in .json(#"{"count":\#(request.body.count)}"#) }
        let request = URLRequest(url: server.url).posting()
        let upload = try transport.client().upload(request: request, file: file, as: Receipt.self)
        var seen: [TransferProgress] = []
        for await progress in upload.progress { seen.append(progress) }
        let response = try await upload.value
        expectAll((response.item, response.statusCode), (Receipt(count: Self.body.count), 200))
        expect(server.requests.first?.body, Self.body)
        expect(seen.first, TransferProgress(completed: 0, total: Self.body.count))
        expect(seen.last?.fraction, 1)
        expect(seen.map(\.completed), seen.map(\.completed).sorted())
    }

    @Test(.spec(130), arguments: TransportUnderTest.all, BodyKind.allCases)
    func anUploadThatTheServerRefusesThrowsItsError(transport: TransportUnderTest, kind: BodyKind) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .respond(status: 500, body: "no") }
        let (request, _) = try kind.request(to: server.url, in: directory)
        let upload: Transfer<NetworkClient.Response<EmptyResponse>> = try transport.client().upload(request)
        let error = await #expect(throws: NetworkClient.Error.self) { try await upload.value }
        expect(error?.statusCode, 500)
        try await withDeadline("the progress to end") { for await _ in upload.progress {} }
    }

    @Test(.spec(131), arguments: TransportUnderTest.all, BodyKind.allCases)
    func anUploadSendsEachKindOfBody(transport: TransportUnderTest, kind: BodyKind) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .respond() }
        let (request, body) = try kind.request(to: server.url, length: 100_000, in: directory)
        let client = try transport.client(interceptors: [HeadersInterceptor([.custom(name: "X-Seen", value: "yes")])])
        let upload: Transfer<NetworkClient.Response<EmptyResponse>> = client.upload(request)
        _ = try await upload.value
        expect(server.requests.first?.body, body)
        expect(server.requests.first?.value(forHeader: "X-Seen"), "yes")
        var last: TransferProgress?
        for await progress in upload.progress { last = progress }
        if kind.isReplayable { expect(last, TransferProgress(completed: body.count, total: body.count)) }
    }

    @Test(arguments: TransportUnderTest.all)
    func theProgressOfAnUploadNeverFallsWhenTheBodyIsSentAgain(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: 307), "/b": .respond()])
        var request = URLRequest(url: server.url("/a")).posting()
        request.httpBody = Self.body
        let upload: Transfer<NetworkClient.Response<EmptyResponse>> = try transport.client().upload(request)
        var seen: [TransferProgress] = []
        for await progress in upload.progress { seen.append(progress) }
        _ = try await upload.value
        expect(server.requests.map(\.body), [Self.body, Self.body])
        expect(seen.map(\.completed), seen.map(\.completed).sorted())
        expect(seen.last?.fraction, 1)
    }

    /// An upload that broke off is sent again from the beginning of its source.
    @Test(.spec(130), arguments: TransportUnderTest.all)
    func anInterceptorMaySendAnUploadAgain(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("file.bin", Self.body)
        let attempts = Locked(0)
        let server = try LoopbackServer(
            onHead: { _ in
                attempts.withLock { $0 += 1 }
                return attempts.withLock { $0 } < 3 ? .final([.reset]) : .none
            },
            handler: { request in .json(#"{"count":\#(request.body.count)}"#) }
        )
        let client = try transport.client(interceptors: [PersistentInterceptor()])
        let request = URLRequest(url: server.url).posting()
        let upload = client.upload(request: request, file: file, as: Receipt.self)
        var seen: [TransferProgress] = []
        for await progress in upload.progress { seen.append(progress) }
        expect(try await upload.value.item, Receipt(count: Self.body.count))
        expect(attempts.withLock { $0 }, 3)
        expect(server.requests.last?.body, Self.body)
        expect(seen.map(\.completed), seen.map(\.completed).sorted())
        expect(seen.last?.fraction, 1)
    }

    @Test func anUploadOfAMissingFileReportsIt() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = NetworkClient(logging: .off)
        let file = URL(fileURLWithPath: "/nowhere/file.bin")
        let uploads: [@Sendable () async throws -> Void] = [
            { _ = try await client.upload(request: URLRequest(url: server.url).posting(), file: file).value },
            { _ = try await client.upload(.put(url: server.url).bodyFile(at: file)).value },
            { _ = try await client.fetch(.put(url: server.url).bodyFile(at: file)) },
        ]
        for upload in uploads {
            let error = await #expect(throws: NetworkClient.Error.self) { try await upload() }
            let sentence = "The request failed: its body could not be read: there is no file '/nowhere/file.bin'."
            expectAll((error?.reason, error?.description), (.bodyUnreadable, sentence))
            guard case .requestError(let failure) = error else { continue }
            expect(failure.underlying as? BodySourceError, .fileMissing(url: file))
        }
        expect(server.requestCount, 0)
    }

    @Test(.spec(132), arguments: TransportUnderTest.all)
    func releasingTheHandleStopsAnUpload(transport: TransportUnderTest) async throws {
        let hasClosed = Gate()
        let server = try LoopbackServer { _ in [.awaitPeerClose(then: hasClosed)] }
        let client = try transport.client()
        var request = URLRequest(url: server.url).posting()
        request.httpBody = Data("body".utf8)
        var upload: Transfer<NetworkClient.Response<EmptyResponse>>? = client.upload(request)
        try await server.waitForRequests(count: 1)
        let updates = try #require(upload).progress
        var iterator = updates.makeAsyncIterator()
        _ = await iterator.next()
        upload = nil
        try await withDeadline("the progress to end") { for await _ in updates {} }
        try await withDeadline("the connection to be closed") { try await hasClosed.wait() }
    }

    @Test(.spec(133), arguments: TransportUnderTest.all)
    func anUploadThatIsStartedTwiceIsSentTwice(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client()
        var request = URLRequest(url: server.url).posting().withInstanceCaching()
        request.httpBody = Data("body".utf8)
        let uploads: [Transfer<NetworkClient.Response<EmptyResponse>>] = (0..<2).map { _ in client.upload(request) }
        for upload in uploads { _ = try await upload.value }
        expect(server.requestCount, 2)
    }
}

extension URLRequest {
    fileprivate func posting() -> URLRequest {
        var request = self
        request.httpMethod = "POST"
        return request
    }
}
