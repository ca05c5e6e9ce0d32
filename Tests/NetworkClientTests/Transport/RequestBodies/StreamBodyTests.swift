import Foundation
import Testing

@testable import NetworkClient

struct StreamBodyTests {
    @Test func aStreamCanBeClaimedOnceHoweverManyOthersAre() {
        let streams = (0..<5_000).map { InputStream(data: Data([UInt8(truncatingIfNeeded: $0)])) }
        #expect(streams.filter { ClaimedStreams.claim($0) }.count == streams.count)
        #expect(streams.filter { ClaimedStreams.claim($0) }.isEmpty)
    }

    /// A new stream often lies where a freed one was.
    @Test func aNewStreamCanBeClaimedInThePlaceOfAFreedOne() {
        for _ in 0..<1_000 {
            let stream = InputStream(data: Data([1]))
            #expect(ClaimedStreams.claim(stream))
            #expect(!ClaimedStreams.claim(stream))
        }
    }

    @Test func aStreamThatWasOpenedCannotBeClaimed() {
        let stream = InputStream(data: Data([1]))
        stream.open()
        #expect(!ClaimedStreams.claim(stream))
    }
}
