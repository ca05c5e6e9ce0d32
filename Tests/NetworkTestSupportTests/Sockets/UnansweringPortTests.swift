import Foundation
import NetworkTestSupport
import Testing

@Suite(.enabled(if: UnansweringPort.isAvailable, "the system does not tell who waits"))
struct UnansweringPortTests {
    @Test func anUnansweringPortMakesClientsWait() async throws {
        let port = try UnansweringPort()
        #expect(port.waitingCount == 0)
        let number = try UInt16(#require(port.url.port))
        // Ends when the port is closed, which causes a refusal.
        Thread.detachNewThread { _ = try? Socket.connected(to: number) }
        try await withDeadline { while port.waitingCount == 0 { await Task.yield() } }
        #expect(port.waitingCount == 1)
    }
}
