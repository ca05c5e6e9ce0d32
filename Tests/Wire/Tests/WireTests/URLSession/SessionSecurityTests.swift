import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SessionSecurityTests {
    /// URLSession reports a cancelled challenge like a cancelled task.
    @Test(.spec(90)) func aRefusedServerIsReportedInPlaceOfTheCancellation() async throws {
        let request = URLRequest(url: url("https://example.com/a"))
        let exchange = SessionExchange(request: request, upload: nil, options: TransportOptions())
        exchange.refused(.unpinnedKey)
        exchange.completed(URLError(.cancelled), nil)
        let error = await #expect(throws: TransportError.self) {
            _ = try await withCheckedThrowingContinuation { exchange.begin($0) { throw CancellationError() } }
        }
        #expect(error?.isSecurityFailure == true && error?.securityFailure == .unpinnedKey)
        #expect(
            error?.description == "The request to 'https://example.com/a' failed: "
                + "the server's public key is not among the pinned keys."
        )
    }

    /// The statuses of Security that a failed evaluation of a certificate has.
    private static let statuses: [(Int?, TransportError.SecurityFailure)] = [
        (-67_602, .wrongHost), (-67_818, .expiredCertificate), (-67_819, .prematureCertificate),
        (-67_820, .revokedCertificate), (-67_843, .untrustedCertificate), (-25_318, .untrustedCertificate),
        (nil, .untrustedCertificate),
    ]

    @Test(arguments: statuses)
    func aStatusOfSecurityHasItsFailure(status: Int?, expected: TransportError.SecurityFailure) {
        #expect(TransportError.SecurityFailure(trustStatus: status) == expected)
    }
}
