#if canImport(FoundationNetworking)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// FoundationNetworking's timer must never fire: the timer of the exchange is exact, and does not count waits.
struct SessionPlatformTests {
    private let year: TimeInterval = 365 * 86_400

    @Test(
        .spec(175),
        .enabled(if: LoadedLibcurl.isOlder(than: 7, 87), "libcurl guards its writes itself")
    )
    func aConnectionThatIsGoneDoesNotEndTheProcess() {
        _ = URLSessionTransport()
        #expect(kill(getpid(), SIGPIPE) == 0)
    }

    @Test(arguments: [0.5, 60, 3_600, .infinity])
    func theTimeoutOfARequestCannotFire(timeout: TimeInterval) {
        let request = URLRequest(url: url("http://h/"), timeoutInterval: timeout)

        #expect(SessionPlatform.prepare(request, nil).timeoutInterval == year)
    }

    @Test func theTimeoutOfAnUploadCannotFire() throws {
        let request = try URLRequest.post(url: url("http://h/")).bodyJson(of: [1]).build()

        let prepared = SessionPlatform.prepare(request, try SessionUpload(of: request))

        #expect(prepared.timeoutInterval == year)
        #expect(prepared.value(forHTTPHeaderField: "Content-Length") == "3")
    }

    /// The transport changes its own copy of the configuration only.
    @Test func theDefaultsContainTheTimeoutsOfTheGivenSession() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 7
        let session = URLSession(configuration: configuration)

        let transport = URLSessionTransport(session: session)

        #expect(transport.defaults.idleTimeout == 7)
        #expect(session.configuration.timeoutIntervalForRequest == 7)
    }
}
#endif
