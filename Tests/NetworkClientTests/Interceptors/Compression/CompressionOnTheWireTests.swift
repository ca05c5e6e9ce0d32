import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Compressed bodies that are sent more than once, over sockets.
struct CompressionOnTheWireTests {
    enum Body: CaseIterable {
        case data, file, form
    }

    private static let text = String(repeating: "Every word of a + b = c is repeated. ", count: 3_000)

    /// Returns the request, and the bytes of its plain body.
    private func request(_ body: Body, to place: URL, in directory: TemporaryDirectory) throws -> (URLRequest, Data) {
        let put = URLRequest.put(url: place)
        switch body {
        case .data:
            let request = try put.bodyJson(of: ["text": Self.text]).build()
            return (request, try #require(request.httpBody))
        case .file:
            let file = try directory.file("text.csv", Self.text)
            return (try put.bodyFile(at: file).build(), Data(Self.text.utf8))
        case .form:
            let request = try put.bodyForm(params: ["text": Self.text]).build()
            return (request, try #require(request.httpBody))
        }
    }

    /// Refuses the first request in each way: with 503, with a redirect, with 401.
    private func server() throws -> LoopbackServer {
        let count = Locked(0)
        return try LoopbackServer { request in
            let number = count.withLock { count in
                defer { count += 1 }
                return count
            }
            switch number {
            case 0: return .respond(status: 503)
            case 1: return .redirect(to: "/other", status: 307)
            default:
                let isValid = request.value(forHeader: "Authorization") == "Bearer new"
                return isValid ? .json("1") : .respond(status: 401)
            }
        }
    }

    @Test(.spec(256), arguments: TransportUnderTest.all, Body.allCases)
    func theSameBytesAreSentAfterA503ARedirectAndARefresh(transport: TransportUnderTest, body: Body) async throws {
        let directory = try TemporaryDirectory()
        let server = try server()
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in AccessToken("new") }
        let client = try transport.client(
            interceptors: [.compression(), .retry(), .authentication(.bearer(session), origins: [server.url])],
            configuration: .init(time: TestClock(advancesItself: true))
        )
        let (request, plain) = try request(body, to: server.url, in: directory)
        let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
        expect(response.item, 1)
        let requests = server.requests
        // The 503, the 307 and its target with the old token and with the new one.
        expect(requests.map(\.path), ["/", "/", "/other", "/other"])
        let expected = try compressed(plain)
        for request in requests {
            expect(request.value(forHeader: "Content-Encoding"), "gzip")
            expect(request.value(forHeader: "Content-Length"), "\(expected.count)")
            expect(request.body, expected)
        }
        var sent = URLRequest(url: server.url)
        sent.setValue("gzip", forHTTPHeaderField: "Content-Encoding")
        expect(sent.decoded(expected, most: .max)?.bytes, plain)
    }

    private func compressed(_ plain: Data) throws -> Data {
        let encoder = try #require(BodyEncoder(.gzip))
        var (rest, coded) = (plain[...], Data())
        while !rest.isEmpty {
            let portion = rest.prefix(BodyEncoder.maxPortion)
            rest = rest.dropFirst(portion.count)
            coded += try portion.withUnsafeBytes { try encoder.encode($0, isLast: rest.isEmpty) }
        }
        return coded
    }

    @Test(.spec(256, 127), arguments: TransportUnderTest.all)
    func anUploadReportsTheCompressedBytes(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .json("1") }
        let client = try transport.client(interceptors: [.compression()])
        let (request, _) = try request(.file, to: server.url, in: directory)
        let upload: Transfer<NetworkClient.Response<Int>> = client.upload(request.decoded(as: Int.self))
        var last: TransferProgress?
        for await progress in upload.progress { last = progress }
        expect(try await upload.value.item, 1)
        let length = try await server.request(at: 0).body.count
        expect(last?.total, length)
        expect(last?.completed, length)
    }
}
