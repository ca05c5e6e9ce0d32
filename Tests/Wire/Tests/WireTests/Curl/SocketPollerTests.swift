#if os(Linux)
import CCurl
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct SocketPollerTests {
    private typealias Change = SocketInterests.Change

    /// A class, since `#expect` cannot call a mutating function.
    private final class Interests {
        private var interests = SocketInterests()

        func want(_ wanted: CInt, at socket: CInt) -> Change? { interests.want(wanted, at: socket) }
        func report(at socket: CInt) { interests.report(at: socket) }
        func resume(at socket: CInt) -> Change? { interests.resume(at: socket) }
        func setReceiving(_ isOn: Bool, at socket: CInt) -> Change? { interests.setReceiving(isOn, at: socket) }
    }

    private static let nothing = CInt(CURL_POLL_REMOVE)
    private static let reading = CInt(CURL_POLL_IN)
    private static let writing = CInt(CURL_POLL_OUT)

    @Test func aSocketIsWatchedOnceForEachResponse() {
        let interests = Interests()
        for _ in 0..<3 {
            #expect(interests.want(Self.reading, at: 7) == Change(wanted: Self.reading, isOnce: true))
            interests.report(at: 7)
            #expect(interests.want(Self.nothing, at: 7) == nil)
            #expect(interests.resume(at: 7) == nil)
        }
    }

    @Test func aSocketIsWatchedForAllEventsAfterTheFirst() {
        let interests = Interests()
        _ = interests.want(Self.reading, at: 3)
        interests.report(at: 3)
        #expect(interests.resume(at: 3) == Change(wanted: Self.reading, isOnce: false))
        interests.report(at: 3)
        #expect(interests.resume(at: 3) == nil)
        #expect(interests.want(Self.nothing, at: 3) == Change(wanted: Self.nothing, isOnce: false))
        #expect(interests.want(Self.nothing, at: 3) == nil)
    }

    @Test func aSocketIsWatchedAgainForAnotherEvent() {
        let interests = Interests()
        _ = interests.want(Self.writing, at: 0)
        interests.report(at: 0)
        #expect(interests.want(Self.reading, at: 0) == Change(wanted: Self.reading, isOnce: true))
        #expect(interests.resume(at: 0) == nil)
        #expect(interests.want(Self.nothing, at: 0) == Change(wanted: Self.nothing, isOnce: false))
    }

    @Test func bytesStayInTheSystemUntilTheyAreToBeReceivedAgain() {
        let interests = Interests()
        _ = interests.want(Self.reading, at: 5)
        interests.report(at: 5)
        // During the event that libcurl is handling, and after the first one.
        for isOnce in [true, false] {
            let stop = isOnce ? nil : Change(wanted: Self.nothing, isOnce: false)
            #expect(interests.setReceiving(false, at: 5) == stop)
            #expect(interests.setReceiving(false, at: 5) == nil)
            #expect(interests.resume(at: 5) == nil)
            #expect(interests.setReceiving(true, at: 5) == Change(wanted: Self.reading, isOnce: isOnce))
            #expect(interests.setReceiving(true, at: 5) == nil)
            interests.report(at: 5)
            if isOnce { #expect(interests.resume(at: 5) == Change(wanted: Self.reading, isOnce: false)) }
        }
    }

    @Test func aBodyIsSentWhileNothingIsReceived() {
        let interests = Interests()
        _ = interests.want(Self.reading | Self.writing, at: 5)
        #expect(interests.setReceiving(false, at: 5) == Change(wanted: Self.writing, isOnce: true))
        #expect(interests.want(Self.reading, at: 5) == Change(wanted: Self.nothing, isOnce: false))
        #expect(interests.want(Self.nothing, at: 5) == nil)
        // The next connection with this number.
        #expect(interests.want(Self.reading, at: 5) == Change(wanted: Self.reading, isOnce: true))
        #expect(interests.setReceiving(false, at: 6) == nil)
    }

    /// An event may be reported late, after the socket has been given up, or even used again.
    @Test func anEventThatIsNotWaitedForIsIgnored() {
        let interests = Interests()
        interests.report(at: 9)
        #expect(interests.resume(at: 9) == nil)
        _ = interests.want(Self.reading, at: 9)
        _ = interests.want(Self.nothing, at: 9)
        interests.report(at: 9)
        #expect(interests.resume(at: 9) == nil)
        #expect(interests.want(Self.reading, at: -1) == nil)
    }

    /// An event that moves nothing, again and again: at a socket of TCP, it is not reported for a while.
    @Test(.spec(210), arguments: [reading, writing])
    func anEventThatLeadsToNothingIsHeldBack(event: CInt) {
        var interests = SocketInterests()
        _ = interests.want(event, at: 4)
        func handle(_ moved: Int64, isIdle: Bool = true) -> Change? {
            interests.report(at: 4)
            let change = interests.handled(event, isIdle: isIdle, at: 4) { moved }
            return change ?? interests.resume(at: 4)
        }
        let nothing = Change(wanted: Self.nothing, isOnce: false)
        // The first event ends the one-time watch.
        var changes = (0..<20).map { handle(Int64($0)) }
        #expect(changes.dropFirst().allSatisfy { $0 == nil })
        changes = (0..<3).map { _ in handle(100) }
        #expect(changes == [nil, nothing, nil] && interests.isIdle(at: 4))
        let resumed = interests.resumeIdle()
        #expect(resumed.map(\.1) == [Change(wanted: event, isOnce: false)])
        let again = handle(100)
        #expect(again == nothing)
        // For another exchange, or when the reader goes on.
        let received = interests.setReceiving(true, at: 4)
        #expect(received == Change(wanted: event, isOnce: false) && !interests.isIdle(at: 4))
        let active = handle(100, isIdle: false)
        #expect(active == nil)
    }

    @Test(.spec(210)) func theEventsOfADescriptorWithoutBytesAreNotHeldBack() {
        var interests = SocketInterests()
        _ = interests.want(Self.reading, at: 4)
        let changes = (0..<20).map { _ in interests.handled(Self.reading, isIdle: true, at: 4) { 0 } }
        #expect(changes.allSatisfy { $0 == nil })
    }

    /// It is reported again although no byte comes, since libcurl may have been wrong to do nothing.
    @Test(.spec(210)) func anEventThatIsHeldBackIsReportedAgain() throws {
        let (client, server) = try connection()
        try client.sendAll([1])
        try server.sendAll([1])
        let poller = try #require(SocketPoller())
        #expect(poller.setWanted(Self.reading, at: client.descriptor))
        var events = SocketEvents()
        #expect(poller.wait(until: .max, into: &events))
        let event = try #require(events.takeRound().first)
        #expect(poller.dueTime == .max)
        for _ in 0..<10 { poller.resume(after: event, hasProgress: false) }
        try #require(poller.dueTime < .max)
        #expect(poller.wait(until: poller.dueTime, into: &events))
        #expect(events.isEmpty)
        #expect(poller.resumeIdle(dueBy: MonotonicClock.now))
        #expect(poller.wait(until: .max, into: &events))
        #expect(events.takeRound().map(\.socket) == [client.descriptor])
    }

    /// Bytes that arrive while they are counted would make it look as if nothing had moved.
    @Test(.spec(210)) func theCountOfTheBytesOfAConnectionNeverFalls() async throws {
        let (client, server) = try connection()
        let echo = Task.detached {
            while true {
                try client.sendAll([UInt8](repeating: 0, count: 1_000))
                guard try !server.receive().isEmpty else { return }
                try server.sendAll([0])
                _ = try client.receive()
            }
        }
        var (old, falls) = (ccurl_traffic(), 0)
        for _ in 0..<10_000 {
            let new = ccurl_socket_traffic(client.descriptor)
            if new.read < old.read || new.written < old.written { falls += 1 }
            old = new
        }
        #expect(falls == 0)
        client.shutDown()
        _ = await echo.result
    }

    private func connection() throws -> (client: Socket, server: Socket) {
        let listener = try Socket.listening(on: .ipv4)
        let client = try Socket.connected(to: listener.port())
        _ = Socket.waitReadable([listener])
        return (client, try #require(try listener.acceptNext()))
    }

    /// Beside downloads, a handshake has several events, and each download one that takes long.
    @Test(.spec(302)) func aSocketThatMovesMuchWaitsForTheOthers() {
        var events = SocketEvents()
        func round(_ sockets: [CInt]) -> [CInt] {
            events.add(sockets.map { ccurl_event(socket: $0, events: CInt(CURL_CSELECT_IN)) })
            return events.takeRound().map(\.socket)
        }
        #expect(round([1, 2, 3]) == [1, 2, 3])
        for socket: CInt in [1, 2, 3] { events.moved(1 << 20, at: socket) }
        #expect(round([1, 4, 2, 3]) == [4, 1])
        events.moved(1 << 20, at: 1)
        // An event is reported again until it is handled.
        #expect(round([5, 1, 2, 3]) == [5, 2])
        #expect(!events.isEmpty)
        events.moved(10, at: 2)
        #expect(round([2]) == [2, 3])
        #expect(round([]) == [1])
        #expect(events.isEmpty)
    }
}
#endif
