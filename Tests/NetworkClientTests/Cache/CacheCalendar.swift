import Foundation
import NetworkTestSupport

@testable import NetworkClient
@testable import NetworkUtilities

/// A calendar that a test advances.
final class CacheCalendar: Sendable {
    private let date = Locked(Date(timeIntervalSince1970: 1_800_000_000))

    var now: Date { date.withLock { $0 } }

    func advance(by seconds: Double) { date.withLock { $0 = $0.addingTimeInterval(seconds) } }

    func cache(staleIfError: TimeInterval? = nil, separatesCookies: Bool = true) -> ResponseCache {
        ResponseCache(staleIfError: staleIfError, separatesCookies: separatesCookies) { self.now }
    }

    /// Returns a response that is fresh for a minute from now.
    func response(_ body: String, _ headers: WireFields = [:], control: String = "max-age=60") -> Script {
        let date = WireField(name: "Date", value: HTTPDate.text(of: now) ?? "")
        let control = WireField(name: "Cache-Control", value: control)
        return .respond(headers: WireFields([date, control] + headers), body: body)
    }
}
