/// One exchange of a ``StubTransport``: applies the limits of the request, on the clock of the transport.
struct StubExchange: Sendable {
    let request: URLRequest
    let options: TransportOptions
    private let time: any TimeSource
    private let total: TimeLimit?

    init(request: URLRequest, options: TransportOptions, time: any TimeSource) {
        self.request = request
        self.options = options
        self.time = time
        total = TimeLimit(seconds: options.exchangeTimeout, on: time)
    }

    /// Returns how long the wait for the next byte may still take after `elapsed` seconds of it, and the error if it
    /// takes longer.
    private func limit(
        after elapsed: Double,
        isForTheHead: Bool = false
    ) -> (seconds: TimeInterval, timeout: TransportError) {
        let idle = Seconds.limit(request.timeoutInterval) - elapsed
        let remaining = total?.remaining ?? .infinity
        if isForTheHead, let head = options.headTimeout, head < min(idle, remaining) {
            return (head, TransportError(.timedOut, request: request))
        }
        guard remaining > idle else { return (remaining, options.timeout(of: request)) }
        return (idle, TransportError(passed: .idle(request.timeoutInterval), request: request))
    }

    /// Waits, and throws `CancellationError` as soon as the call is cancelled, or a timeout at the nearest limit.
    ///
    /// The limits are the total time, the time without a byte (from `begin` on, if the wait began earlier), and the
    /// time for the head.
    nonisolated(nonsending) func wait(
        _ seconds: TimeInterval,
        since begin: Double? = nil,
        isForTheHead: Bool = false
    ) async throws {
        let (limit, timeout) = limit(after: begin.map { time.now - $0 } ?? 0, isForTheHead: isForTheHead)
        guard limit > 0 else { throw timeout }
        guard seconds > 0 else { return }
        try await CallScope.sleep(seconds: min(seconds, limit), on: time)
        if seconds >= limit { throw timeout }
    }

    /// Returns the response after its delay, with a complete body unless the caller streams it.
    ///
    /// The time of a computed response counts as time without a byte, but a limit does not interrupt the computation.
    nonisolated(nonsending) func perform(
        _ stub: StubTransport.Response,
        for asked: StubTransport.Request,
        onPeer: (StubPeer) -> Void
    ) async throws -> TransportResponse {
        let begin = time.now
        let response = try await stub.resolved(for: asked)
        try await wait(response.delay, since: begin, isForTheHead: true)
        if let failure = response.failure { throw failure(request) }
        if let talk = response.talk { return try open(response, for: asked, talk, onPeer) }
        let trailers = request.httpMethod != "HEAD" && response.mayHaveBody ? response.trailers : nil
        guard options.streamsBody else {
            let body = try await gather(StubBody(of: response, to: request, in: self) {}, status: response.status)
            return TransportResponse(head: try head(of: response, body.isCut ? nil : trailers), body: body)
        }
        let head = try head(of: response, nil)
        let body = StubBody(of: response, to: request, in: self) {
            if let trailers { head.trailers = trailers }
        }
        return TransportResponse(head: head, chunks: body)
    }

    private func head(of response: StubTransport.Response, _ trailers: ResponseFields?) throws -> ResponseHead {
        let (fields, trailers) = (response.allFields, trailers ?? ResponseFields([]))
        guard let url = request.url,
            let made = TransportResponse(url: url, status: response.status, fields: fields, trailers: trailers)
        else { throw TransportError(.malformedResponse, request: request) }
        return made.head
    }

    private nonisolated(nonsending) func gather(_ body: StubBody, status: Int) async throws -> TransportResponse.Body {
        var data = Data()
        var chunks = body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            switch options.take(chunk, into: &data, ofStatus: status) {
            case .taken: continue
            case .full: return .whole(data, isCut: true)
            case .tooLong: throw TransportError(bodyOver: options, request: request)
            }
        }
        return .whole(data)
    }
}

/// The body of a stub's response, chunk by chunk.
private struct StubBody: AsyncSequence, Sendable {
    typealias Element = Data

    private let exchange: StubExchange
    private let chunks: [Data]
    private let interval: TimeInterval
    private let failure: (any Error)?
    private let isSilentAtEnd: Bool
    private let onEnd: @Sendable () -> Void

    init(
        of response: StubTransport.Response,
        to request: URLRequest,
        in exchange: StubExchange,
        onEnd: @escaping @Sendable () -> Void
    ) {
        (self.exchange, self.onEnd) = (exchange, onEnd)
        interval = response.interval
        guard request.httpMethod != "HEAD", response.mayHaveBody else {
            (chunks, failure, isSilentAtEnd) = ([], nil, false)
            return
        }
        guard let end = response.end else {
            (chunks, failure, isSilentAtEnd) = (response.chunks, nil, false)
            return
        }
        var remaining = Swift.max(0, end.count)
        chunks = response.chunks.map { chunk in
            defer { remaining -= Swift.min(remaining, chunk.count) }
            return chunk.prefix(remaining)
        }
        failure = end.reason.map { TransportError($0, request: request) }
        isSilentAtEnd = failure == nil
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }

    struct Iterator: AsyncIteratorProtocol {
        let body: StubBody
        private var index = 0

        init(body: StubBody) {
            self.body = body
        }

        mutating func next() async throws -> Data? {
            // The time without a byte includes the pauses before empty chunks.
            var pause: TimeInterval = 0
            while index < body.chunks.count {
                if index > 0 { pause += body.interval }
                index += 1
                let chunk = body.chunks[index - 1]
                guard !chunk.isEmpty else { continue }
                try await body.exchange.wait(pause)
                return chunk
            }
            if let failure = body.failure { throw failure }
            try await body.exchange.wait(body.isSilentAtEnd ? .infinity : pause)
            body.onEnd()
            return nil
        }
    }
}

/// The body of the request.
extension StubExchange {
    private enum RequestBody {
        case whole(Data)
        case sequence(SequenceBodyReader, onRead: (@Sendable (Int) -> Void)?)
    }

    /// Reads the whole body of the request, wherever it comes from.
    ///
    /// - Throws: `TransportError` for a body that can't be read, can't be read a second time, or can't be read within
    ///   the limits; `CancellationError`.
    nonisolated(nonsending) func readBody() async throws -> Data {
        switch try openBody() {
        case .whole(let data): return data
        case .sequence(let reader, let onRead):
            defer { reader.close() }
            let data = try await read(reader)
            onRead?(data.count)
            return data
        }
    }

    /// The bytes read from a sequence, and the task that waits for its end.
    private struct Reading: Sendable {
        var data = Data()
        /// The time at which the last byte arrived, or at which the reading began if no byte has arrived.
        var lastByte: Double
        var result: Result<Data, any Error>?
        private var waiter: Waiter<Data>?

        init(begin: Double) {
            lastByte = begin
        }

        mutating func wait(_ waiter: Waiter<Data>) -> Data? {
            self.waiter = waiter
            return nil
        }

        mutating func leave() -> Waiter<Data>? {
            defer { waiter = nil }
            return waiter
        }
    }

    /// Reads a sequence to its end.
    private nonisolated(nonsending) func read(_ reader: SequenceBodyReader) async throws -> Data {
        let reading = Locked(Reading(begin: time.now))
        reader.whenReady { goOn(reading, reader) }
        reader.begin()
        while true {
            // Reads the clock before the time of the last byte: the task of the sequence may advance the clock and read
            // bytes between the two lines.
            let now = time.now
            let lastByte = reading.withLock { $0.lastByte }
            let (seconds, timeout) = limit(after: now - lastByte)
            guard seconds > 0 else { throw timeout }
            do {
                return try await reading.wait(until: TimeLimit(end: time.now + seconds, on: time)) { reading, waiter in
                    try reading.result?.get() ?? reading.wait(waiter)
                } leaving: { _ in
                    reading.withLock { $0.leave() }
                }
            } catch is TimeLimit.Passed {
                guard reading.withLock({ $0.lastByte }) > lastByte else { throw timeout }
            }
        }
    }

    /// Reads the bytes as they arrive, in the task of the sequence, so that the sequence can't advance the clock in
    /// between.
    private func goOn(_ reading: Locked<Reading>, _ reader: SequenceBodyReader) {
        do {
            let (seconds, timeout) = limit(after: time.now - reading.withLock { $0.lastByte })
            guard seconds > 0 else { throw timeout }
            let isOver = try readAvailable(reading, reader)
            guard isOver else { return reader.whenReady { goOn(reading, reader) } }
            end(reading, with: .success(reading.withLock { $0.data }))
        } catch let error as TransportError where error.isTimeout {
            end(reading, with: .failure(error))
        } catch {
            end(reading, with: .failure(TransportError(unreadableBody: error, request: request)))
        }
    }

    /// Reads all available bytes, and returns whether the sequence is at its end.
    private func readAvailable(_ reading: Locked<Reading>, _ reader: SequenceBodyReader) throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
            while let count = try reader.read(into: buffer, isReported: false) {
                guard count > 0 else { return true }
                let now = time.now
                reading.withLock { reading in
                    reading.data.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    reading.lastByte = now
                }
            }
            return false
        }
    }

    private func end(_ reading: Locked<Reading>, with result: Result<Data, any Error>) {
        let waiter = reading.withLock { reading in
            reading.result = result
            return reading.leave()
        }
        waiter?.resume(with: result)
    }

    private func openBody() throws -> RequestBody {
        if let stream = request.httpBodyStream as? BodyInputStream { return .whole(try read(stream.source)) }
        if let stream = request.httpBodyStream as? SequenceInputStream {
            guard let reader = stream.body.claim(length: request.statedLength) else { throw notReplayable }
            return .sequence(reader, onRead: stream.body.onRead)
        }
        guard let stream = request.httpBodyStream else { return .whole(request.httpBody ?? Data()) }
        guard ClaimedStreams.claim(stream) else { throw notReplayable }
        let body = SequenceBody(StreamChunks(stream, length: request.statedLength ?? .max), length: nil)
        guard let reader = body.claim() else { throw notReplayable }
        return .sequence(reader, onRead: nil)
    }

    private var notReplayable: TransportError { TransportError(.bodyNotReplayable, request: request) }

    /// Reads a source through a stream, which checks that the number of bytes is the stated one.
    private func read(_ source: any BodySource) throws -> Data {
        let stream = BodyInputStream(source: source)
        stream.open()
        defer { stream.close() }
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = stream.read(&buffer, maxLength: buffer.count)
            guard count >= 0 else {
                let error = stream.streamError ?? TransportError(.bodyUnreadable)
                throw TransportError(unreadableBody: error, request: request)
            }
            guard count > 0 else { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }
}
