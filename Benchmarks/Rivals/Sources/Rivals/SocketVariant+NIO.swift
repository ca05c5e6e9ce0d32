import BenchmarkSuite
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix
import NIOWebSocket

extension SocketVariant {
    /// A client by hand over swift-nio, as its example does it: whole frames as an async sequence, without fragments,
    /// pings, limits of the protocol and a closing handshake.
    static let nioWebSocket = SocketVariant("NIOWebSocket 2.101.2") { turn in
        let opened = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .connect(host: "127.0.0.1", port: Int(turn.port)) { channel in
                channel.eventLoop.makeCompletedFuture { try upgrade(channel, turn) }
            }
        guard let channel = try await opened.get() else { throw URLError(.badServerResponse) }
        return try await channel.executeThenClose { inbound, outbound in
            var socket = NIOSocket(frames: inbound.makeAsyncIterator(), outbound: outbound)
            return try await turn.take(&socket)
        }
    }

    private typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

    /// Sends the request for a WebSocket; the result has no channel if the server doesn't open it.
    private static func upgrade(_ channel: any Channel, _ turn: SocketTurn) throws -> EventLoopFuture<Frames?> {
        // More frames may wait for the reader than by default (10), so that all frames in flight have room.
        let waiting = NIOAsyncSequenceProducerBackPressureStrategies.HighLowWatermark(
            lowWatermark: 32,
            highWatermark: 128
        )
        let upgrader = NIOTypedWebSocketClientUpgrader<Frames?>(maxFrameSize: max(1 << 14, turn.messageBytes)) {
            channel,
            _ in
            channel.eventLoop.makeCompletedFuture {
                try Frames(wrappingChannelSynchronously: channel, configuration: .init(backPressureStrategy: waiting))
            }
        }
        let configuration = NIOTypedHTTPClientUpgradeConfiguration(
            upgradeRequestHead: HTTPRequestHead(
                version: .http1_1,
                method: .GET,
                uri: "/echo",
                headers: ["Host": "127.0.0.1:\(turn.port)"]
            ),
            upgraders: [upgrader]
        ) { channel in
            channel.eventLoop.makeSucceededFuture(nil)
        }
        return try channel.pipeline.syncOperations.configureUpgradableHTTPClientPipeline(
            configuration: .init(upgradeConfiguration: configuration)
        )
    }
}

private struct NIOSocket: EchoedSocket {
    var frames: NIOAsyncChannelInboundStream<WebSocketFrame>.AsyncIterator
    let outbound: NIOAsyncChannelOutboundWriter<WebSocketFrame>

    func send(_ bytes: Data) async throws {
        try await outbound.write(
            WebSocketFrame(fin: true, opcode: .binary, maskKey: .random(), data: ByteBuffer(data: bytes))
        )
    }

    mutating func receive() async throws -> Int {
        guard let frame = try await frames.next(), frame.opcode == .binary else { throw URLError(.badServerResponse) }
        return Data(buffer: frame.data, byteTransferStrategy: .noCopy).count
    }
}
