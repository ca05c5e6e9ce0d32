#if os(Linux)
import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CurlExchangeStreamTests {
    private struct Failure: Error {}

    private func feed<Result>(_ text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        Array(text.utf8).withUnsafeBytes(body)
    }

    /// The response of a streamed exchange, whose head and first bytes arrive before the rest happens.
    private func streamed(
        _ fields: String = "",
        _ run: (inout CurlExchangeState) -> CurlExchangeState.Actions
    ) async throws -> CurlResponse {
        var options = TransportOptions()
        options.streamsBody = true
        var state = CurlExchangeState(options: options, body: nil, now: 0)
        return try await withUnsafeThrowingContinuation { continuation in
            state.began(continuation).perform()
            for line in ["HTTP/1.1 200 OK\r\n", fields, "\r\n"] where !line.isEmpty {
                _ = feed(line) { state.receivedHeader($0) == .taken }
            }
            state.completedHead().perform()
            _ = feed("hello") { state.received($0) }
            run(&state).perform()
        }
    }

    @Test(.spec(251)) func aStreamThatHasEndedWithItsHeadNeedsNoBuffer() async throws {
        let response = try await streamed { $0.completed() }
        #expect(response.stream == nil)
        #expect(response.body == Data("hello".utf8))
    }

    @Test(.spec(251)) func aStreamBeginsWithTheBytesThatCameBefore() async throws {
        let begun = try await streamed { $0.beginStream(nil) }
        #expect(try await begun.stream?.next() == Data("hello".utf8))
        let failed = try await streamed { $0.failed(Failure()) }
        #expect(try await failed.stream?.next() == Data("hello".utf8))
        await #expect(throws: Failure.self) { try await failed.stream?.next() }
        // Decoded while it is read, since it may become long.
        let coded = try await streamed("Content-Encoding: gzip\r\n") { $0.completed() }
        #expect(try await coded.stream?.next() == Data("hello".utf8))
    }

    @Test(.spec(251)) func aLongStreamBeginsBeforeItsEnd() async throws {
        let chunk = String(repeating: "x", count: CurlExchangeState.shortBody)
        let response = try await streamed { state in
            guard case .long = feed(chunk, { state.received($0) }) else {
                Issue.record("the bytes were taken")
                return state.completed()
            }
            return state.beginStream(nil)
        }
        #expect(response.stream != nil)
    }
}
#endif
