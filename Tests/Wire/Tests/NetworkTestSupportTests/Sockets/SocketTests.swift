import Foundation
import NetworkTestSupport
import Testing

struct SocketTests {
    @Test func writingToAClosedPeerThrowsAndSendsNoSignal() throws {
        let (one, other) = try Socket.pair()
        other.closeNow()
        let error = #expect(throws: SocketError.self) { try one.sendAll([1]) }
        #expect(error == SocketError(call: "send", code: EPIPE))
        #expect(error?.description == "send: Broken pipe")
    }

    @Test func aSocketClosesOnce() throws {
        let (one, other) = try Socket.pair()
        one.closeNow()
        // Gets the number that was just given back, which a second close would take from it.
        let (third, fourth) = try Socket.pair()
        one.closeNow()
        one.shutDown()
        try third.sendAll([7])
        #expect(try fourth.receive() == [7])
        #expect(try other.receive() == [])
    }
}
