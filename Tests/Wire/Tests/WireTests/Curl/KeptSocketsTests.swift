#if os(Linux)
import CCurl
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct KeptSocketsTests {
    /// The number of a closed socket may be that of another connection, of this library or of the program.
    @Test func onlyTheConnectionBetweenThesePortsIsShutDown() throws {
        let listener = try Socket.listening(on: .ipv4)
        let client = try Socket.connected(to: listener.port())
        let server = try #require(try listener.acceptNext())
        try server.sendAll(Array("stray".utf8))
        _ = Socket.waitReadable([client])
        let (port, ownPort) = (CInt(try listener.port()), CInt(try client.port()))
        #expect(ccurl_socket_empty(client.descriptor, port, ownPort + 1) == 0)
        #expect(ccurl_socket_empty(client.descriptor, port + 1, ownPort) == 0)
        #expect(try client.receive() == Array("stray".utf8))
        try server.sendAll(Array("more".utf8))
        _ = Socket.waitReadable([client])
        #expect(ccurl_socket_empty(client.descriptor, port, ownPort) == 1)
        #expect(try server.receive() == [])
    }

    @Test(arguments: [true, false]) func aConnectionThatThePeerHasLeftIsShutDown(isReset: Bool) throws {
        let listener = try Socket.listening(on: .ipv4)
        let client = try Socket.connected(to: listener.port())
        let server = try #require(try listener.acceptNext())
        let (port, ownPort) = (CInt(try listener.port()), CInt(try client.port()))
        #expect(ccurl_socket_empty(client.descriptor, port, ownPort) == 0)
        if isReset { server.reset() } else { server.closeNow() }
        _ = Socket.waitReadable([client])
        #expect(ccurl_socket_empty(client.descriptor, port, ownPort) == 1)
    }
}
#endif
