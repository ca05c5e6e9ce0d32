import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// That a server receives what a `URLRequest` holds; what the builder puts into it is tested in NetworkUtilitiesTests.
struct RequestsOnTheWireTests {
    @Test(.spec(8, 16, 17, 26, 31, 46, 48, 49, 50), arguments: TransportUnderTest.all)
    func whatARequestHoldsIsWhatTheServerReceives(transport: TransportUnderTest) async throws {
        let directory = try TemporaryDirectory()
        let server = try LoopbackServer { _ in .respond() }
        let client = try transport.client()
        for (index, example) in RequestExample.all.enumerated() {
            let request = try example.make(.init(url: server.url("/items"), directory: directory))
            expect(await client.outcome(of: request), .answered(200), example.name)
            example.check(try await server.request(at: index), from: transport, to: server)
        }
        expect(server.malformed, [])
        // URLSession reports the end of an exchange a moment before its connection can be reused.
        #expect(server.connectionCount < RequestExample.all.count / 2, "no framing may cost the connection")
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
    @Test(.spec(26), arguments: TransportUnderTest.all)
    func anInvalidRequestIsNotSentWithOrWithoutAClient(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in .respond() }
        let (client, transport) = (try transport.client(), try transport.transport())
        for (index, change) in Self.invalid.enumerated() {
            for method in ["GET", "POST"] {
                var request = URLRequest(url: server.url)
                request.httpMethod = method
                change(&request)
                let invalid = request
                let error = await #expect(throws: TransportError.self) {
                    try await transport.send(invalid, options: TransportOptions())
                }
                expect(error?.reason, .invalidRequest, "row \(index)")
                expect(await client.outcome(of: invalid), .failed(.invalidRequest), "row \(index)")
            }
        }
        expect(server.connectionCount, 0)
    }

    /// A server may refuse a number that a caller has written in another form.
    @Test(arguments: TransportUnderTest.all)
    func theStatedLengthOfAStreamIsSentAsANumberAndIsThatOfItsBytes(transport: TransportUnderTest) async throws {
        let client = try transport.client()
        for length in ["4", " 4", "4, 4", "+4", "0x4", "-4", "", "0", "3", "5"] {
            let server = try LoopbackServer { _ in .respond() }
            var request = URLRequest(url: server.url)
            request.httpMethod = "POST"
            request.httpBodyStream = InputStream(data: Data("1234".utf8))
            request.setValue(length, forHTTPHeaderField: "Content-Length")
            let outcome = await client.outcome(of: request)
            if ["4", " 4", "4, 4"].contains(length) {
                expect(outcome, .answered(200), length)
                expect(server.requests.map(\.framing), [.contentLength(4)], length)
            } else {
                let isOtherNumber = ["0", "3", "5"].contains(length)
                expect(outcome, .failed(isOtherNumber ? .bodyUnreadable : .invalidRequest), length)
                // Where an empty body was stated, the head is a whole request that may be sent before the body is read.
                if length != "0" { expect(server.requestCount, 0, length) }
            }
            expect(server.malformed, [], length)
        }
    }

    @Test(.spec(59), arguments: TransportUnderTest.all, [-1, -299_999, 1, 300_000])
    func aSourceWithAWrongLengthSendsNoRequest(transport: TransportUnderTest, surplus: Int) async throws {
        let length = 300_000
        let server = try LoopbackServer { _ in .respond() }
        let body = ZerosBody(length: length, surplus: surplus)
        let form = try MultipartForm {
            try MultipartPart(name: "n", body: body)
            MultipartPart(name: "m", text: String(repeating: "x", count: abs(surplus)))
        }
        let expected =
            surplus > 0
            ? BodySourceError.tooLong(expectedLength: length)
            : .endedEarly(expectedLength: length, actualLength: length + surplus)
        let stage = URLRequest.post(url: server.url)
        for request in [try stage.body(body).build(), stage.bodyMultipart(form).build()] {
            let failure = try await failure(of: request, by: transport)
            expect(failure.reason, .bodyUnreadable)
            expect(failure.underlying as? BodySourceError, expected)
        }
        try await server.waitForOpenConnections(0)
        expect(server.requestCount, 0, "no body may pass for a whole one")
    }

    private func failure(of request: URLRequest, by transport: TransportUnderTest) async throws -> TransportError {
        let error = try await #require(throws: NetworkClient.Error.self) {
            try await transport.client().fetch(request: request)
        }
        guard case .requestError(let failure) = error else { throw error }
        return failure
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
        let failure = try await failure(of: URLRequest.post(url: server.url).bodyFile(at: file).build(), by: transport)
        let actual = length + difference
        let expected = BodySourceError.fileChanged(url: file, expectedLength: length, actualLength: actual)
        expect(failure.underlying as? BodySourceError, expected)
        try await server.waitForOpenConnections(0)
        expect(server.requestCount, 0)
        expect(server.truncated.count, 1)
    }

    @Test(.spec(29)) func aRequestOverridesDefaultsAndAReplacingInterceptorOverridesIt() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let field = { HeaderField.custom(name: "X-Who", value: $0) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Who": "client"]
        let session = URLSession(configuration: configuration)
        let plain = NetworkClient(logging: .off, session: session)
        let keeping = NetworkClient(interceptors: [.headers([field("default")])], logging: .off)
        let last = HeadersInterceptor([field("last")], mode: .replacing)
        let replacing = NetworkClient(interceptors: [last], logging: .off, session: session)
        let own = URLRequest.get(url: server.url).set(header: field("request")).build()
        try await plain.fetch(request: URLRequest(url: server.url))
        try await keeping.fetch(request: URLRequest(url: server.url))
        try await plain.fetch(request: own)
        try await keeping.fetch(request: own)
        try await replacing.fetch(request: own)
        let expected = [["client"], ["default"], ["request"], ["request"], ["last"]]
        expect(server.requests.map { $0.headers.values(for: "X-Who") }, expected)
    }

    private static let fileBytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    private func form(in directory: TemporaryDirectory) throws -> MultipartForm {
        try MultipartForm {
            MultipartPart(name: "description", text: "é")
            try MultipartPart(name: "file", file: .init(file: directory.file("f.bin", Self.fileBytes)))
        }
    }

    private func expectSameForm(_ requests: [RecordedRequest], _ form: MultipartForm) {
        for request in requests {
            let body = request.body
            expect(request.headers.values(for: "Content-Type"), ["multipart/form-data; boundary=\(form.boundary)"])
            expect(body.count, form.length)
            expect(body, requests.first?.body)
            #expect(body.starts(with: Data("--\(form.boundary)\r\nContent-Disposition: form-data; name=\"desc".utf8)))
            #expect(body.range(of: Self.fileBytes) != nil)
            expect(body.suffix(form.boundary.text.utf8.count + 8), Data("\r\n--\(form.boundary)--\r\n".utf8))
        }
    }

    @Test(.spec(60, 62)) func aPlainURLSessionSendsAMultipartRequestTwice() async throws {
        let server = try LoopbackServer { _ in .respond() }
        let directory = try TemporaryDirectory()
        let form = try form(in: directory)
        let request = URLRequest.post(url: server.url).bodyMultipart(form).build()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        for _ in 0..<2 {
            let status: Int? = try await withCheckedThrowingContinuation { continuation in
                let task = session.dataTask(with: request) { _, response, error in
                    let status = (response as? HTTPURLResponse)?.statusCode
                    continuation.resume(with: error.map { .failure($0) } ?? .success(status))
                }
                task.resume()
            }
            expect(status, 200)
        }
        expect(server.requestCount, 2)
        expectSameForm(server.requests, form)
    }

    @Test(.spec(60, 62), arguments: TransportUnderTest.all)
    func aFormIsTheSameOverRetriesAndRedirects(transport: TransportUnderTest) async throws {
        let again = ClosureInterceptor { request, next in
            _ = try? await next(request)
            return try await next(request)
        }
        let server = try LoopbackServer(routes: ["/a": .redirect(to: "/b", status: 307), "/b": .respond(status: 503)])
        let directory = try TemporaryDirectory()
        let form = try form(in: directory)
        let request = URLRequest.post(url: server.url("/a")).bodyMultipart(form).build()
        let client = try transport.client(interceptors: [again])
        expect(await client.outcome(of: request), .refused(503))
        expect(server.requests.map(\.path), ["/a", "/b", "/a", "/b"])
        expectSameForm(server.requests, form)
    }
}
