import Foundation
import NetworkClientTesting
import NetworkTestSupport

@testable import NetworkClient

/// A client on a test clock, over a transport whose responses a closure makes from the request and its number.
struct ResilienceScene: Sendable {
    let clock: TestClock
    let sent: Recorder<URLRequest>
    /// The attempt timeouts that the transport was given, to the millisecond: preparing a hop takes real time.
    let limits: Recorder<TimeInterval?>
    let client: NetworkClient

    /// Creates a scene; the number of the first request is 0.
    init(
        _ interceptors: [any InterceptorProtocol],
        clock: TestClock = TestClock(),
        respond: @escaping @Sendable (URLRequest, Int) async throws -> NetworkClient.ChainResult
    ) {
        let (sent, limits) = (Recorder<URLRequest>(), Recorder<TimeInterval?>())
        let number = Locked(0)
        let transport = ClosureTransport { request, options in
            sent.record(request)
            limits.record(options.exchangeTimeout.map { ($0 * 1_000).rounded() / 1_000 })
            let index = number.withLock { number in
                number += 1
                return number - 1
            }
            let (data, response) = try await respond(request, index)
            return TransportResponse(response: response, data: data)
        }
        self.clock = clock
        self.sent = sent
        self.limits = limits
        client = NetworkClient(
            transport: transport,
            interceptors: interceptors,
            logging: .off,
            configuration: .init(time: clock)
        )
    }

    /// Creates a scene whose responses have the statuses in turn, and the last one from then on.
    init(
        _ interceptors: [any InterceptorProtocol],
        clock: TestClock = TestClock(),
        statuses: [Int],
        headers: [String: String] = [:]
    ) {
        self.init(interceptors, clock: clock) { _, number in
            (Data(), .made(statuses[min(number, statuses.count - 1)], headers: headers))
        }
    }

    /// Sends a request and returns the status of the response.
    @discardableResult
    func fetch(
        _ text: String = "https://api.example.com/items",
        options: CallOptions = CallOptions()
    ) async throws -> Int {
        try await client.fetch(request: URLRequest(url: url(text)), options: options).statusCode
    }

    /// Returns the error of a request.
    func failure(
        _ text: String = "https://api.example.com/items",
        options: CallOptions = CallOptions()
    ) async -> (any Error)? {
        do {
            try await fetch(text, options: options)
            return nil
        } catch {
            return error
        }
    }
}

/// Waits until a condition holds that nothing announces.
func eventually(_ what: String, _ condition: @escaping @Sendable () -> Bool) async throws {
    try await withDeadline(what) {
        while !condition() { await Task.yield() }
    }
}

/// Waits on the clock before the request is passed on, and again before the response is returned.
struct SlowInterceptor: InterceptorProtocol {
    let clock: TestClock
    var before = 0.0
    var after = 0.0

    func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
        clock.advance(by: before)
        let result = try await next(request)
        clock.advance(by: after)
        return result
    }
}

extension Error {
    /// The reason of a failed exchange; nil for other errors.
    var transportReason: TransportError.Reason? {
        guard case .requestError(let error)? = self as? NetworkClient.Error else { return nil }
        return error.reason
    }
}

extension RequestContext {
    /// Returns a copy with a deadline, as an interceptor sets it.
    func limited(to seconds: Double) -> RequestContext {
        with(CallLimit(.deadline(seconds), from: now))
    }
}
