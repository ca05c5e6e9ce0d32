#if os(Linux)
import CCurl
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CurlFailureTests {
    private static let reasons: [(code: UInt32, reason: TransportError.Reason)] = [
        (3, .invalidRequest), (6, .nameNotResolved), (7, .connectionRefused), (8, .malformedResponse),
        (18, .connectionLost), (28, .timedOut), (35, .secureConnectionFailed), (43, .connectionLost),
        (52, .connectionLost),
        (55, .connectionLost), (56, .connectionLost), (60, .secureConnectionFailed), (61, .malformedResponse),
        (65, .bodyNotReplayable), (77, .secureConnectionFailed), (92, .connectionLost), (9_999, .other),
    ]

    @Test(.spec(90), arguments: reasons)
    func everyResultOfLibcurlHasItsReason(code: UInt32, reason: TransportError.Reason) throws {
        if let problem = CurlLibrary.problem { throw TransportError(.unsupported, detail: problem) }
        let handle = try #require(CurlHandle())
        try handle.begin(isPlain: true, CurlTransport.Configuration())
        let failure = CurlFailure(ccurl_code(code), handle: handle)
        #expect(failure.reason == reason)
        #expect("\(failure)" == "libcurl error \(code)")
    }

    /// The reasons that mean that nothing was sent must not be used for a request that may have been sent.
    @Test(arguments: [5, 6, 7, 35, 60, 77, 97])
    func aFailureToConnectAfterSendingIsALostConnection(code: UInt32) throws {
        let handle = try #require(CurlHandle())
        try handle.begin(isPlain: true, CurlTransport.Configuration())
        #expect(CurlFailure(ccurl_code(code), handle: handle, hasSent: true).reason == .connectionLost)
        #expect(CurlFailure(ccurl_code(code), handle: handle, hasSent: false).reason != .connectionLost)
    }

    /// What TCP can't change is not tried again after QUIC.
    @Test(arguments: [(5, false), (6, false), (7, true), (35, true), (60, true)] as [(UInt32, Bool)])
    func onlyAFailureToConnectIsTriedAgainOverTCP(code: UInt32, expected: Bool) throws {
        let handle = try #require(CurlHandle())
        try handle.begin(isPlain: true, CurlTransport.Configuration())
        #expect(CurlFailure(ccurl_code(code), handle: handle).isOfConnecting == expected)
        #expect(!CurlFailure(ccurl_code(code), handle: handle, hasSent: true).isOfConnecting)
    }

    @Test(arguments: [1, 3, 43])
    func anErrorInAResponseIsAMalformedResponse(code: UInt32) throws {
        let handle = try #require(CurlHandle())
        try handle.begin(isPlain: true, CurlTransport.Configuration())
        #expect(CurlFailure(ccurl_code(code), handle: handle, hasSent: true).reason == .malformedResponse)
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
    func thePasswordOfAProxyIsNotQuoted(text: String, expected: String) {
        #expect(CurlFailure.withoutCredentials(text) == expected)
    }

    @Test func theEnginesOwnFailuresHaveTheirSentences() {
        let timeout = CurlFailure(passed: .connection(30))
        #expect(timeout.reason == .timedOut)
        #expect(timeout.detail == "no connection was made within its connect timeout of 30 s")
        #expect(CurlFailure.incompleteHead.detail == "the head of the response breaks off")
        #expect("\(CurlFailure.outOfMemory)" == "libcurl has no memory")
    }

    @Test func aWeakCertificateIsNotSaidToBeFromAnotherAuthority() {
        let sentence = TransportError.SecurityFailure.untrustedCertificate.sentence
        for check in [7, 26, 66, 67, 68, 79] {
            #expect(CurlFailure.weakness(check).map { $0.contains(sentence) } == false)
        }
        #expect(CurlFailure.weakness(19) == nil)
    }
}
#endif
