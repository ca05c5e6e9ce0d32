import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct RetryDecisionTests {
    private struct Foreign: Error {}

    private static let decodingError = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))

    private func response(_ status: Int, _ headers: [String: String] = [:]) -> NetworkClient.Error {
        .apiError(response: .made(status, headers: headers), data: Data())
    }

    private func failure(_ reason: TransportError.Reason) -> NetworkClient.Error {
        .requestError(type: TransportError(reason))
    }

    private func decision(
        _ method: String = "GET",
        _ error: any Error,
        _ policy: RetryPolicy = .counting(3),
        key: String? = nil,
        change: (inout FailedAttempt) -> Void = { _ in }
    ) -> RetryDecision {
        var request = URLRequest(url: url("https://api.example.com/items"))
        request.httpMethod = method
        request.setValue(key, forHTTPHeaderField: "Idempotency-Key")
        var attempt = FailedAttempt(request: request, error: error)
        change(&attempt)
        return attempt.decision(by: policy)
    }

    private func isSentAgain(_ decision: RetryDecision) -> Bool {
        if case .sendAgain = decision { true } else { false }
    }

    @Test(.spec(105), arguments: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY"])
    func idempotentMethodsAreSentAgain(method: String) {
        for error in [response(503), failure(.connectionLost), failure(.timedOut)] {
            #expect(isSentAgain(decision(method, error)))
        }
    }

    @Test(.spec(105), arguments: ["POST", "PATCH", "CONNECT", "PROPFIND", "SEARCH"])
    func otherMethodsAreSentAgainOnlyIfTheRequestOrTheCallSaysSo(method: String) {
        for error in [response(503), response(429), failure(.connectionLost), failure(.timedOut)] {
            let reason = "the request (\(method)) is not idempotent"
            #expect(decision(method, error) == .giveUp(reason))
            #expect(decision(method, error, key: "") == .giveUp(reason))
            #expect(isSentAgain(decision(method, error, key: "\"8e03978e\"")))
            #expect(isSentAgain(decision(method, error) { $0.isIdempotent = true }))
            #expect(decision(method, error, key: "1") { $0.isIdempotent = false } == .giveUp(reason))
        }
        #expect(!isSentAgain(decision("GET", response(503)) { $0.isIdempotent = false }))
    }

    @Test(
        .spec(105),
        arguments: [
            TransportError.Reason.connectionRefused, .nameNotResolved, .offline, .tooManyOpenFiles, .proxyRefused,
        ]
    )
    func aConnectionThatWasNeverMadeIsSafeForEveryMethod(reason: TransportError.Reason) {
        var policy = RetryPolicy.counting(1)
        policy.reasons.insert(.proxyRefused)
        for method in ["POST", "PATCH", "LOCK"] {
            #expect(isSentAgain(decision(method, failure(reason), policy)))
            #expect(isSentAgain(decision(method, failure(reason), policy) { $0.isIdempotent = false }))
            // A redirect that followed the processed request, or another call, may have failed.
            #expect(!isSentAgain(decision(method, failure(reason), policy) { $0.mayBePerformed = true }))
        }
        #expect(isSentAgain(decision("GET", failure(reason), policy) { $0.mayBePerformed = true }))
    }

    @Test(.spec(105)) func aTimeoutInAQueueIsSafeForEveryMethodIfNothingWasSentBefore() {
        let error = NetworkClient.Error.requestError(
            type: TransportError(timeoutIn: .turn, request: nil, detail: nil)
        )
        for method in ["POST", "PATCH", "GET"] {
            #expect(isSentAgain(decision(method, error)))
            #expect(isSentAgain(decision(method, error) { $0.mayBePerformed = true }) == (method == "GET"))
        }
        let waiting = NetworkClient.Error.requestError(
            type: TransportError(timeoutIn: .credential, request: nil, detail: nil)
        )
        #expect(isSentAgain(decision("GET", waiting)))
        #expect(!isSentAgain(decision("POST", waiting)))
    }

    @Test(
        .spec(109),
        arguments: [
            (408, true), (429, true), (500, true), (502, true), (503, true), (504, true), (521, true), (522, true),
            (524, true), (300, false), (304, false), (400, false), (401, false), (403, false), (404, false),
            (409, false), (413, false), (425, false), (501, false), (505, false), (999, false),
        ]
    )
    func onlySomeStatusesAreWorthAnotherAttempt(status: Int, isTransient: Bool) {
        #expect(isSentAgain(decision("GET", response(status))) == isTransient)
        var policy = RetryPolicy.default
        policy.statuses = [status]
        #expect(isSentAgain(decision("GET", response(status), policy)))
    }

    @Test(
        .spec(109),
        arguments: [
            (TransportError.Reason.connectionLost, true), (.timedOut, true), (.nameNotResolved, true),
            (.connectionRefused, true), (.offline, true), (.tooManyOpenFiles, true), (.proxyRefused, false),
            (.secureConnectionFailed, false), (.malformedResponse, false), (.bodyTooLarge, false),
            (.tooManyRedirects, false), (.redirectRefused, false), (.bodyNotReplayable, false),
            (.bodyUnreadable, false), (.fileNotWritten, false), (.invalidRequest, false), (.transportClosed, false),
            (.unsupported, false), (.other, false),
        ]
    )
    func onlySomeFailuresAreWorthAnotherAttempt(reason: TransportError.Reason, isTransient: Bool) {
        #expect(isSentAgain(decision("GET", failure(reason))) == isTransient)
    }

    @Test(.spec(109)) func anUntrustedCertificateIsNeverWorthAnotherAttempt() {
        var policy = RetryPolicy.default
        policy.reasons.insert(.secureConnectionFailed)
        let untrusted = TransportError(.secureConnectionFailed, securityFailure: .untrustedCertificate)
        #expect(decision("GET", NetworkClient.Error.requestError(type: untrusted), policy) == .rethrow)
        #expect(isSentAgain(decision("GET", failure(.secureConnectionFailed), policy)))
    }

    @Test(arguments: [(503, true), (407, false), (403, false), (nil, false)] as [(Int?, Bool)])
    func aProxyThatRefusedWithATransientStatusIsAskedAgain(status: Int?, isTransient: Bool) {
        let error = NetworkClient.Error.requestError(type: TransportError(.proxyRefused, proxyStatus: status))
        #expect(isSentAgain(decision("POST", error)) == isTransient)
    }

    @Test(.spec(109)) func errorsOfOthersAreWorthAnotherAttemptOnlyIfThePredicateSaysSo() {
        var policy = RetryPolicy.default
        #expect(decision("GET", Foreign(), policy) == .rethrow)
        policy.retriesOtherErrors = { $0 is Foreign }
        #expect(isSentAgain(decision("GET", Foreign(), policy)))
        #expect(!isSentAgain(decision("POST", Foreign(), policy)))
        #expect(decision("GET", TransportError(.timedOut), policy) == .rethrow)
        policy.retriesOtherErrors = { _ in true }
        let never: [any Error] = [
            CancellationError(), Self.decodingError, NetworkClient.Error.decodingError(type: Self.decodingError),
            NetworkClient.Error.invalidUrl(originalUrl: "x"), NetworkClient.Error.invalidResponse, response(404),
            failure(.invalidRequest),
        ]
        for error in never { #expect(decision("GET", error, policy) == .rethrow, "\(error)") }
    }

    /// A refused credential shows that nothing was done, unless a redirect was followed before.
    @Test(.spec(109), arguments: ["GET", "POST"]) func aRefreshThatLosesItsConnectionIsWorthAnotherAttempt(
        method: String
    ) {
        func error(_ reason: AuthenticationError.Reason, _ underlying: (any Error)?) -> AuthenticationError {
            AuthenticationError(reason, response: .made(401), underlying: underlying)
        }
        let lost = error(.refreshFailed, failure(.connectionLost))
        #expect(decision(method, lost) == .sendAgain(after: 1, cause: "refreshFailed"))
        #expect(isSentAgain(decision(method, lost) { $0.mayBePerformed = true }) == (method == "GET"))
        for other in [
            error(.refreshFailed, failure(.secureConnectionFailed)), error(.refreshFailed, response(503)),
            error(.refreshFailed, Foreign()), error(.refreshFailed, CancellationError()), error(.refreshTimedOut, nil),
            error(.storeFailed, failure(.connectionLost)),
        ] { #expect(decision(method, other) == .rethrow) }
        var policy = RetryPolicy.default
        policy.retriesOtherErrors = { ($0 as? AuthenticationError)?.reason == .refreshTimedOut }
        #expect(isSentAgain(decision(method, error(.refreshTimedOut, nil), policy)) == (method == "GET"))
    }

    @Test(.spec(103, 107), arguments: [0, -1, .min]) func aPolicyWithoutRetriesHasNone(retries: Int) {
        #expect(decision("GET", response(503), RetryPolicy(retries: retries)) == .rethrow)
        #expect(decision("GET", response(503), .never) == .rethrow)
    }

    @Test(.spec(103), arguments: [(0, 1), (1, 2), (2, 4), (3, nil)] as [(Int, Double?)])
    func theWaitsDoubleUntilNoRetryIsLeft(retries: Int, wait: Double?) {
        let expected = wait.map { RetryDecision.sendAgain(after: $0, cause: "connectionLost") }
        let decided = decision("GET", failure(.connectionLost)) { $0.retries = retries }
        #expect(decided == expected ?? .giveUp("no retry is left"))
    }

    @Test(.spec(107), arguments: [(408, 0.05), (429, 1), (500, 0.05), (502, 0.05), (503, 1), (504, 0.05)])
    func aServerWithTooMuchToDoIsGivenMoreTime(status: Int, wait: Double) {
        let policy = RetryPolicy(backoff: Backoff(jitter: .none))
        let expected = RetryDecision.sendAgain(after: wait, cause: "response \(status)")
        #expect(decision("GET", response(status), policy) == expected)
    }

    @Test(
        .spec(106),
        arguments: [
            ("0", 1), ("1", 1), ("2", 2), ("30", 30), ("31", nil), (String(repeating: "9", count: 400), nil),
        ] as [(String, Double?)]
    )
    func aServerIsGivenTheTimeThatItAsksForUpToTheLimit(text: String, wait: Double?) {
        for status in [429, 503] {
            switch decision("GET", response(status, ["Retry-After": text])) {
            case .sendAgain(let seconds, let cause):
                #expect(seconds == wait)
                #expect(cause.hasSuffix(", for as long as the server asks") == (seconds > 1))
            case .giveUp(let reason):
                #expect(wait == nil)
                #expect(reason.hasPrefix("the server asks for a wait of "))
            case .rethrow: Issue.record("a \(status) was not worth another attempt")
            }
        }
    }

    @Test(.spec(106, 107)) func jitterNeverShortensAWaitThatTheServerAsksFor() {
        let policy = RetryPolicy(backoff: Backoff(jitter: Jitter { 0 }))
        let expected = RetryDecision.sendAgain(after: 2, cause: "response 503, for as long as the server asks")
        #expect(decision("GET", response(503, ["Retry-After": "2"]), policy) == expected)
    }

    @Test(.spec(106, 107), arguments: [(0.0, false), (-1, false), (.nan, false), (2, true), (.infinity, true)])
    func aLimitOfTheServersWaitsOutOfRangeIsClamped(limit: Double, isSent: Bool) {
        let policy = RetryPolicy(maximumServerWait: limit)
        #expect(isSentAgain(decision("GET", response(503, ["Retry-After": "2"]), policy)) == isSent)
        #expect(isSentAgain(decision("GET", response(503, ["Retry-After": "0"]), policy)))
    }

    @Test(
        .spec(106, 112),
        arguments: [
            (nil, true), (1.5, true), (1, false), (0.5, false), (0, false), (-3, false),
        ] as [(Double?, Bool)]
    )
    func noWaitBeginsThatWouldPassTheDeadline(remaining: Double?, isSent: Bool) {
        #expect(isSentAgain(decision("GET", response(503)) { $0.remainingTime = remaining }) == isSent)
        let asking = response(503, ["Retry-After": "2"])
        #expect(isSentAgain(decision("GET", asking) { $0.remainingTime = remaining }) == (remaining == nil))
    }

    @Test func aBodyThatCanBeReadOnlyOnceIsNotSentAgain() throws {
        func decision(_ change: (inout URLRequest) -> Void) -> RetryDecision {
            var request = URLRequest(url: url("https://api.example.com/items"))
            request.httpMethod = "PUT"
            change(&request)
            return FailedAttempt(request: request, error: response(503)).decision(by: .default)
        }
        let once = RetryDecision.giveUp("the body can be sent only once")
        #expect(decision { $0.httpBodyStream = InputStream(data: Data([1])) } == once)
        let chunks = SequenceBody(ScriptedChunks([Data([1])]), length: nil)
        #expect(decision { $0.httpBodyStream = SequenceInputStream(body: chunks) } == once)
        let source = DataBodySource(Data([1]))
        #expect(isSentAgain(decision { $0.httpBodyStream = BodyInputStream(source: source) }))
        #expect(isSentAgain(decision { $0.httpBody = Data([1]) }))
    }
}
