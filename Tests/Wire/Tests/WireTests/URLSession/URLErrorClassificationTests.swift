import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct URLErrorClassificationTests {
    private let request = URLRequest(url: url("https://h"))

    @Test(
        .spec(90),
        arguments: [
            (URLError.Code.notConnectedToInternet, TransportError.Reason.offline), (.cannotFindHost, .nameNotResolved),
            (.cannotConnectToHost, .connectionRefused), (.timedOut, .timedOut),
            (.serverCertificateUntrusted, .secureConnectionFailed), (.networkConnectionLost, .connectionLost),
            (.badServerResponse, .malformedResponse), (.callIsActive, .offline),
            (.resourceUnavailable, .malformedResponse), (.backgroundSessionWasDisconnected, .connectionLost),
        ]
    )
    func everyURLErrorHasItsReason(code: URLError.Code, reason: TransportError.Reason) {
        let error = URLErrorClassification.classify(URLError(code), request) as? TransportError
        #expect(error?.reason == reason)
        #expect((error?.underlying as? URLError)?.code == code)
    }

    @Test func aConnectionWithoutAResponseIsALostConnection() {
        let error = URLError(.badServerResponse, userInfo: [NSLocalizedDescriptionKey: "Empty reply from server"])
        let classified = URLErrorClassification.classify(error, request) as? TransportError
        #expect(classified?.reason == .connectionLost)
    }

    @Test(.spec(94)) func theUnderlyingErrorKeepsOnlyItsCodeAndText() throws {
        let details: [String: Any] = [
            NSLocalizedDescriptionKey: "It took too long.", NSURLErrorFailingURLErrorKey: url("https://u:p@h/?token=t"),
            "NSErrorFailingURLStringKey": "https://u:p@h/?token=t",
        ]
        let error = URLErrorClassification.classify(URLError(.timedOut, userInfo: details), request) as? TransportError
        let underlying = try #require(error?.underlying as? URLError)
        #expect(underlying.code == .timedOut)
        #expect(underlying.localizedDescription == "It took too long.")
        #expect(underlying.failingURL == nil)
        #expect(underlying.userInfo.count == 1)
    }

    @Test(
        .spec(90),
        arguments: [
            (.serverCertificateHasBadDate, .expiredCertificate), (.serverCertificateNotYetValid, .prematureCertificate),
            (.serverCertificateHasUnknownRoot, .untrustedCertificate), (.serverCertificateUntrusted, nil),
            (.clientCertificateRejected, .clientCertificate), (.clientCertificateRequired, .clientCertificate),
        ] as [(URLError.Code, TransportError.SecurityFailure?)]
    )
    func aCodeForOnePartOfTLSHasItsFailure(code: URLError.Code, expected: TransportError.SecurityFailure?) {
        let error = URLErrorClassification.classify(URLError(code), request) as? TransportError
        #expect(error?.isSecurityFailure == true && error?.securityFailure == expected)
    }

    private func reason(
        _ text: String,
        after progress: URLErrorClassification.Progress = .nothing
    ) -> TransportError.Reason? {
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        return (URLErrorClassification.classify(error, request, after: progress) as? TransportError)?.reason
    }

    @Test func libcurlsTextDecidesWhereTheCodeDoesNot() {
        #expect(reason("SSL certificate problem: unable to get local issuer") == .secureConnectionFailed)
        #expect(reason("transfer closed with 3 bytes remaining to read") == .connectionLost)
        #expect(reason("end of response with 3 bytes missing") == .connectionLost)
        #expect(reason("HTTP/2 stream 1 was not closed cleanly: CANCEL (err 8)") == .connectionLost)
        #expect(reason("Failed writing header") == .malformedResponse)
        #expect(reason("Failed writing received data to disk/application") == .malformedResponse)
        #expect(reason("Failure writing output to destination, passed 2 returned 0") == .malformedResponse)
        #expect(reason("chunk hex-length char not a hex digit: 0x78") == .malformedResponse)
        #expect(reason("Invalid Content-Length: value") == .malformedResponse)
        #expect(reason("Out of memory") == .malformedResponse)
        #expect(reason("Invalid status line") == .malformedResponse)
        #expect(reason("Weird server reply") == .malformedResponse)
        #expect(reason("Received HTTP/0.9 when not allowed") == .malformedResponse)
        #expect(reason("A value or data field grew larger than allowed") == .malformedResponse)
        #expect(reason("A libcurl function was given a bad argument") == .malformedResponse)
        #expect(reason("something new") == .other)
    }

    /// Texts change between versions of libcurl; how much has come does not.
    @Test func theReceivedPartDecidesWhereTheTextIsUnknown() {
        #expect(reason("something new", after: .head) == .malformedResponse)
        #expect(reason("something new", after: .partOfBody) == .connectionLost)
        #expect(reason("SSL_read: unexpected eof while reading", after: .head) == .connectionLost)
        #expect(reason("transfer closed with outstanding read data remaining", after: .head) == .connectionLost)
        #expect(reason("chunk hex-length char not a hex digit: 0x78", after: .head) == .malformedResponse)
    }

    @Test(.spec(90)) func aForeignCancellationIsARefusedCertificate() {
        let error = URLErrorClassification.classify(URLError(.cancelled), request) as? TransportError
        #expect(error?.reason == .secureConnectionFailed)
    }

    @Test func theLibrarysErrorsAreUnchangedAndOthersAreWrapped() {
        #expect(URLErrorClassification.classify(CancellationError(), request) is CancellationError)
        let own = URLErrorClassification.classify(TransportError(.timedOut), request) as? TransportError
        #expect(own?.reason == .timedOut)
        let other = NSError(domain: NSPOSIXErrorDomain, code: 54)
        #expect((URLErrorClassification.classify(other, request) as? TransportError)?.reason == .other)
    }
}
