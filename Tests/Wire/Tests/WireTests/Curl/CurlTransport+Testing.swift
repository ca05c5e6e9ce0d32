#if os(Linux)
import NetworkTestSupport
import Testing

@testable import NetworkClient

extension Trait where Self == ConditionTrait {
    /// For what needs a server with HTTP/2, and a libcurl that can use it.
    static var needsHTTP2: Self {
        .enabled(
            if: TLSConfiguration.isAvailable && CurlLibrary.hasHTTP2,
            "there is no OpenSSL here, or no HTTP/2 in libcurl"
        )
    }

    /// For tables of many rows that take the same paths: with a sanitizer, they take minutes.
    static var needsNoSanitizer: Self { .enabled(if: HeldName.isPossible, "a sanitizer is on") }
}

extension CurlTransport {
    /// Expects that a call that waits for its server times out, and that libcurl is called only a few times until then.
    func expectRest(
        until call: Task<Outcome, Never>,
        at place: SourceLocation = #_sourceLocation
    ) async throws {
        let earlier = engines.callCount
        let outcome = try await withDeadline { await call.value }
        #expect(outcome == .failed(.timedOut), sourceLocation: place)
        let count = engines.callCount - earlier
        #expect(count < 100, sourceLocation: place)
    }
}
#endif
