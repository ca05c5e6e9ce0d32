#if canImport(FoundationNetworking)
public import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif
import NetworkUtilities

/// Sends a request a second time if its response is late, and returns the response that comes first.
///
/// ```swift
/// let client = NetworkClient(interceptors: [.retry(), .hedging(after: .percentile(95))])
/// ```
///
/// This shortens the slowest responses, for some more requests: at most `extraLoad` of them for each origin. The first
/// accepted response wins, and the other attempt is cancelled and awaited. An error ends the call only if no other
/// attempt is in flight; if both fail, the error is that of the first. An attempt that fails before the delay has
/// passed is not sent again: that is the task of a retry, which belongs outside.
///
/// Only idempotent requests are sent twice (RFC 9110 §9.2.2, with an `Idempotency-Key`, or as the call specifies with
/// ``CallOptions/isIdempotent``), and of them none whose body is a stream or a file, no streamed response, no transfer
/// with progress, and no shared exchange.
///
/// Each call of the client, and each of the attempts, runs in a task of its own, which takes some microseconds. An
/// attempt that ignores its cancellation delays the response of the other.
public struct HedgingInterceptor: InterceptorProtocol {
    /// The time after which the second attempt is sent.
    public struct Delay: Sendable, Hashable {
        fileprivate let percentile: Double?
        fileprivate let seconds: TimeInterval

        /// A fixed number of seconds, at least 0.
        public static func seconds(_ seconds: TimeInterval) -> Delay {
            Delay(percentile: nil, seconds: max(0, seconds))
        }

        /// The latency that so many percent of the last 100 responses of the host did not exceed.
        ///
        /// - Parameters:
        ///   - percentile: More than 0 and less than 100.
        ///   - initially: The seconds until the host has sent 20 responses.
        /// - Returns: A delay that follows the latencies of each origin.
        public static func percentile(_ percentile: Double, initially: TimeInterval = 1) -> Delay {
            Delay(percentile: min(max(0, percentile), 100), seconds: max(0, initially))
        }
    }

    private let delay: Delay
    private let hosts: OriginTable<Locked<HedgingState>>

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - delay: The time after which the second attempt is sent.
    ///   - extraLoad: The number of second attempts in relation to that of requests, from 0 to 1. Ten may be saved up.
    public init(after delay: Delay = .percentile(95), extraLoad: Double = 0.1) {
        self.delay = delay
        hosts = OriginTable { Locked(HedgingState(percentile: delay.percentile, extraLoad: extraLoad)) }
    }

    /// Passes the request on, and once more if its response is late.
    ///
    /// - Returns: The response that came first.
    /// - Throws: The error of the first attempt; `CancellationError`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let context = RequestContext.current
        guard context.maySendTwiceAtOnce, isRepeatable(request, context), let url = request.url else {
            return try await next(request)
        }
        let state = hosts.value(of: Origin(of: url))
        let seconds = state.withLock { $0.begin() } ?? delay.seconds
        let start = context.now
        let result = try await withoutActuallyEscaping(next) { next in
            try await HedgedAttempts(request: request, context: context, next: next).run(after: seconds) {
                state.withLock { $0.takeExtraAttempt() }
            }
        }
        state.withLock { $0.add(latency: context.now - start) }
        return result
    }

    private func isRepeatable(_ request: URLRequest, _ context: RequestContext) -> Bool {
        request.httpBodyStream == nil && request.isIdempotent(asSpecified: context.isIdempotent)
    }
}

/// The attempts of one request.
private struct HedgedAttempts: Sendable {
    private enum Event: Sendable {
        case isLate
        case response(NetworkClient.ChainResult)
        case failure(any Error, isFirst: Bool)
    }

    let request: URLRequest
    let context: RequestContext
    let next: NetworkClient.Next

    /// Sends the request, and once more after the delay if `mayBegin` returns true then.
    func run(after seconds: TimeInterval, _ mayBegin: () -> Bool) async throws -> NetworkClient.ChainResult {
        let outcome = await withTaskGroup(of: Event.self) { group -> Result<NetworkClient.ChainResult, any Error> in
            // Ends the other attempt and the delay, which the group awaits.
            defer { group.cancelAll() }
            group.addTask { await attempt(context, isFirst: true) }
            group.addTask {
                do {
                    try await context.time.sleep(seconds: seconds)
                    return .isLate
                } catch {
                    return .failure(error, isFirst: false)
                }
            }
            var attempts = 1
            var firstError: (any Error)?
            for await event in group {
                switch event {
                case .response(let result): return .success(result)
                case .isLate:
                    guard !Task.isCancelled, mayBegin() else { continue }
                    attempts += 1
                    context.record(.decision, "HedgingInterceptor: sends again, no response for \(seconds.inWords)")
                    group.addTask { await attempt(context.with(attempt: context.attempt + 1), isFirst: false) }
                case .failure(let error, let isFirst):
                    if isFirst { firstError = error }
                    if let firstError, attempts == 1 || !isFirst { return .failure(firstError) }
                }
            }
            return .failure(firstError ?? CancellationError())
        }
        return try outcome.get()
    }

    private func attempt(_ context: RequestContext, isFirst: Bool) async -> Event {
        do {
            return .response(try await context.run { try await next(request) })
        } catch {
            return .failure(error, isFirst: isFirst)
        }
    }
}

/// The latencies of a host, and the second attempts that its requests have earned.
struct HedgingState: Sendable {
    private static let capacity = 100
    private static let fewest = 20

    private let percentile: Double?
    private let extraLoad: Double
    /// The second attempts that may be sent; the first is free.
    private var balance = 1.0
    private var latencies: [Double] = []
    /// The number of latencies so far; the newest replaces the oldest.
    private var additions = 0
    private var delay: Double?

    init(percentile: Double?, extraLoad: Double) {
        self.percentile = percentile
        self.extraLoad = min(max(0, extraLoad), 1)
    }

    /// Notes a request.
    ///
    /// - Returns: The delay by the latencies; nil if it is fixed, or if too few are known.
    mutating func begin() -> Double? {
        balance = min(balance + extraLoad, 10)
        return delay
    }

    /// Takes a second attempt from the balance, if it has one.
    mutating func takeExtraAttempt() -> Bool {
        // Ten tenths are a little less than one.
        guard extraLoad > 0, balance > 0.999 else { return false }
        balance -= 1
        return true
    }

    mutating func add(latency: Double) {
        guard let percentile else { return }
        if latencies.count < Self.capacity {
            latencies.append(latency)
        } else {
            latencies[additions % Self.capacity] = latency
        }
        additions += 1
        // Sorting them for each response would cost more than the whole remaining call.
        guard latencies.count >= Self.fewest, additions % 10 == 0 else { return }
        let rank = Int((Double(latencies.count) * percentile / 100).rounded(.up))
        delay = latencies.sorted()[min(max(rank, 1), latencies.count) - 1]
    }
}

extension InterceptorProtocol where Self == HedgingInterceptor {
    /// An interceptor that sends an idempotent request a second time if its response is late.
    ///
    /// - Parameters:
    ///   - delay: The time after which the second attempt is sent.
    ///   - extraLoad: The number of second attempts in relation to that of requests, from 0 to 1.
    /// - Returns: The interceptor, without known latencies.
    public static func hedging(
        after delay: HedgingInterceptor.Delay = .percentile(95),
        extraLoad: Double = 0.1
    ) -> HedgingInterceptor {
        HedgingInterceptor(after: delay, extraLoad: extraLoad)
    }
}
