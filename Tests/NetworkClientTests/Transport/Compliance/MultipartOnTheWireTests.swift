import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// The bytes that a server receives of a multipart form.
struct MultipartOnTheWireTests {
    private func boundary(of request: RecordedRequest) throws -> String {
        let type = try #require(request.value(forHeader: "Content-Type"))
        #expect(type.hasPrefix("multipart/form-data; boundary="))
        return try #require(MediaType(type).parameter("boundary"))
    }

    @Test(.spec(50, 62), arguments: TransportUnderTest.all)
    func aMultipartFormIsSent(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let bytes = Data((0...255).map { UInt8($0) })
        let photo = try directory.file("local.bin", bytes)
        let request = try await LoopbackServer.received(by: transport) {
            try URLRequest.post(url: $0)
                .bodyMultipart(boundary: try MultipartBoundary("B")) { builder in
                    builder.add(key: "description", value: "My file")
                    try builder.add(key: "file", file: .init(file: photo, filename: "photo.jpg", mimeType: .auto()))
                }
                .build()
        }
        let head = """
            --B\r
            Content-Disposition: form-data; name="description"\r
            \r
            My file\r
            --B\r
            Content-Disposition: form-data; name="file"; filename="photo.jpg"\r
            Content-Type: image/jpeg\r
            \r\n
            """
        #expect(request.body == Data(head.utf8) + bytes + Data("\r\n--B--\r\n".utf8))
        #expect(request.headers.values(for: "Content-Type") == ["multipart/form-data; boundary=B"])
        #expect(request.framing == .contentLength(request.body.count))
    }

    @Test(.spec(51), arguments: TransportUnderTest.all)
    func aFormWithoutPartsIsClosed(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.post(url: $0).bodyMultipart { _ in }.build()
        }
        #expect(request.bodyText == "--\(try boundary(of: request))--\r\n")
    }

    @Test(.spec(52, 54, 55, 61), arguments: TransportUnderTest.all)
    func hostilePartsStayInTheirPlaces(transport: TransportUnderTest) async throws {
        let request = try await LoopbackServer.received(by: transport) {
            URLRequest.post(url: $0)
                .bodyMultipart { builder in
                    builder.add(key: "a\nb", value: "é\nü")
                    builder.add(
                        key: "f",
                        value: Data("1".utf8),
                        filename: "a\"b\r\nX-Evil: 1.jpg",
                        type: MediaType("a/b")
                    )
                    builder.add(key: "g", value: Data("2".utf8), filename: "føø.jpg", type: MediaType("a/b"))
                    builder.add(key: "h", value: Data([10, 13]))
                }
                .build()
        }
        let parts = request.bodyText.components(separatedBy: "--\(try boundary(of: request))")
        #expect(
            parts == [
                "", "\r\nContent-Disposition: form-data; name=\"a%0D%0Ab\"\r\n\r\né\r\nü\r\n",
                "\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a%22b%0D%0AX-Evil: 1.jpg\"\r\n"
                    + "Content-Type: a/b\r\n\r\n1\r\n",
                "\r\nContent-Disposition: form-data; name=\"g\"; filename=\"føø.jpg\"\r\n"
                    + "Content-Type: a/b\r\n\r\n2\r\n",
                "\r\nContent-Disposition: form-data; name=\"h\"\r\n\r\n\n\r\r\n", "--\r\n",
            ]
        )
    }

    @Test(.spec(60, 62), arguments: TransportUnderTest.all)
    func aMultipartFormIsSentTwiceWithTheSameBytes(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        let server = try LoopbackServer { _ in .respond() }
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "file content")
        let request = try URLRequest.post(url: server.url)
            .bodyMultipart { builder in
                builder.add(key: "description", value: "é")
                try builder.add(key: "file", file: .init(file: file, filename: "a.txt", mimeType: .auto()))
            }
            .build()
        try await client.fetch(request: request)
        try await client.fetch(request: request)
        let (first, second) = (try await server.request(at: 0), try await server.request(at: 1))
        #expect(first.bodyText.contains("file content"))
        #expect(first.body == second.body)
        #expect(first.framing == .contentLength(first.body.count))
        let boundary = try boundary(of: first)
        #expect(first.bodyText.hasPrefix("--\(boundary)\r\n"))
        #expect(first.bodyText.hasSuffix("\r\n--\(boundary)--\r\n"))
    }

    @Test(.spec(60, 62), arguments: TransportUnderTest.all, [true, false])
    func theBoundaryStaysTheSameOverRetriesAndRedirects(transport: TransportUnderTest, isFile: Bool) async throws {
        struct Again: InterceptorProtocol {
            func process(
                _ request: URLRequest,
                next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
            ) async throws -> NetworkClient.ChainResult {
                _ = try? await next(request)
                return try await next(request)
            }
        }
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: 307), "/b": .respond(status: 503)])
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", "file content")
        let request = try URLRequest.post(url: server.url("/a"))
            .bodyMultipart { builder in
                builder.add(key: "k", value: "file content")
                if isFile { try builder.add(key: "file", file: .init(file: file)) }
            }
            .build()
        let client = try transport.client(interceptors: [Again()])
        await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        #expect(server.requests.map(\.path) == ["/a", "/b", "/a", "/b"])
        for received in server.requests {
            #expect(received.body == server.requests.first?.body)
            #expect(received.bodyText.contains("file content"))
            #expect(received.bodyText.hasPrefix("--\(try boundary(of: received))\r\n"))
            #expect(received.bodyText.hasSuffix("\r\n--\(try boundary(of: received))--\r\n"))
        }
    }
}
