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

    @Test(
        .spec(105),
        arguments: ["GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "QUERY"].map { ($0, true) }
            + ["POST", "PATCH", "CONNECT", "PROPFIND", "SEARCH"].map { ($0, false) }
    )
    func methodsThatAreNotIdempotentAreSentAgainOnlyIfTheRequestOrTheCallSaysSo(method: String, isIdempotent: Bool) {
        for error in [response(503), response(429), failure(.connectionLost), failure(.timedOut)] {
            let reason = "the request (\(method)) is not idempotent"
            for key in [nil, ""] { expect(isSentAgain(decision(method, error, key: key)), isIdempotent) }
            #expect(isSentAgain(decision(method, error, key: "\"8e03978e\"")))
            #expect(isSentAgain(decision(method, error) { $0.isIdempotent = true }))
            expect(decision(method, error, key: "1") { $0.isIdempotent = false }, .giveUp(reason))
        }
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
            expect(isSentAgain(decision(method, error) { $0.mayBePerformed = true }), (method == "GET"))
        }
        let waiting = NetworkClient.Error.requestError(
            type: TransportError(timeoutIn: .credential, request: nil, detail: nil)
        )
        #expect(isSentAgain(decision("GET", waiting)))
        #expect(!isSentAgain(decision("POST", waiting)))
    }

    private static let statuses: [(TransportError?, Int, Bool)] =
        [408, 429, 500, 502, 503, 504, 521, 522, 524].map { (nil, $0, true) }
        + [300, 304, 400, 401, 403, 404, 409, 413, 425, 501, 505, 999].map { (nil, $0, false) }

    private static let transient: [TransportError.Reason] = [
        .connectionLost, .timedOut, .nameNotResolved, .connectionRefused, .offline, .tooManyOpenFiles,
    ]

    private static let lasting: [TransportError.Reason] = [
        .proxyRefused, .secureConnectionFailed, .malformedResponse, .bodyTooLarge, .tooManyRedirects, .redirectRefused,
        .bodyNotReplayable, .bodyUnreadable, .fileNotWritten, .invalidRequest, .transportClosed, .unsupported, .other,
    ]

    private static let failures: [(TransportError?, Int, Bool)] =
        transient.map { (TransportError($0), 0, true) } + lasting.map { (TransportError($0), 0, false) }
        + [(503, true), (407, false), (403, false)].map { (TransportError(.proxyRefused, proxyStatus: $0), 0, $1) }

    @Test(.spec(109), arguments: statuses + failures)
    func onlySomeStatusesAndFailuresAreWorthAnotherAttempt(failure: TransportError?, status: Int, isTransient: Bool) {
        let error = failure.map { NetworkClient.Error.requestError(type: $0) } ?? response(status)
        expect(isSentAgain(decision("GET", error)), isTransient)
        if failure?.reason == .proxyRefused { expect(isSentAgain(decision("POST", error)), isTransient) }
        var policy = RetryPolicy.default
        policy.statuses = [HTTPStatus(rawValue: status)]
        if failure == nil { #expect(isSentAgain(decision("GET", error, policy))) }
    }

    @Test(.spec(109)) func thePredicateDecidesWhatStatusesAndReasonsLeaveOpen() {
        var policy = RetryPolicy.default
        expect(decision("GET", Foreign(), policy), .rethrow)
        policy.retriesOtherErrors = { $0 is Foreign }
        #expect(isSentAgain(decision("GET", Foreign(), policy)))
        #expect(!isSentAgain(decision("POST", Foreign(), policy)))
        expect(decision("GET", TransportError(.timedOut), policy), .rethrow)
        expect([404, 503].map { isSentAgain(decision("GET", response($0), policy)) }, [false, true])
        policy.retriesOtherErrors = { error in
            guard case NetworkClient.Error.apiError(let response, _) = error else { return false }
            return response.statusCode == 404
        }
        expect([404, 410, 503].map { isSentAgain(decision("GET", response($0), policy)) }, [true, false, true])
        expect(decision("GET", Foreign(), policy), .rethrow)
        policy.retriesOtherErrors = { _ in true }
        policy.reasons.insert(.secureConnectionFailed)
        #expect(isSentAgain(decision("GET", failure(.secureConnectionFailed), policy)))
        let untrusted = TransportError(.secureConnectionFailed, securityFailure: .untrustedCertificate)
        func refused(_ cause: any Error) -> AuthenticationError {
            AuthenticationError(.refreshFailed, response: .made(401), underlying: cause)
        }
        let never: [any Error] = [
            NetworkClient.Error.requestError(type: untrusted),
            CancellationError(), Self.decodingError, NetworkClient.Error.decodingError(type: Self.decodingError),
            NetworkClient.Error.invalidUrl(originalUrl: "x"), NetworkClient.Error.invalidResponse, untrusted,
            refused(NetworkClient.Error.requestError(type: untrusted)), refused(CancellationError()),
        ]
        for error in never { expect(decision("GET", error, policy), .rethrow, "\(error)") }
    }

    /// A refused credential shows that nothing was done, unless a redirect was followed before.
    @Test(.spec(109, 235), arguments: ["GET", "POST"]) func aFailedRefreshIsJudgedAsTheCallItselfWouldBe(method: String)
    {
        func error(_ reason: AuthenticationError.Reason, _ underlying: (any Error)?) -> AuthenticationError {
            AuthenticationError(reason, response: .made(401), underlying: underlying)
        }
        let lost = error(.refreshFailed, failure(.connectionLost))
        expect(decision(method, lost), .sendAgain(after: 1, cause: "refreshFailed"))
        for temporary in [
            lost, error(.refreshFailed, response(503)), error(.refreshTimedOut, nil), error(.excessiveRefresh, lost),
        ] {
            #expect(isSentAgain(decision(method, temporary)), "\(temporary)")
            expect(isSentAgain(decision(method, temporary) { $0.mayBePerformed = true }), (method == "GET"))
        }
        let asking = error(.refreshFailed, response(429, ["Retry-After": "7"]))
        let cause = "refreshFailed, for at least as long as the server asks"
        expect(decision(method, asking), .sendAgain(after: 7, cause: cause))
        for other in [
            error(.refreshFailed, failure(.secureConnectionFailed)), error(.refreshFailed, response(404)),
            error(.refreshFailed, Foreign()), error(.refreshFailed, CancellationError()),
            error(.refreshFailed, OAuthError(.invalidGrant)), error(.excessiveRefresh, nil),
            error(.storeFailed, failure(.connectionLost)), error(.signedOut, nil),
        ] { expect(decision(method, other), .rethrow, "\(other)") }
    }

    @Test(.spec(103, 107)) func theWaitsDoubleUntilNoRetryIsLeftAndAServerWithTooMuchToDoIsGivenMoreTime() {
        for (retries, wait) in [(0, 1), (1, 2), (2, 4), (3, nil)] as [(Int, Double?)] {
            let expected = wait.map { RetryDecision.sendAgain(after: $0, cause: "connectionLost") }
            let decided = decision("GET", failure(.connectionLost)) { $0.retries = retries }
            expect(decided, expected ?? .giveUp("no retry is left"))
        }
        for policy in [0, -1, .min].map({ RetryPolicy(retries: $0) }) + [.never] {
            expect(decision("GET", response(503), policy), .rethrow)
        }
        let policy = RetryPolicy(backoff: Backoff(jitter: .none))
        for (status, wait) in [(408, 0.05), (429, 1), (500, 0.05), (502, 0.05), (503, 1), (504, 0.05)] {
            let expected = RetryDecision.sendAgain(after: wait, cause: "response \(status)")
            expect(decision("GET", response(status), policy), expected)
        }
    }

    @Test(
        .spec(106, 107),
        arguments: [
            // The seconds that the server asks for, the limit of the policy, and the wait: a second longer than asked,
            // since the jitter has shortened the policy's own wait by a second.
            ("0", 30, 0), ("2", 30, 3), ("30", 30, 31), ("31", 30, nil),
            (String(repeating: "9", count: 400), 30, nil), ("2", 0, nil), ("2", -1, nil), ("2", .nan, nil),
            ("0", .nan, 0), ("0", -1, 0), ("2", .infinity, 3),
        ] as [(String, Double, Double?)]
    )
    func aServerIsGivenTheTimeThatItAsksForUpToTheLimit(text: String, limit: Double, wait: Double?) {
        let policy = RetryPolicy(backoff: Backoff(jitter: Jitter { 0 }), maximumServerWait: limit)
        for status in [429, 503] {
            switch decision("GET", response(status, ["Retry-After": text]), policy) {
            case .sendAgain(let seconds, let cause):
                expect(seconds, wait)
                expect(cause.hasSuffix(", for at least as long as the server asks"), (seconds > 0))
            case .giveUp(let reason):
                expect(wait, nil)
                #expect(reason.hasPrefix("the server asks for a wait of "))
            case .rethrow: Issue.record("a \(status) was not worth another attempt")
            }
        }
        let decided = decision("GET", response(503, ["Retry-After": "1"]))
        expect(decided, .sendAgain(after: 1, cause: "response 503"))
    }

    @Test(.spec(106, 107), arguments: [(nil, 2.75), (3, 2.75), (2.75, 2), (2.5, 2), (2, nil)] as [(Double?, Double?)])
    func aRandomPartSpreadsTheCallersWhomAServerAskedToWait(remaining: Double?, wait: Double?) {
        let policy = RetryPolicy(backoff: Backoff(jitter: Jitter { 0.25 }))
        let asking = response(503, ["Retry-After": "2"])
        let decided = decision("GET", asking, policy) { $0.remainingTime = remaining }
        let expected = wait.map {
            RetryDecision.sendAgain(after: $0, cause: "response 503, for at least as long as the server asks")
        }
        expect(decided, expected ?? .giveUp("a wait of 2 s would use up the 2 s that remain"))
    }

    @Test(
        .spec(106, 112),
        arguments: [
            (nil, true), (1.5, true), (1, false), (0.5, false), (0, false), (-3, false),
        ] as [(Double?, Bool)]
    )
    func noWaitBeginsThatWouldPassTheDeadline(remaining: Double?, isSent: Bool) {
        let decided = decision("GET", response(503)) { $0.remainingTime = remaining }
        let left = (remaining ?? 0).inWords
        let late = RetryDecision.giveUp("a wait of 1 s would use up the \(left) that remain")
        #expect(isSent ? isSentAgain(decided) : decided == late)
        let asking = response(503, ["Retry-After": "2"])
        expect(isSentAgain(decision("GET", asking) { $0.remainingTime = remaining }), (remaining == nil))
    }

    @Test func aBodyThatCanBeReadOnlyOnceIsNotSentAgain() throws {
        func decision(after error: any Error = response(503), _ change: (inout URLRequest) -> Void) -> RetryDecision {
            var request = URLRequest(url: url("https://api.example.com/items"))
            request.httpMethod = "PUT"
            change(&request)
            return FailedAttempt(request: request, error: error).decision(by: .default)
        }
        let once = RetryDecision.giveUp("the body can be sent only once")
        expect(decision { $0.httpBodyStream = InputStream(data: Data([1])) }, once)
        expect(decision(after: failure(.connectionRefused)) { $0.httpBodyStream = InputStream(data: Data([1])) }, once)
        let chunks = SequenceBody(ScriptedChunks([Data([1])]), length: nil)
        expect(decision { $0.httpBodyStream = SequenceInputStream(body: chunks) }, once)
        let source = DataBodySource(Data([1]))
        #expect(isSentAgain(decision { $0.httpBodyStream = BodyInputStream(source: source) }))
        #expect(isSentAgain(decision { $0.httpBody = Data([1]) }))
    }
}
