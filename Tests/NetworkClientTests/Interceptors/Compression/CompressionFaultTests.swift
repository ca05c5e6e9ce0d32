import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What happens while a body is compressed.
struct CompressionFaultTests {
    private let transport = StubTransport(otherwise: .status(200))

    private func request(_ source: any BodySource) -> URLRequest {
        var request = URLRequest.post(url: url("https://h/a")).noBody().build()
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        request.httpBodyStream = BodyInputStream(source: source)
        return request
    }

    @Test(.spec(256)) func cancellingACallEndsItsCompressionBetweenTwoPortions() async throws {
        let client = NetworkClient(transport: transport, interceptors: [.compression()])
        let reads = Recorder<Int>()
        let source = ScriptedSource(length: 1 << 30) { number in
            reads.record(number)
            if number == 3 { client.cancelAll() }
            return 0
        }
        await #expect(throws: CancellationError.self) { try await client.fetch(request: request(source)) }
        expect(reads.values.last, 3)
        #expect(transport.requests.isEmpty)
    }

    @Test(.spec(256)) func aDeadlineEndsTheCompressionBetweenTwoPortions() async throws {
        let clock = TestClock()
        let client = NetworkClient(
            transport: transport,
            interceptors: [.deadline(2.5), .compression()],
            configuration: .init(time: clock)
        )
        let reads = Recorder<Int>()
        let source = ScriptedSource(length: 1 << 30) { number in
            reads.record(number)
            clock.advance(by: 1)
            return 0
        }
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: request(source))
        }
        expect(error?.reason, .timedOut)
        expect(reads.values.last, 3)
        #expect(transport.requests.isEmpty)
    }

    @Test(.spec(256), arguments: ["grown", "shorter", nil])
    func aFileThatChangesWhileItIsCompressedFailsTheCall(content: String?) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file("a.txt", String(repeating: "text ", count: 100_000))
        let interceptor = CompressionInterceptor(
            makeEncoder: { format in
                try? FileManager.default.removeItem(at: file)
                try? content.map { try Data($0.utf8).write(to: file) }
                return BodyEncoder(format)
            },
            makeFile: { try DiskFile.unnamed() }
        )
        let client = NetworkClient(transport: transport, interceptors: [interceptor])
        let request = try URLRequest.post(url: url("https://h/a")).bodyFile(at: file).build()
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        guard case .requestError(let failure) = error else { throw try #require(error) }
        expect(failure.reason, .bodyUnreadable)
        #expect(failure.underlying is BodySourceError)
        #expect(transport.requests.isEmpty)
    }

    @Test(.spec(256)) func aSourceWithFewerBytesThanItAnnouncesFailsTheCall() async throws {
        struct Short: BodySource {
            var length: Int { 100_000 }
            func open() -> any BodyReader { DataBodySource(Data(count: 70_000)).open() }
        }
        let client = NetworkClient(transport: transport, interceptors: [.compression()])
        let request = request(Short())
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        guard case .requestError(let failure) = error else { throw try #require(error) }
        expect(failure.underlying as? BodySourceError, .endedEarly(expectedLength: 100_000, actualLength: 70_000))
    }

    #if os(Linux)
    @Test(.spec(256)) func onAFullDiskABodyIsSentPlain() async throws {
        let full = CompressionInterceptor(makeFile: {
            try DiskFile.existing(at: URL(fileURLWithPath: "/dev/full"))
        })
        let none = CompressionInterceptor(makeFile: { throw POSIXError(.EACCES) })
        for (interceptor, code) in [(full, POSIXErrorCode.ENOSPC), (none, .EACCES)] {
            let client = NetworkClient(transport: transport, interceptors: [interceptor])
            let source = ScriptedSource(length: 300_000) { _ in 65 }
            let journey = try await client.fetch(request: request(source)).journey.description
            expect(journey, contains: "could not be compressed into a temporary file (errno \(code.rawValue))")
            let sent = try #require(transport.requests.last)
            expect(sent[header: "Content-Encoding"], nil)
            expect(sent.rawBody, Data(repeating: 65, count: 300_000))
        }
    }
    #endif
}
