import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange of a ``StubTransport``: keeps to the limits of the request, on the clock of the transport.
struct StubExchange: Sendable {
    private let request: URLRequest
    private let options: TransportOptions
    private let time: any TimeSource
    private let deadline: Deadline

    init(request: URLRequest, options: TransportOptions, time: any TimeSource) {
        self.request = request
        self.options = options
        self.time = time
        deadline = Deadline(options.totalTimeout, time: time)
    }

    /// Waits, and throws `CancellationError` as soon as the call is cancelled, or a timeout at the limit that comes
    /// first: the total time, or the time without a byte.
    nonisolated(nonsending) func wait(_ seconds: TimeInterval) async throws {
        let remaining = try deadline.remaining(request)
        guard seconds > 0 else { return }
        let limit = min(request.timeoutInterval, remaining ?? .infinity)
        try await CallScope.sleep(seconds: min(seconds, limit), on: time)
        if seconds >= limit { throw TransportError(.timedOut, request: request) }
    }

    /// Returns the response once its delay has passed, with a complete body unless the caller streams it.
    nonisolated(nonsending) func perform(_ response: StubTransport.Response) async throws -> TransportResponse {
        try await wait(response.delay)
        if let failure = response.failure { throw failure(request) }
        guard
            let url = request.url,
            let head = ReceivedResponse(url: url, status: response.status, fields: response.allFields, metrics: nil)
        else { throw TransportError(.malformedResponse, request: request) }
        let body = StubBody(of: response, to: request, in: self)
        if options.streamsBody { return TransportResponse(response: head, chunks: body) }
        return TransportResponse(head: ResponseHead(head), body: try await gather(body, status: response.status))
    }

    private nonisolated(nonsending) func gather(
        _ body: StubBody,
        status: Int
    ) async throws -> TransportResponse.Body {
        var data = Data()
        var chunks = body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            let room = options.bodyLimit - data.count
            data.append(chunk.prefix(max(0, room)))
            guard chunk.count > room else { continue }
            guard options.cutsBody(ofStatus: status) else {
                throw TransportError(tooLargeBody: options.bodyLimit, request: request)
            }
            return .whole(data, isCut: true)
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

    init(of response: StubTransport.Response, to request: URLRequest, in exchange: StubExchange) {
        self.exchange = exchange
        interval = response.interval
        guard request.httpMethod != "HEAD", response.mayHaveBody else {
            (chunks, failure) = ([], nil)
            return
        }
        guard let end = response.end else {
            (chunks, failure) = (response.chunks, nil)
            return
        }
        var remaining = Swift.max(0, end.count)
        chunks = response.chunks.map { chunk in
            defer { remaining -= Swift.min(remaining, chunk.count) }
            return chunk.prefix(remaining)
        }
        failure = TransportError(end.reason, request: request)
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
            try await body.exchange.wait(pause)
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
    /// - Throws: ``TransportError`` for a body that cannot be read, or not a second time; `CancellationError`.
    nonisolated(nonsending) func readBody() async throws -> Data {
        switch try openBody() {
        case .whole(let data): return data
        case .sequence(let reader, let onRead):
            let data = Locked(Data())
            try await reader.drain(for: request, within: options.totalTimeout) { bytes in
                data.withLock { $0.append(contentsOf: bytes) }
            }
            let result = data.withLock { $0 }
            onRead?(result.count)
            return result
        }
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

    /// Reads a source through a stream, which checks that the number of bytes is the announced one.
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
