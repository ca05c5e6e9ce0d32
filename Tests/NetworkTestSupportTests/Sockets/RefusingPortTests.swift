import Foundation
import NetworkTestSupport
import Testing

struct RefusingPortTests {
    @Test func aRefusingPortRefusesEveryConnection() throws {
        let port = try RefusingPort()
        let number = try UInt16(#require(port.url.port))
        for _ in 0..<3 {
            let error = #expect(throws: SocketError.self) { try Socket.connected(to: number) }
            #expect(error == SocketError(call: "connect", code: ECONNREFUSED))
        }
    }
}
