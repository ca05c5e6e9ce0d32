#if os(Linux)
import CCurl
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CurlConnectionsTests {
    private let connections = CurlConnections()
    private let client: Socket
    private let server: Socket
    private let name: ccurl_connection
    private let ownPort: CInt

    init() throws {
        let listener = try Socket.listening(on: .ipv4)
        client = try Socket.connected(to: listener.port())
        server = try #require(try listener.acceptNext())
        ownPort = CInt(try client.port())
        name = ccurl_connection_between("127.0.0.1", CInt(try listener.port()), ownPort)
    }

    private func open() throws -> CurlConnection {
        let opened = connections.opens(client.descriptor)
        return try #require(connections.find(name, ownPort, among: [opened]))
    }

    @Test func aConnectionIsFoundByItsEndsUntilItsSocketIsClosed() throws {
        let connection = try open()
        #expect(connections.find(name, ownPort, among: []) === connection)
        #expect(connections.find(name + 1, ownPort, among: []) == nil)
        let copy = dup(client.descriptor)
        _ = CurlConnections.closes(nil, client.descriptor)
        #expect(connections.find(name, ownPort, among: []) == nil)
        #expect(connection.traffic == nil)
        // So that the descriptor is the test's again.
        #expect(dup2(copy, client.descriptor) == client.descriptor)
        close(copy)
        connection.end()
        try server.sendAll(Array("more".utf8))
        #expect(try client.receive() == Array("more".utf8))
    }

    @Test(.enabled(if: CurlLibrary.takesStrayBytes, "libcurl does this itself"))
    func aConnectionWithBytesThatNobodyAskedForIsEnded() throws {
        let connection = try open()
        #expect(!connection.isSpoiled(nil))
        try server.sendAll(Array("stray".utf8))
        _ = Socket.waitReadable([client])
        #expect(connection.isSpoiled(nil))
        #expect(try server.receive() == [])
        #expect(connection.isSpoiled(nil))
    }

    @Test(.enabled(if: CurlLibrary.takesStrayBytes, "libcurl does this itself"), arguments: [true, false])
    func aConnectionThatThePeerHasLeftIsNotUsed(isReset: Bool) throws {
        let connection = try open()
        if isReset { server.reset() } else { server.closeNow() }
        _ = Socket.waitReadable([client])
        #expect(connection.isSpoiled(nil))
    }

    /// The windows of streams whose readers are behind, and what was on its way for streams that were given up.
    @Test func onlyMoreThanTheExchangesAccountForIsAFlood() throws {
        let connection = try open()
        connection.begins()
        var counts = connections.endFloods(since: [:])
        func receive(_ megabytes: Int) throws {
            let bytes = [UInt8](repeating: 0, count: 1 << 16)
            for _ in 0..<megabytes * 16 {
                try server.sendAll(bytes)
                var count = 0
                while count < bytes.count { count += try client.receive().count }
            }
            counts = connections.endFloods(since: counts)
        }
        func isEnded() -> Bool { connection.isSpoiled(nil) }
        try receive(14)
        connection.passes(1 << 19)
        try receive(14)
        #expect(!isEnded())
        connection.pauses(true)
        try receive(10)
        #expect(!isEnded())
        // What has waited for the reader is gone with the stream.
        connection.begins()
        connection.leaves(isPaused: true)
        try receive(0)
        #expect(!isEnded())
        for _ in 0..<(CurlLibrary.gathersStreams ? 30 : 20) where !isEnded() { try receive(1) }
        #expect(isEnded())
    }
}
#endif
