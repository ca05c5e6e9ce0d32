import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// A client that retries, and a transport that plays a list of outcomes, the last one again and again.
final class RetryScene: Sendable {
    /// What the transport does with a request.
    enum Outcome: Sendable {
        case response(Int, [String: String] = [:], body: String = "")
        case failure(TransportError)

        static func failure(_ reason: TransportError.Reason) -> Outcome { .failure(TransportError(reason)) }
    }

    let clock: TestClock
    let client: NetworkClient
    let sent: Recorder<URLRequest>
    private let journeys: Recorder<CallJourney>

    init(
        _ outcomes: [Outcome],
        _ policy: RetryPolicy = .default,
        outside: [any InterceptorProtocol] = [],
        inside: [any InterceptorProtocol] = [],
        clock: TestClock = TestClock(advancesItself: true)
    ) {
        let (sent, journeys) = (Recorder<URLRequest>(), Recorder<CallJourney>())
        let transport = ClosureTransport { request in
            sent.record(request)
            switch outcomes[min(sent.count, outcomes.count) - 1] {
            case .response(let status, let headers, let body): return (Data(body.utf8), .made(status, headers: headers))
            case .failure(let error): throw error
            }
        }
        client = NetworkClient(
            transport: transport,
            interceptors: [Self.recording(journeys)] + outside + [.retry(policy)] + inside,
            configuration: .init(time: clock)
        )
        self.clock = clock
        self.sent = sent
        self.journeys = journeys
    }

    /// Sends a request and returns the status of its response.
    @discardableResult
    func fetch(
        _ method: String = "GET",
        headers: [String: String] = [:],
        options: CallOptions = CallOptions()
    ) async throws -> Int {
        var request = URLRequest(url: url("https://api.example.com/items?secret=1"))
        request.httpMethod = method
        request.allHTTPHeaderFields = headers
        return try await client.fetch(request: request, options: options).httpResponse.statusCode
    }

    /// The steps of all calls, without their times.
    var lines: [String] { steps.map { String($0.description.drop { $0 != "s" }.dropFirst(3)) } }

    var steps: [CallJourney.Step] { journeys.values.flatMap(\.steps) }

    /// Records the journey of each call, whether it fails or not.
    private static func recording(_ journeys: Recorder<CallJourney>) -> ClosureInterceptor {
        ClosureInterceptor(runsInCallersTask: true) { request, next in
            defer { journeys.record(RequestContext.current.call?.record.journey ?? CallJourney(steps: [])) }
            return try await next(request)
        }
    }
}

extension RetryPolicy {
    /// A policy whose waits are 1, 2, 4 … seconds.
    static func counting(_ retries: Int) -> RetryPolicy {
        RetryPolicy(retries: retries, backoff: Backoff(base: 1, throttledBase: 1, jitter: .none))
    }
}
