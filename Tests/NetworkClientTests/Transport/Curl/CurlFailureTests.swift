#if os(Linux)
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CurlFailureTests {
    private static let reasons: [(code: CInt, reason: TransportError.Reason)] = [
        (3, .invalidRequest), (6, .nameNotResolved), (7, .connectionRefused), (8, .malformedResponse),
        (18, .connectionLost), (28, .timedOut), (35, .secureConnectionFailed), (52, .connectionLost),
        (55, .connectionLost), (56, .connectionLost), (60, .secureConnectionFailed), (61, .malformedResponse),
        (65, .bodyNotReplayable), (77, .secureConnectionFailed), (92, .connectionLost), (9_999, .other),
    ]

    @Test(.spec(90), arguments: reasons)
    func tellsLibcurlsResultsApart(code: CInt, reason: TransportError.Reason) throws {
        if let problem = CurlLibrary.problem { throw TransportError(.unsupported, detail: problem) }
        let handle = try #require(CurlHandle())
        try handle.begin(isPlain: true, CurlTransport.Configuration())
        let failure = CurlFailure(code: code, handle: handle)
        #expect(failure.reason == reason)
        #expect("\(failure)" == "libcurl error \(code)")
    }

    /// What may be said of a request that was not sent only, is not said of one that may have been.
    @Test(arguments: [5, 6, 7, 35, 60, 77, 97])
    func tellsAFailureToConnectFromALostConnection(code: CInt) throws {
        let handle = try #require(CurlHandle())
        try handle.begin(isPlain: true, CurlTransport.Configuration())
        #expect(CurlFailure(code: code, handle: handle, hasSent: true).reason == .connectionLost)
        #expect(CurlFailure(code: code, handle: handle, hasSent: false).reason != .connectionLost)
    }

    @Test(arguments: [1, 3, 43])
    func blamesTheServerForWhatItSent(code: CInt) throws {
        let handle = try #require(CurlHandle())
        try handle.begin(isPlain: true, CurlTransport.Configuration())
        #expect(CurlFailure(code: code, handle: handle, hasSent: true).reason == .malformedResponse)
    }

    @Test(
        .spec(94),
        arguments: [
            ("Unsupported proxy syntax in 'http://user:pa/ss@h'", "Unsupported proxy syntax in 'http://…@h'"),
            ("Unsupported proxy syntax in 'user:p@ss@h'", "Unsupported proxy syntax in …@h'"),
            ("Unsupported proxy syntax in 'http://h:password'", "Unsupported proxy address"),
            ("Could not resolve host: h", "Could not resolve host: h"),
        ]
    )
    func quotesNoProxysPassword(text: String, expected: String) {
        #expect(CurlFailure.withoutCredentials(text) == expected)
    }

    @Test func knowsItsOwnFailures() {
        #expect(CurlFailure.timedOut.reason == .timedOut && CurlFailure.timedOut.detail == nil)
        #expect("\(CurlFailure.timedOut)" == "timedOut")
        #expect(CurlFailure.incompleteHead.detail == "the head of the answer breaks off")
        #expect("\(CurlFailure.outOfMemory)" == "libcurl has no memory")
    }
}
#endif
