#if os(Linux) || os(Android)
import CCurl
import Foundation

/// The transfers that are under way, on the engine's thread.
struct CurlTransfers {
    private let multi: OpaquePointer
    private var exchanges: [ObjectIdentifier: CurlExchange] = [:]
    /// Before this time nobody is late, so that nobody has to be asked.
    private var nextDeadline = UInt64.max

    init(multi: OpaquePointer) {
        self.multi = multi
    }

    var isEmpty: Bool { exchanges.isEmpty }

    mutating func start(_ exchange: CurlExchange) {
        guard !exchange.isOver else { return }
        guard ccurl_multi_add(multi, exchange.handle.easy) == 0 else {
            return exchange.fail(CurlFailure.outOfMemory)
        }
        exchanges[ObjectIdentifier(exchange)] = exchange
        nextDeadline = min(nextDeadline, exchange.deadline)
    }

    mutating func stop(_ exchange: CurlExchange) {
        guard exchanges.removeValue(forKey: ObjectIdentifier(exchange)) != nil else { return }
        _ = ccurl_multi_remove(multi, exchange.handle.easy)
    }

    /// Moves what can be moved, and ends what is complete or late.
    mutating func move() {
        var running: CInt = 0
        _ = ccurl_multi_perform(multi, &running)
        var easy: OpaquePointer?
        var owner: UnsafeMutableRawPointer?
        var result: CInt = 0
        while ccurl_multi_next_finished(multi, &easy, &owner, &result) != 0 {
            guard let owner else { continue }
            let exchange = CurlExchange.at(owner)
            stop(exchange)
            exchange.finish(result)
        }
        endLate()
    }

    private mutating func endLate() {
        guard nextDeadline != .max, CurlExchange.now >= nextDeadline else { return }
        let now = CurlExchange.now
        var earliest = UInt64.max
        for exchange in exchanges.values {
            let deadline = exchange.deadline
            if deadline <= now {
                stop(exchange)
                exchange.fail(CurlFailure.timedOut)
            } else {
                earliest = min(earliest, deadline)
            }
        }
        nextDeadline = earliest
    }

    /// How many milliseconds the thread may wait.
    var patience: CInt {
        guard nextDeadline != .max, !exchanges.isEmpty else { return Self.longestWait }
        let now = CurlExchange.now
        guard nextDeadline > now else { return 0 }
        // Rounded up, so that nobody is asked a moment before it is late.
        return CInt(min((nextDeadline - now) / 1_000_000 + 1, UInt64(Self.longestWait)))
    }

    private static let longestWait: CInt = 60_000
}
#endif
