import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct ReconnectionTests {
    @Test(.spec(222)) func failuresOfAServerThatRestartsAreNotFinal() {
        let request = URLRequest(url: url("https://h/"))
        func allows(_ error: TransportError) -> Bool {
            Reconnection.standard.allows(request, after: NetworkClient.Error.requestError(type: error))
        }
        for reason in [.secureConnectionFailed, .malformedResponse, .proxyRefused, .timedOut, .offline]
            as [TransportError.Reason]
        {
            #expect(allows(TransportError(reason)))
        }
        #expect(!allows(TransportError(.secureConnectionFailed, securityFailure: .expiredCertificate)))
        for reason in [.notAnEventStream, .bodyTooLarge, .invalidRequest, .unsupported] as [TransportError.Reason] {
            #expect(!allows(TransportError(reason)))
        }
    }

    @Test(.spec(222)) func clientsThatReconnectAreSpreadOverTime() {
        // Each of 1,000 clients tries again and again for ten minutes.
        var counts: [Int: Int] = [:]
        for _ in 0..<1_000 {
            var (now, attempt) = (0.0, 1)
            while now < 660 {
                now += Reconnection.standard.delay(beforeAttempt: attempt, retry: nil, asked: 0)
                attempt += 1
                if now > 60, now < 660 { counts[Int(now), default: 0] += 1 }
            }
        }
        let mean = Double(counts.values.reduce(0, +)) / 600
        #expect(counts.values.allSatisfy { Double($0) < 3 * mean })
    }

    @Test(.spec(222)) func aServersWaitIsAtLeastKeptAndHasALimit() {
        let standard = Reconnection.standard
        for _ in 0..<100 {
            #expect((5...5).contains(standard.delay(beforeAttempt: 1, retry: 5, asked: 0)))
            #expect((5...20).contains(standard.delay(beforeAttempt: 3, retry: 5, asked: 0)))
            #expect((0...30).contains(standard.delay(beforeAttempt: 900, retry: nil, asked: 0)))
            expect(standard.delay(beforeAttempt: 1, retry: .infinity, asked: .infinity), 3_600)
            #expect((0.1...2).contains(standard.delay(beforeAttempt: 2, retry: 0, asked: 0)))
            expect(standard.delay(beforeAttempt: 1, retry: 0, asked: 0), 0.1)
        }
    }

    @Test(.spec(240), arguments: [.nan, -1, -.infinity] as [Double])
    func aWaitThatIsNoNumberOrNegativeIsTheUsualOne(seconds: Double) {
        var reconnection = Reconnection.standard
        reconnection.jitter = .none
        reconnection.initialDelay = seconds
        reconnection.maximumDelay = seconds
        let waits = [1, 2, 9].map { reconnection.delay(beforeAttempt: $0, retry: nil, asked: 0) }
        expect(waits, [1, 2, 30])
    }

    @Test(.spec(222)) func eachStatusOfARetryLeadsToAnotherConnection() {
        let request = URLRequest(url: url("https://h/"))
        for status in [408, 429, 500, 502, 503, 504, 521, 522, 524, 529] {
            let error = NetworkClient.Error.apiError(response: .made(status), data: Data())
            #expect(Reconnection.standard.allows(request, after: error), "\(status)")
        }
        // Certificates and addresses.
        for status in [520, 523, 525, 526, 527, 530] {
            let error = NetworkClient.Error.apiError(response: .made(status), data: Data())
            #expect(!Reconnection.standard.allows(request, after: error), "\(status)")
        }
    }
}
