import BenchmarkHarness
import NIOCore

/// Responds to GET requests over HTTP/1.1 without parsing more of them than the path's first letter.
///
/// A server should take less time than its clients, and this one needs nothing else of a request.
final class HTTP1Responder: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let counts: Locked<ServedCounts>
    private let kept = response(thatCloses: false)
    private let last = response(thatCloses: true)
    private var received = ByteBuffer()

    init(_ counts: Locked<ServedCounts>) {
        self.counts = counts
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var buffer = unwrapInboundIn(data)
        received.writeBuffer(&buffer)
        while let length = lengthOfHead() {
            // "GET /close"
            let closes = received.getInteger(at: received.readerIndex + 5) == UInt8(ascii: "c")
            received.moveReaderIndex(forwardBy: length)
            counts.withLock { $0.requests1 += 1 }
            context.write(wrapOutboundOut(closes ? last : kept), promise: nil)
            if closes {
                context.flush()
                context.close(promise: nil)
                return
            }
        }
        received.discardReadBytes()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func lengthOfHead() -> Int? {
        let end = UInt32(0x0d0a_0d0a)
        var last: UInt32 = 0
        for (index, byte) in received.readableBytesView.enumerated() {
            last = last << 8 | UInt32(byte)
            if last == end { return index + 1 }
        }
        return nil
    }

    private static func response(thatCloses closes: Bool) -> ByteBuffer {
        ByteBuffer(
            string: """
                HTTP/1.1 200 OK\r
                Server: benchmark\r
                Date: Sat, 21 Nov 2026 09:00:00 GMT\r
                Content-Type: application/json\r
                Content-Length: \(smallBody.utf8.count)\r
                Cache-Control: no-store\r
                X-Request-ID: 0f9c2d7e5b1a4c38\r
                \(closes ? "Connection: close\r\n" : "")\r
                \(smallBody)
                """
        )
    }
}
