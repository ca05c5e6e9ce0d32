import BenchmarkHarness
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Responds to all requests over HTTP/2; the frames of all streams pass through it, which is faster than a channel for
/// each stream.
final class HTTP2Responder: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let counts: Locked<ServedCounts>
    private let content = ByteBuffer(string: smallBody)
    private let fields: HPACKHeaders = [
        ":status": "200",
        "server": "benchmark",
        "date": "Sat, 21 Nov 2026 09:00:00 GMT",
        "content-type": "application/json",
        "content-length": "\(smallBody.utf8.count)",
        "cache-control": "no-store",
        "x-request-id": "0f9c2d7e5b1a4c38",
    ]

    init(_ counts: Locked<ServedCounts>) {
        self.counts = counts
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard isEnd(frame.payload) else { return }
        counts.withLock { $0.requests2 += 1 }
        write(.headers(.init(headers: fields)), on: frame.streamID, context)
        write(.data(.init(data: .byteBuffer(content), endStream: true)), on: frame.streamID, context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.flush()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func isEnd(_ payload: HTTP2Frame.FramePayload) -> Bool {
        switch payload {
        case .headers(let headers): headers.endStream
        case .data(let data): data.endStream
        default: false
        }
    }

    private func write(_ payload: HTTP2Frame.FramePayload, on stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
    }
}
