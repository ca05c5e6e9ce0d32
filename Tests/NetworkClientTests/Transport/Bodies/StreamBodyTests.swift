import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

struct StreamBodyTests {
    /// A caller's stream that fails if it is read without space for a byte, as a custom subclass may.
    private final class StrictStream: InputStream {
        private var bytes: ArraySlice<UInt8>
        private let reads: Recorder<Int>

        init(_ bytes: [UInt8], recordingIn reads: Recorder<Int>) {
            self.bytes = bytes[...]
            self.reads = reads
            super.init(data: Data())
        }

        override var streamStatus: Stream.Status { .open }
        override var hasBytesAvailable: Bool { true }
        override func open() {}
        override func close() {}

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
            reads.record(len)
            guard len > 0 else { return -1 }
            let chunk = bytes.prefix(len)
            for (index, byte) in chunk.enumerated() { buffer[index] = byte }
            bytes = bytes.dropFirst(chunk.count)
            return chunk.count
        }
    }

    /// The bytes that URLSession would get of a stream, and the error that it would get after them.
    private func upload(_ stream: sending StrictStream, length: Int) -> (bytes: [UInt8], error: TransportError?) {
        let upload = BodyInputStream(source: StreamBody(stream, length: length))
        upload.open()
        defer { upload.close() }
        var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 3))
        while true {
            let count = upload.read(&buffer, maxLength: buffer.count)
            guard count > 0 else { break }
            bytes += buffer.prefix(count)
        }
        return (bytes, upload.streamError as? TransportError)
    }

    @Test(arguments: [([], [1]), ([7], [1, 1]), ([7, 8, 9], [3, 1]), ([1, 2, 3, 4], [3, 1, 1])])
    func aStreamOfTheStatedLengthIsReadOnceMoreForTheByteThatMustNotFollow(bytes: [UInt8], expected: [Int]) {
        let reads = Recorder<Int>()
        let sent = upload(StrictStream(bytes, recordingIn: reads), length: bytes.count)
        expect(sent.bytes, bytes)
        expect(sent.error, nil)
        expect(reads.values, expected)
    }

    @Test(arguments: 0...4) func aStreamWithMoreBytesThanStatedFails(length: Int) {
        let sent = upload(StrictStream([1, 2, 3, 4, 5], recordingIn: Recorder()), length: length)
        let error = sent.error
        expect(error?.reason, .bodyUnreadable)
        let sentence = "its body stream has more than the \(length) bytes that 'Content-Length' states"
        expect(error?.detail, sentence)
        #expect(sent.bytes.count < max(length, 1))
    }

    @Test func aStreamCanBeClaimedOnceHoweverManyOthersAre() {
        let streams = (0..<5_000).map { InputStream(data: Data([UInt8(truncatingIfNeeded: $0)])) }
        expect(streams.filter { ClaimedStreams.claim($0) }.count, streams.count)
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
