#if os(Linux)
import CCurl
import Testing

@testable import NetworkClient

struct SocketInterestsTests {
    private typealias Change = SocketInterests.Change

    /// Expectations take no value that they change.
    private final class Interests {
        private var interests = SocketInterests()

        func want(_ wanted: CInt, at socket: CInt) -> Change? { interests.want(wanted, at: socket) }
        func report(at socket: CInt) { interests.report(at: socket) }
        func resume(at socket: CInt) -> Change? { interests.resume(at: socket) }
    }

    private static let nothing = CInt(CCURL_WANTS_NOTHING)
    private static let reading = CInt(CCURL_WANTS_READING)
    private static let writing = CInt(CCURL_WANTS_WRITING)

    @Test func asksOnceForEachAnswer() {
        let interests = Interests()
        for _ in 0..<3 {
            #expect(interests.want(Self.reading, at: 7) == Change(wanted: Self.reading, isOnce: true))
            interests.report(at: 7)
            #expect(interests.want(Self.nothing, at: 7) == nil)
            #expect(interests.resume(at: 7) == nil)
        }
    }

    @Test func asksForAllThatFollowsAFirstEvent() {
        let interests = Interests()
        _ = interests.want(Self.reading, at: 3)
        interests.report(at: 3)
        #expect(interests.resume(at: 3) == Change(wanted: Self.reading, isOnce: false))
        interests.report(at: 3)
        #expect(interests.resume(at: 3) == nil)
        #expect(interests.want(Self.nothing, at: 3) == Change(wanted: Self.nothing, isOnce: false))
        #expect(interests.want(Self.nothing, at: 3) == nil)
    }

    @Test func asksAnewForSomethingElse() {
        let interests = Interests()
        _ = interests.want(Self.writing, at: 0)
        interests.report(at: 0)
        #expect(interests.want(Self.reading, at: 0) == Change(wanted: Self.reading, isOnce: true))
        #expect(interests.resume(at: 0) == nil)
        #expect(interests.want(Self.nothing, at: 0) == Change(wanted: Self.nothing, isOnce: false))
    }

    /// An event may be reported late, after the socket has been given up, or even used again.
    @Test func mindsNoEventThatItDidNotWaitFor() {
        let interests = Interests()
        interests.report(at: 9)
        #expect(interests.resume(at: 9) == nil)
        _ = interests.want(Self.reading, at: 9)
        _ = interests.want(Self.nothing, at: 9)
        interests.report(at: 9)
        #expect(interests.resume(at: 9) == nil)
        #expect(interests.want(Self.reading, at: -1) == nil)
    }
}
#endif
