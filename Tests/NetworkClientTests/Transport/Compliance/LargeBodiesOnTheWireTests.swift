import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Streamed bodies, sent by this library and by a plain URLSession.
struct LargeBodiesOnTheWireTests {
    private func response(to request: URLRequest, of session: URLSession) async throws -> HTTPURLResponse {
        try await withCheckedThrowingContinuation { continuation in
            let task = session.dataTask(with: request) { _, response, error in
                continuation.resume(
                    with: Result {
                        if let error { throw error }
                        guard let response = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
                        return response
                    }
                )
            }
            task.resume()
        }
    }

    private func plainSession() -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        return URLSession(configuration: configuration)
    }

    @Test(.spec(59), arguments: TransportUnderTest.all)
    func aFileIsStreamedWithItsLength(transport: TransportUnderTest) async throws {
        try await send(length: 32 << 20, by: transport)
    }

    @Test(.spec(59), arguments: TransportUnderTest.all(without: .hasOneQueueForAll))
    func aGibibyteIsStreamed(transport: TransportUnderTest) async throws {
        try await send(length: 1 << 30, by: transport)
    }

    private func send(length: Int, by transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer(recording: .withoutBodies) { _ in .respond() }
        let file = try directory.sparseFile("zeros.bin", length: UInt64(length))
        let request = try URLRequest.post(url: server.url)
            .bodyMultipart(boundary: try MultipartBoundary("B")) { try $0.add(key: "f", file: .init(file: file)) }
            .build()
        try await transport.client().fetch(request: request)
        let received = try await server.request(at: 0)
        let head = "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"zeros.bin\"\r\n"
        let expected =
            head.utf8.count + "Content-Type: application/octet-stream\r\n\r\n\r\n--B--\r\n".utf8.count + length
        #expect(received.headers.values(for: "Content-Length") == [String(expected)])
        #expect(received.framing == .contentLength(expected))
        #expect(received.bodyLength == expected)
    }

    @Test(.spec(59), arguments: TransportUnderTest.all, [-1, 1])
    func aFileThatChangesWhileItIsSentFailsTheRequest(transport: TransportUnderTest, difference: Int) async throws {
        let directory = try TemporaryDirectory()
        // More than the buffers of two sockets hold, so that it cannot have been sent when the server has the head.
        let length = 64 << 20
        let file = try directory.sparseFile("zeros.bin", length: UInt64(length))
        let server = try LoopbackServer(
            recording: .withoutBodies,
            onHead: { _ in
                let handle = try? FileHandle(forWritingTo: file)
                try? handle?.truncate(atOffset: UInt64(length + difference))
                try? handle?.close()
                return .none
            },
            handler: { _ in .respond() }
        )
        let request = try URLRequest.post(url: server.url).bodyFile(at: file).build()
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await transport.client().fetch(request: request)
        }
        guard case .requestError(let failure) = error else {
            Issue.record("The request failed otherwise: \(String(describing: error)).")
            return
        }
        let actual = length + difference
        let expected = BodySourceError.fileChanged(url: file, expectedLength: length, actualLength: actual)
        #expect(failure.underlying as? BodySourceError == expected)
        try await server.waitForOpenConnections(0)
        #expect(server.requestCount == 0)
        #expect(server.truncated.count == 1)
    }

    @Test(.spec(60, 62)) func aPlainURLSessionSendsAMultipartRequestTwice() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let directory = try TemporaryDirectory()
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let file = try directory.file("f.bin", bytes)
        let form = try MultipartForm {
            MultipartPart(name: "description", text: "é")
            try MultipartPart(name: "file", file: .init(file: file))
        }
        let request = URLRequest.post(url: server.url).bodyMultipart(form).build()
        let session = plainSession()
        for _ in 0..<2 { #expect(try await response(to: request, of: session).statusCode == 200) }
        let received = [try await server.request(at: 0), try await server.request(at: 1)]
        for one in received {
            #expect(one.headers.values(for: "Content-Type") == ["multipart/form-data; boundary=\(form.boundary)"])
            #expect(one.body.starts(with: Data("--\(form.boundary)\r\n".utf8)))
            #expect(one.body.suffix(form.boundary.text.utf8.count + 8) == Data("\r\n--\(form.boundary)--\r\n".utf8))
            #expect(one.body.range(of: bytes) != nil)
            #expect(one.body.count == form.length)
        }
        #expect(received[0].body == received[1].body)
    }

    @Test(.spec(60, 62), arguments: TransportUnderTest.all, [307, 308])
    func aRedirectGetsTheSameForm(transport: TransportUnderTest, status: Int) async throws {
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: status), "/b": .respond()])
        let directory = try TemporaryDirectory()
        let form = try MultipartForm {
            MultipartPart(name: "k", text: "v")
            try MultipartPart(name: "f", file: .init(file: directory.file("f.txt", "file content")))
            try MultipartPart(name: "j", json: [1])
        }
        let request = URLRequest.post(url: server.url("/a")).bodyMultipart(form).build()
        try await transport.client().fetch(request: request)
        #expect(server.requests.map(\.path) == ["/a", "/b"])
        let bodies = server.requests.map(\.bodyText)
        for (received, body) in zip(server.requests, bodies) {
            #expect(received.value(forHeader: "Content-Type") == "multipart/form-data; boundary=\(form.boundary)")
            #expect(body == bodies.first)
            #expect(body.components(separatedBy: "--\(form.boundary)").count == 5)
            #expect(body.contains("\r\n\r\nfile content\r\n--"))
        }
    }
}
