import Foundation
import NetworkTestSupport

@testable import NetworkClient
@testable import NetworkUtilities

/// The system's clock, on which no sleep waits, with a calendar that a test advances, or sets back.
final class CacheCalendar: SimulatedTimeSource {
    private let state = Locked(Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down)))

    var date: Date { state.withLock { $0 } }

    var now: TimeInterval { SystemTimeSource().now }

    var advancesItself: Bool { true }

    func sleep(seconds: TimeInterval) async throws { try Task.checkCancellation() }

    func advance(by seconds: Double) { state.withLock { $0 = $0.addingTimeInterval(seconds) } }

    /// Returns a response that is fresh for a minute from now.
    func response(_ body: String, _ headers: WireFields = [:], control: String = "max-age=60") -> Script {
        let date = WireField(name: "Date", value: HTTPDate.text(of: date) ?? "")
        let control = WireField(name: "Cache-Control", value: control)
        return .respond(headers: WireFields([date, control] + headers), body: body)
    }
}
