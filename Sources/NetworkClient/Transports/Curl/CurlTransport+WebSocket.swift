#if os(Linux)
import CCurl

extension CurlTransport {
    /// The exchanges of open WebSockets, which end when the transport is shut down.
    struct OpenSockets {
        var exchanges: [ObjectIdentifier: CurlExchange] = [:]
        private(set) var isClosed = false

        mutating func close() -> [CurlExchange] {
            isClosed = true
            return Array(exchanges.values)
        }
    }

    /// Returns the response that has opened a WebSocket, which is no exchange for the limits any more: an idle one
    /// keeps no call waiting.
    func socket(
        _ channel: WebSocketChannel,
        of response: CurlResponse,
        _ exchange: CurlExchange
    ) throws -> TransportResponse {
        let head: ResponseHead
        do {
            head = try exchange.transfer.head(of: response, response.metrics ?? TransportMetrics(total: 0))
        } catch {
            exchange.shut()
            leave(exchange)
            throw error
        }
        leave(exchange)
        let isClosed = openSockets.withLock { sockets in
            sockets.exchanges[ObjectIdentifier(exchange)] = exchange
            return sockets.isClosed
        }
        if isClosed { exchange.shut() }
        exchange.whenOver { [exchange] isReleased in
            self.openSockets.withLock { $0.exchanges[ObjectIdentifier(exchange)] = nil }
            if isReleased { self.giveBack(exchange.handle) }
            self.slots.leaveSocket()
        }
        let subprotocol = response.head.fields(named: "Sec-WebSocket-Protocol").first?.value
        let connection = WebSocketConnection(channel, subprotocol: subprotocol) {
            exchange.fail(CancellationError())
            exchange.engine.stop(exchange)
        }
        return TransportResponse(head: head, body: .socket(connection))
    }
}

/// A WebSocket over an exchange: after the status 101, the frames of the server are the body of the response, and those
/// of the client are the body of the request.
extension CurlExchangeState {
    struct OpenSocket {
        let channel: WebSocketChannel
        /// The time at which the exchange is over, after the socket has ended; `.max` before.
        var end = UInt64.max
        /// Whether the connection has ended, which libcurl finds only after the pause of the request's body.
        var isLost = false
    }

    /// Opens the socket if the final head is complete and has the status 101; returns false if it breaks a rule.
    ///
    /// Nothing is written before (RFC 6455 §10.3).
    mutating func opensSocket(by handshake: WebSocketHandshake, _ goOn: @escaping @Sendable () -> Void) -> Bool {
        guard hasHead, !isOver, socket == nil, head.status == 101 else { return true }
        do {
            _ = try handshake.subprotocol(in: ResponseFields(head.fields()))
        } catch {
            // The response is not the caller's.
            (failure, hasHead) = (error, false)
            return false
        }
        let channel = WebSocketChannel(options.opensSocket?.options ?? WebSocketOptions())
        channel.connect(goOn)
        socket = OpenSocket(channel: channel)
        return true
    }

    /// The source of the frames: there are none before the head, and never after another status.
    var socketUpload: Upload {
        guard let socket else { return hasHead ? .end : .wait }
        return .socket(socket.channel, isLost: socket.isLost)
    }

    /// Ends the exchange after a second, in which the server may end the connection (RFC 6455 §7.1.1).
    mutating func endsSocket(_ now: UInt64) {
        if socket?.end == .max { socket?.end = now + MonotonicClock.nanoseconds(1) }
    }
}

extension CurlExchange {
    /// Records that a head is complete, and opens its WebSocket; returns false if the head breaks a rule.
    func completesHead() -> Bool {
        guard let handshake = transfer.handshake else {
            event { $0.completedHead() }.perform()
            return true
        }
        let goOn: @Sendable () -> Void = { [weak self] in
            if let self { self.engine.goOn(self) }
        }
        let (actions, isAllowed) = event { ($0.completedHead(), $0.opensSocket(by: handshake, goOn)) }
        actions.perform()
        guard hasSocket else { return isAllowed }
        // The limits of the exchange end.
        watch()
        engine.poller.round.add(socket: self)
        return isAllowed
    }

    var hasSocket: Bool { transfer.handshake != nil && state.withLock { $0.socket != nil } }

    /// Whether only sending goes on, since the reader of the WebSocket is behind.
    var keepsReceivingPaused: Bool { transfer.handshake != nil && state.withLock { $0.isPaused } }

    /// Gives received frames to the channel, and returns the result for libcurl.
    func pass(_ frames: UnsafeRawBufferPointer, to channel: WebSocketChannel) -> Int {
        switch channel.receive(frames) {
        case .taken: break
        case .refused: return pausesReceiving()
        case .ended: endsSocket()
        }
        return frames.count
    }

    /// Fills the buffer with frames for the server, and returns the result for libcurl.
    func send(
        into buffer: UnsafeMutableRawBufferPointer,
        from channel: WebSocketChannel,
        isLost: Bool
    ) -> Int {
        switch channel.take(into: buffer) {
        case .bytes(let count):
            event(passing: count) { _ in }
            return count
        case .nothing: return isLost ? 0 : CURL_READFUNC_PAUSE
        case .end:
            endsSocket()
            return 0
        }
    }

    /// The socket over which the frames go; nil before it is opened.
    var descriptor: CInt? { state.withLock { ($0.connecting.connection ?? $0.connecting.opened.last)?.socket } }

    /// Looks for the end of the connection after an event without bytes: some versions wait for the pause of the
    /// request's body before they look.
    func findsNothing(at descriptor: CInt) {
        if ccurl_socket_has_ended(descriptor) != 0 { losesSocket() } else { engine.goOn(self) }
    }

    /// Records that libcurl waits for nothing at the socket of the transfer: if this is an open WebSocket, libcurl has
    /// met the end of the connection, and waits for the pause of the request's body.
    func waitsForNothing(at socket: CInt) {
        guard hasSocket, state.withLock({ !$0.isOver && !$0.isPaused }), descriptor == socket else { return }
        losesSocket()
    }

    /// Ends the exchange and its WebSocket.
    func shut() {
        fail(CurlFailure.closed)
        engine.stop(self)
    }

    /// Lets the transfer end: a server that says nothing further may still read what waits, for a second.
    private func losesSocket() {
        state.withLock { $0.socket?.isLost = true }
        endsSocket()
        engine.goOn(self)
    }

    private func endsSocket() {
        state.withLock { $0.endsSocket(MonotonicClock.now) }
        watch()
    }
}
#endif
