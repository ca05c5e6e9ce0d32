#if os(Linux)
import CCurl

/// The functions that libcurl calls during a transfer; their context is the exchange.
extension CurlExchange {
    /// Makes this exchange the context of the callbacks; it must live as long as the transfer.
    func connect(sendsBody: Bool) {
        ccurl_easy_set_callbacks(
            handle.easy,
            Unmanaged.passUnretained(self).toOpaque(),
            receiveHeader,
            receiveBody,
            acceptConnection,
            sendsBody ? sendBody : nil,
            sendsBody ? seekBody : nil
        )
    }

    static func at(_ context: UnsafeMutableRawPointer) -> CurlExchange {
        Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
    }

    /// The function that is called before an address is looked up, and before a socket is opened.
    static let connects: @convention(c) (UnsafeMutableRawPointer?, CInt) -> CInt = { context, hasAddress in
        guard let context else { return 0 }
        let exchange = CurlExchange.at(context)
        let mayGoOn = hasAddress == 0 ? exchange.beginsLookUp() : exchange.opensSocket()
        return mayGoOn ? 0 : 1
    }

    /// The function that is called after a socket was opened.
    static let opens: @convention(c) (UnsafeMutableRawPointer?, CInt) -> Void = { context, socket in
        guard let context else { return }
        CurlExchange.at(context).opens(socket)
    }

    /// Pauses a transfer whose body keeps libcurl in one call for long, as one in chunks of one byte does: libcurl
    /// reads up to 1.6 MB, and calls back for each chunk.
    ///
    /// Returns false if it goes on, as over HTTP/2, where the other streams of the connection would have to wait.
    fileprivate func leavesCall() -> Bool {
        guard engine.poller.round.isLate, !handle.sharesConnection else { return false }
        if let socket = pauses() { engine.setReceiving(false, at: socket) }
        engine.poller.resumeLater(self)
        return true
    }

    /// The bytes for which a reader is woken at once: the most that libcurl passes on in one call of a function.
    ///
    /// It passes on each datagram of QUIC alone. For less, the reader is woken at the end of the round, since that
    /// takes longer than receiving it.
    private static let portion = 16 << 10

    /// Passes on bytes of a streamed body, without the lock, since this resumes the reader; returns the result for
    /// libcurl.
    fileprivate func pass(_ bytes: UnsafeRawBufferPointer, to buffer: BodyBuffer) -> Int {
        if bytes.count < Self.portion { engine.poller.round.add(stream: self) }
        switch buffer.append(bytes, wakingFor: Self.portion) {
        case .taken, .filled: return bytes.count
        case .unwanted: return 0
        case .refused: return pausesReceiving()
        }
    }

    /// Pauses the transfer, which the engine continues when there is room, but never before the callback returns;
    /// returns the result for libcurl.
    func pausesReceiving() -> Int {
        let socket = pauses()
        if let socket, !handle.sharesConnection { engine.setReceiving(false, at: socket) }
        return CURL_WRITEFUNC_PAUSE
    }

    /// Fills the buffer with the next bytes of the request's body, and returns the result for libcurl.
    fileprivate func send(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            let reader: any BodyReader
            // A socket often has nothing to send when it is asked.
            switch event(passing: transfer.handshake == nil ? buffer.count : 0, { $0.takeUpload() }) {
            case .reader(let current): reader = current
            case .source(let source): reader = try source.open()
            case .sequence(let sequence, let goOn):
                if let count = try sequence.read(into: buffer) { return count }
                sequence.whenReady(goOn)
                return CURL_READFUNC_PAUSE
            case .socket(let channel, let isLost): return send(into: buffer, from: channel, isLost: isLost)
            case .wait: return CURL_READFUNC_PAUSE
            case .end: return 0
            case .nothing: return CURL_READFUNC_ABORT
            }
            defer { event { $0.giveBack(reader) }.perform() }
            return try reader.read(into: buffer)
        } catch {
            event { $0.failure = CurlUpload.Failure(underlying: error) }
            return CURL_READFUNC_ABORT
        }
    }
}

private let acceptConnection: ccurl_prereq_callback = { context, address, _, port, ownPort in
    guard let context, let address else { return CInt(CURL_PREREQFUNC_ABORT) }
    let exchange = CurlExchange.at(context)
    exchange.handle.chooseTarget(port)
    let isAccepted = exchange.accepts(ccurl_connection_between(address, port, ownPort), ownPort)
    return CInt(isAccepted ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
}

private let receiveHeader: ccurl_data_callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let exchange = CurlExchange.at(context)
    exchange.findConnection()
    switch exchange.event(passing: line.count, { $0.receivedHeader(line) }) {
    case .taken: break
    case .beganRedirectBody: exchange.watch()
    case .refused: return 0
    }
    if exchange.needsHead, line.first == 0x0D || line.first == 0x0A {
        guard exchange.completesHead() else { return 0 }
        if exchange.isStreamed { exchange.engine.poller.round.add(stream: exchange) }
    }
    return line.count
}

private let receiveBody: ccurl_data_callback = { bytes, size, count, context in
    guard let bytes, let context else { return 0 }
    let chunk = UnsafeRawBufferPointer(start: bytes, count: size * count)
    let exchange = CurlExchange.at(context)
    guard !exchange.leavesCall() else { return CURL_WRITEFUNC_PAUSE }
    var reception = exchange.event(passing: chunk.count) { $0.received(chunk) }
    if case .long = reception {
        exchange.advanceStream()
        reception = exchange.event { $0.received(chunk) }
    }
    switch reception {
    case .taken: return chunk.count
    case .streamed(let buffer): return exchange.pass(chunk, to: buffer)
    case .framed(let channel): return exchange.pass(chunk, to: channel)
    case .long, .stopped: return 0
    }
}

private let sendBody: ccurl_data_callback = { bytes, size, count, context in
    guard let bytes, let context else { return CURL_READFUNC_ABORT }
    let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    let exchange = CurlExchange.at(context)
    exchange.findConnection()
    return exchange.send(into: buffer)
}

/// libcurl seeks only to the start, since it resumes an upload only if an option asks for it.
private let seekBody: ccurl_seek_callback = { context, offset, origin in
    guard let context, offset == 0, origin == SEEK_SET else { return CInt(CURL_SEEKFUNC_FAIL) }
    let (canRewind, actions) = CurlExchange.at(context).event { $0.rewind() }
    actions.perform()
    return CInt(canRewind ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL)
}
#endif
