/// The body of a response, read while it is received.
///
/// A body can be read only once. Until the next chunk is requested, about a megabyte is kept in memory (with libcurl
/// 8.2 and later up to 10 MiB more for HTTP/2), and the server has to wait. URLSession on Linux can't make it wait:
/// there, the remaining bytes go to a temporary file. Leaving a loop over the body, releasing the body, and cancelling
/// the task that reads it stop the transfer.
///
/// ```swift
/// let response = try await client.stream(request)
/// for try await chunk in response.item {
///     print(chunk.count)
/// }
/// ```
public struct ResponseBody: AsyncSequence, Sendable {
    let reading: BodyReading

    /// The length of the body after content decoding; nil if the server does not state it.
    public var expectedLength: Int? { reading.expectedLength }

    /// The progress of the reader.
    public var progress: TransferProgress.Updates { reading.board.updates }

    /// Stops the transfer, unless all bytes were read; the reader's next read throws a `CancellationError`.
    public func cancel() {
        reading.cancel()
    }

    /// Creates an iterator; every iterator except the first throws ``TransportError/Reason/bodyNotReplayable``.
    public func makeAsyncIterator() -> Iterator { Iterator(pass: reading.begin()) }

    /// The iterator over the chunks of a body.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let pass: BodyPass

        /// Waits for the next chunk of at least one byte; returns nil at the end.
        ///
        /// Throws ``NetworkClient/Error``; `CancellationError` if the task or the body was cancelled.
        public mutating func next() async throws -> Data? { try await pass.next() }

        /// Stops the transfer, and ends the call with an error; nil for a success.
        ///
        /// Returns the error with the journey.
        ///
        /// A step, which says how far the reader came, is added to the journey of a call that ends with an error.
        @discardableResult
        func leave(with error: (any Error)?, after step: String? = nil) -> (any Error)? {
            pass.leave(with: error, after: step)
        }

        /// Lets only ``leave(with:after:)`` end the call: a body that is complete may be too little for its reader.
        func endCallByLeaving() { pass.endCallByLeaving() }
    }
}

extension ResponseBody {
    /// Reads all bytes of a body that has not been read before.
    ///
    /// - Parameter limit: The maximum length of the body in bytes, by default 256 MiB.
    /// - Returns: The bytes.
    /// - Throws: ``NetworkClient/Error``; if the body is longer than the limit, the transfer stops and the reason is
    ///   ``TransportError/Reason/bodyTooLarge``.
    public func data(limit: Int = 256 << 20) async throws -> Data { try await read(limit) { $0 } }

    /// Reads all bytes, and ends the call with the value that is made from them, or with the error for it.
    private func read<Value>(_ limit: Int, _ convert: (Data) throws -> Value) async throws -> Value {
        let tooLarge = NetworkClient.Error.requestError(type: TransportError(tooLargeBody: limit, "limit"))
        let pass = reading.begin(leavingWith: tooLarge)
        pass.endCallByLeaving()
        do {
            let (data, isCut) = try await pass.collect(limit: limit)
            guard !isCut else { throw tooLarge }
            let value = try convert(data)
            pass.leave(with: nil)
            return value
        } catch {
            throw pass.leave(with: error) ?? error
        }
    }

    /// Reads the whole body as text, in the charset that the response names, by default UTF-8.
    ///
    /// - Parameter limit: The maximum length of the body in bytes, by default 256 MiB.
    /// - Returns: The text, without a byte order mark. Bytes that are invalid in UTF-8 become `U+FFFD`.
    /// - Throws: As ``data(limit:)``, and ``NetworkClient/Error/decodingError(type:)`` if the charset is unknown, or
    ///   the bytes are invalid in a charset other than UTF-8.
    public func text(limit: Int = 256 << 20) async throws -> String {
        try await read(limit) { data in
            let contentType = reading.head.value(of: "Content-Type")
            do {
                return try PlainBody(data, contentType: contentType).text()
            } catch let error as DecodingError {
                let charset = contentType.flatMap { MediaType($0).charset } ?? "utf-8"
                if ["utf-8", "utf8"].contains(charset.lowercased()) {
                    return String(decoding: data.withoutUTF8ByteOrderMark, as: UTF8.self)
                }
                let error = UndecodableResponse.adding(reading.head.response, data, to: error, by: reading.decoder)
                throw NetworkClient.Error.decodingError(type: error)
            }
        }
    }

    /// Reads the whole body and decodes it.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - decoder: The decoder; nil for that of the call or the client.
    ///   - limit: The maximum length of the body in bytes, by default 32 MiB.
    /// - Returns: The value.
    /// - Throws: As ``data(limit:)``, and ``NetworkClient/Error/decodingError(type:)``.
    public func decoded<D: Decodable>(
        as type: D.Type = D.self,
        by decoder: (any DecoderProtocol)? = nil,
        limit: Int = 32 << 20
    ) async throws -> D {
        try await read(limit) { data in
            let response = TransportResponse(head: reading.head, body: .whole(data))
            return try response.decoded(as: ResponseType(), by: decoder ?? reading.decoder)
        }
    }
}

extension ResponseBody: OpaqueValue {}
extension ResponseBody.Iterator: OpaqueValue {}

/// A streamed body and the progress of its reader.
final class BodyReading: Sendable {
    private struct State {
        var hasBegun = false
        var completed = 0
        /// Whether the reader ends the call, and not the end of the body.
        var isEndedByReader = false
        /// Whether the end of the body was read.
        var isAtEnd = false
        /// Whether the record of the call has the failure of the body.
        var hasFailed = false
        /// Called once, when the body will not be read any further.
        var onEnd: (@Sendable () -> Void)?
    }

    let head: ResponseHead
    /// The decoder of the call.
    let decoder: any DecoderProtocol
    let expectedLength: Int?
    let board = ProgressBoard()
    private let channel: any BodyChannel
    private let chain: Chain
    /// The request without its body, which would stay in memory, for the log; nil if nothing is logged.
    private let request: URLRequest?
    private let state: Locked<State>

    init(
        _ channel: any BodyChannel,
        of head: ResponseHead,
        to request: URLRequest,
        decoder: any DecoderProtocol,
        chain: Chain,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.channel = channel
        self.head = head
        self.decoder = decoder
        self.chain = chain
        self.request = chain.record.log == nil ? nil : request.withoutBody
        expectedLength = head.bodyLength(of: request)
        state = Locked(State(onEnd: onEnd))
        board.begin(total: expectedLength)
    }

    deinit {
        cancel()
    }

    func cancel() { leave(with: CancellationError()) }

    /// The mapper of the call's errors.
    var mapper: ResponseErrorMapper { chain.mapper }

    /// Stops the transfer: the read that waits ends with an error.
    func stop() { channel.cancel() }

    /// Stops the transfer, and ends the call with the reason; nil for a success.
    @discardableResult
    func leave(with reason: (any Error)?, after step: String? = nil) -> (any Error)? {
        stop()
        // A reader may leave the body after its last byte without reading the end; that is not a cancellation.
        let isComplete = state.withLock { $0.isAtEnd || $0.completed == expectedLength }
        var reason = reason
        if case NetworkClient.Error.requestError(let failure)? = reason {
            reason = NetworkClient.Error.requestError(type: failure.placed(at: head.response.url))
        }
        end(isComplete && reason is CancellationError ? nil : reason, after: step)
        return reason.map(thrown)
    }

    /// Returns an error of the reader with the journey of the call so far.
    private func thrown(_ error: any Error) -> any Error {
        (error as? NetworkClient.Error)?.having(chain.record.journey) ?? error
    }

    fileprivate func begin(leavingWith error: any Error = CancellationError()) -> BodyPass {
        let isFirst = state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
        return BodyPass(isFirst ? self : nil, leavingWith: error)
    }

    fileprivate func endByReader() { state.withLock { $0.isEndedByReader = true } }

    fileprivate func next() async throws -> Data? {
        do {
            guard let chunk = try await channel.next() else {
                state.withLock { $0.isAtEnd = true }
                endUnlessByReader(nil)
                return nil
            }
            let completed = state.withLock { state in
                // An Int has 32 bits on some watches.
                let (sum, isTooLarge) = state.completed.addingReportingOverflow(chunk.count)
                state.completed = isTooLarge ? .max : sum
                return state.completed
            }
            board.advance(to: completed)
            return chunk
        } catch {
            let error = NetworkClient.Error.wrapping(error, head.response.url)
            if !(error is CancellationError) { noteFailure(error) }
            // A reader that ends the call adds what it knows to the journey.
            throw endUnlessByReader(error) ? thrown(error) : error
        }
    }

    @discardableResult
    private func endUnlessByReader(_ error: (any Error)?) -> Bool {
        let isEnded = !state.withLock { $0.isEndedByReader }
        if isEnded { end(error) }
        return isEnded
    }

    private func noteFailure(_ error: any Error) {
        let isNews = state.withLock { state in
            defer { state.hasFailed = true }
            return !state.hasFailed
        }
        if isNews { chain.record.failed(inBodyOf: head, error) }
    }

    private func end(_ error: (any Error)?, after step: String? = nil) {
        board.end()
        let onEnd = state.withLock { state in
            defer { state.onEnd = nil }
            return state.onEnd
        }
        guard let onEnd else { return }
        onEnd()
        if error != nil, let step { chain.record.note(.decision, .text(step)) }
        guard let error, !(error is CancellationError) else { return chain.record.ended(error, nil) }
        noteFailure(error)
        chain.record.ended(error, request)
    }
}

/// The one pass over a body: the transfer stops when the pass is released.
private final class BodyPass: BodyChannel {
    /// The body; nil if another pass has begun before.
    private let reading: BodyReading?
    /// The reason for stopping the transfer, if the pass stops it.
    private let reason: any Error

    init(_ reading: BodyReading?, leavingWith reason: any Error) {
        self.reading = reading
        self.reason = reason
    }

    deinit {
        cancel()
    }

    func next() async throws -> Data? {
        guard let reading else {
            let detail = "the body of a response can be read only once"
            throw NetworkClient.Error.requestError(type: TransportError(.bodyNotReplayable, detail: detail))
        }
        return try await reading.next()
    }

    func cancel() { leave(with: reason) }

    @discardableResult
    func leave(with reason: (any Error)?, after step: String? = nil) -> (any Error)? {
        guard let reading else { return reason }
        return reading.leave(with: reason, after: step)
    }

    func endCallByLeaving() { reading?.endByReader() }
}
