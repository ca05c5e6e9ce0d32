import NetworkTestSupport
import Testing

struct HTTP2FrameTests {
    private static let frames: [(HTTP2Frame, [UInt8])] = [
        (HTTP2Frame(.settings), [0, 0, 0, 4, 0, 0, 0, 0, 0]),
        (HTTP2Frame(.data, flags: 1, stream: 259, payload: [7, 8]), [0, 0, 2, 0, 1, 0, 0, 1, 3, 7, 8]),
        (
            HTTP2Frame(.reset, stream: 0x7FFF_FFFF, payload: [0, 0, 0, 7]),
            [0, 0, 4, 3, 0, 127, 255, 255, 255, 0, 0, 0, 7]
        ),
        (HTTP2Frame(HTTP2Frame.Kind(rawValue: 99), stream: 1), [0, 0, 0, 99, 0, 0, 0, 0, 1]),
    ]

    @Test(arguments: frames) func anHTTP2FrameIsWrittenAndReadAsOnTheWire(frame: HTTP2Frame, wire: [UInt8]) {
        #expect(frame.bytes == wire)
        var bytes = wire + [1, 2]
        #expect(HTTP2Frame(takenFrom: &bytes) == frame)
        #expect(bytes == [1, 2])
    }

    @Test(arguments: frames) func anIncompleteHTTP2FrameIsNotRead(_: HTTP2Frame, wire: [UInt8]) {
        for count in wire.indices {
            var bytes = Array(wire.prefix(count))
            #expect(HTTP2Frame(takenFrom: &bytes) == nil)
            #expect(bytes.count == count)
        }
    }

    @Test func anHTTP2FrameIgnoresTheReservedBitOfItsStream() {
        var bytes: [UInt8] = [0, 0, 0, 0, 0, 128, 0, 0, 1]
        #expect(HTTP2Frame(takenFrom: &bytes)?.stream == 1)
    }

    @Test func anHTTP2FrameHasALongPayload() {
        let frame = HTTP2Frame(.data, stream: 1, payload: [UInt8](repeating: 1, count: 70_000))
        var bytes = frame.bytes
        #expect(bytes.prefix(3) == [1, 17, 112])
        #expect(HTTP2Frame(takenFrom: &bytes) == frame)
    }
}
