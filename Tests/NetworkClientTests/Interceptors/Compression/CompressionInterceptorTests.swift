import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What is compressed, and how the request changes.
struct CompressionInterceptorTests {
    private static let text = Data(String(repeating: "Every word is repeated. ", count: 100).utf8)

    private func request(_ type: String? = "text/plain", _ body: Data = text) -> URLRequest {
        var request = URLRequest(url: url("https://h/a"))
        (request.httpMethod, request.httpBody) = ("POST", body)
        request.setValue(type, forHTTPHeaderField: "Content-Type")
        return request
    }

    /// Returns the request that an interceptor passes on.
    private func passed(
        _ request: URLRequest,
        by interceptor: CompressionInterceptor = .compression()
    ) async throws -> URLRequest {
        let passed = Recorder<URLRequest>()
        _ = try await interceptor.process(request) { request in
            passed.record(request)
            return (Data(), HTTPURLResponse.made())
        }
        expect(passed.count, 1)
        return try #require(passed.values.first)
    }

    private func isCompressed(
        _ request: URLRequest,
        by interceptor: CompressionInterceptor = .compression()
    ) async throws -> Bool {
        try await passed(request, by: interceptor).value(forHTTPHeaderField: "Content-Encoding") != nil
    }

    @Test(.spec(256), arguments: [RequestCoding.gzip, .deflate])
    func aBodyInMemoryIsCompressedAndNamesItsCoding(coding: RequestCoding) async throws {
        var request = request()
        request.setValue("\(Self.text.count)", forHTTPHeaderField: "Content-Length")
        let passed = try await passed(request, by: .compression(coding))
        let body = try #require(passed.httpBody)
        #expect(body.count < Self.text.count / 10)
        expect(passed.value(forHTTPHeaderField: "Content-Encoding"), "\(coding)")
        expect(passed.value(forHTTPHeaderField: "Content-Length"), nil)
        expect(passed.decoded(body, most: .max)?.bytes, Self.text)
        expect(try await self.passed(request, by: .compression(coding)).httpBody, body)
    }

    @Test(.spec(256)) func aFileIsCompressedIntoABodyThatCanBeReadAgain() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        var numbers = SeededGenerator(seed: 256)
        let lines = (0..<30_000).map { _ in "{\"n\":\(Int.random(in: 0..<1_000_000, using: &numbers))}\n" }
        let content = Data(lines.joined().utf8)
        let file = try directory.file("lines.json", content)
        let request = try URLRequest.put(url: url("https://h/a")).bodyFile(at: file, type: .ndjson).build()
        let passed = try await passed(request)
        let source = try #require(passed.bodySource)
        #expect(source.length < content.count / 2)
        for _ in 0..<2 {
            let bytes = try source.allBytes()
            expect(bytes.count, source.length)
            expect(passed.decoded(bytes, most: .max)?.bytes, content)
        }
    }

    @Test(.spec(256)) func bodiesOfOtherTypesShortOnesAndThoseThatAreCodedAlreadyAreUntouched() async throws {
        let listed = [
            "application/json; charset=utf-8", "application/problem+json", "text/csv", "application/soap+xml",
            "application/x-www-form-urlencoded", "application/x-ndjson", "application/x-protobuf", "TEXT/HTML",
        ]
        for type in listed { expect(try await isCompressed(request(type)), true) }
        for type in [nil, "", "image/png", "multipart/form-data; boundary=b", "application/zip", "video/json"] {
            expect(try await isCompressed(request(type)), false)
        }
        expect(try await isCompressed(request("image/png"), by: .compression(types: ["image/*"])), true)
        expect(try await isCompressed(request("text/plain", Self.text.prefix(1_023))), false)
        expect(try await isCompressed(request("text/plain", Self.text.prefix(1_024))), true)
        expect(try await isCompressed(request("text/plain", Data()), by: .compression(minimumLength: 0)), false)
        for name in ["content-encoding", "Content-Range", "Content-MD5", "Content-Digest", "Repr-Digest"] {
            var request = request()
            request.setValue("x", forHTTPHeaderField: name)
            expect(try await passed(request).httpBody, Self.text)
        }
        let chunks = URLRequest.post(url: url("https://h/a")).bodyStream(ScriptedChunks([Self.text]), type: .plainText)
        expect(try await isCompressed(chunks.build()), false)
        expect(try await isCompressed(URLRequest.get(url: url("https://h/a")).build()), false)
    }

    @Test(.spec(256)) func aBodyThatDoesNotGetSmallerOrIsLongerThanAGibibyteIsUntouched() async throws {
        var numbers = SeededGenerator(seed: 1)
        let noise = Data((0..<70_000).map { _ in UInt8.random(in: 0...255, using: &numbers) })
        expect(try await passed(request("text/plain", noise)).httpBody, noise)
        let opened = Recorder<Int>()
        for (length, isOpened) in [((1 << 30) + 1, false), (1 << 20, true)] {
            let source = ScriptedSource(length: length) { count in
                opened.record(count)
                throw BodySourceError.notReplayable
            }
            var request = request()
            request.httpBodyStream = BodyInputStream(source: source)
            if isOpened {
                await #expect(throws: NetworkClient.Error.self) { try await passed(request) }
            } else {
                expect(try await isCompressed(request), false)
            }
            expect(opened.count, isOpened ? 1 : 0)
        }
    }

    @Test(.spec(256)) func aCallChoosesItsCoding() async throws {
        let transport = StubTransport(otherwise: .status(200))
        let client = NetworkClient(transport: transport, interceptors: [.compression()])
        for coding in [nil, .deflate, .identity] as [RequestCoding?] {
            try await client.fetch(request: request(), options: CallOptions(compression: coding))
        }
        expect(transport.requests.map { $0[header: "Content-Encoding"] }, ["gzip", "deflate", nil])
        expect(transport.requests.map(\.body), [Self.text, Self.text, Self.text])
        expect(transport.requests.last?.rawBody, Self.text)
    }

    @Test(.spec(256)) func withoutZlibBodiesArePlainAndTheLogSaysSoOnce() async throws {
        let (transport, stream) = (StubTransport(otherwise: .status(200)), RecordingStream())
        let interceptor = CompressionInterceptor(
            makeEncoder: { _ in nil },
            makeFile: { try DiskFile.unnamed() }
        )
        let client = NetworkClient(
            transport: transport,
            interceptors: [interceptor],
            logging: .default(logLevel: .status, logStream: stream)
        )
        for _ in 0..<2 {
            let journey = try await client.fetch(request: request()).journey
            expect(journey.description, contains: "sends the body plain, since there is no library for gzip")
        }
        expect(transport.requests.map(\.rawBody), [Self.text, Self.text])
        expect(stream.messages.filter { $0.contains("there is no library for gzip") }.count, 1)
    }
}

/// A source whose reader calls a closure with the number of each read and returns what it returns: bytes to be sent.
struct ScriptedSource: BodySource {
    let length: Int
    let read: @Sendable (_ number: Int) throws -> UInt8

    func open() -> any BodyReader { Reader(self) }

    /// Fills each buffer with one byte.
    private final class Reader: BodyReader {
        private let source: ScriptedSource
        private var (number, remaining): (Int, Int)

        init(_ source: ScriptedSource) {
            self.source = source
            (number, remaining) = (0, source.length)
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            guard remaining > 0 else { return 0 }
            number += 1
            let byte = try source.read(number)
            let count = min(remaining, buffer.count)
            for index in 0..<count { buffer[index] = byte }
            remaining -= count
            return count
        }

        func close() {}
    }
}

extension BodySource {
    /// Reads the body by 10,000 bytes.
    func allBytes() throws -> Data {
        let reader = try open()
        defer { reader.close() }
        var (bytes, part) = (Data(), Data(count: 10_000))
        while case let count = try part.withUnsafeMutableBytes({ try reader.read(into: $0) }), count > 0 {
            bytes += part.prefix(count)
        }
        return bytes
    }
}
