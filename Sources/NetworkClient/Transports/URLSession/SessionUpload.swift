/// The body of one exchange of a URLSession.
///
/// It returns a stream of the body, and another stream from the first byte each time the body has to be sent again.
final class SessionUpload: Sendable {
    private enum Content {
        case source(any BodySource)
        /// A caller's stream of unknown length.
        case stream(InputStream)
        /// A caller's stream that was already returned.
        case spent
    }

    private struct State {
        var content: Content
        var current: BodyInputStream?
        /// Whether a stream was already returned.
        var isSent = false
        /// Whether the connection was lost while the first stream was used, and the request must not be sent again.
        var isLost = false
    }

    /// The number of bytes, if it is known.
    let length: Int?

    private let state: Locked<State>
    private let canSendAgain: Bool

    /// Creates the body of a request; nil if the request has no body.
    ///
    /// A spooled body replaces the request's own.
    ///
    /// - Throws: ``TransportError/Reason/bodyNotReplayable`` for a caller's stream that was sent before: its remaining
    ///   bytes are not the body.
    init?(of request: URLRequest, spooled: StoredBody? = nil) throws {
        canSendAgain = SessionPlatform.canSendAgain(request)
        if let spooled {
            length = spooled.length
            state = Locked(State(content: .source(spooled)))
        } else if let stream = request.httpBodyStream as? BodyInputStream {
            length = stream.source.length
            state = Locked(State(content: .source(stream.source)))
        } else if let stream = request.httpBodyStream {
            guard ClaimedStreams.claim(stream) else { throw TransportError(.bodyNotReplayable, request: request) }
            length = request.statedLength
            if let length {
                state = Locked(State(content: .source(StreamBody(stream, length: length))))
            } else {
                state = Locked(State(content: .stream(stream)))
            }
        } else if let data = request.httpBody, !data.isEmpty {
            length = data.count
            state = Locked(State(content: .source(DataBodySource(data))))
        } else {
            return nil
        }
    }

    /// Returns a stream from the first byte.
    ///
    /// If the body can't be read again, or the request must not be sent again, the stream fails when it is read.
    func makeStream() -> InputStream {
        state.withLock { state in
            defer { state.isSent = true }
            switch state.content {
            case .source where state.isSent && !canSendAgain:
                state.isLost = true
                return Self.makeStream(UnreadableBody(reason: .connectionLost), &state)
            case .source(let source):
                return Self.makeStream(source, &state)
            case .stream(let stream):
                state.content = .spent
                return stream
            case .spent:
                return Self.makeStream(UnreadableBody(reason: .bodyNotReplayable), &state)
            }
        }
    }

    private static func makeStream(_ source: any BodySource, _ state: inout State) -> InputStream {
        state.current?.close()
        let stream = BodyInputStream(source: source)
        state.current = stream
        return stream
    }

    /// Returns the stream for a task whose exchange is unknown.
    static func unreadableStream() -> InputStream { BodyInputStream(source: UnreadableBody(reason: .other)) }

    /// The error with which reading the body failed; nil if it did not fail.
    ///
    /// After a lost connection, the next connection may fail before the body is read. That failure would mean that
    /// nothing was sent, so the lost connection overrides it.
    var error: (any Error)? {
        state.withLock { $0.isLost ? TransportError(.connectionLost) : $0.current?.streamError }
    }

    /// Closes the open stream, which URLSession does not do on Linux.
    func close() {
        state.withLock { state in
            state.current?.close()
            state.current = nil
        }
    }
}

/// A body that fails when it is read, in place of a body that must not be sent again.
private struct UnreadableBody: BodySource {
    let reason: TransportError.Reason

    var length: Int { 0 }

    func open() throws -> any BodyReader {
        throw TransportError(reason)
    }
}

extension StoredBody {
    /// Stores the bytes of a sequence before the request is sent, since a stream must not make URLSession wait.
    ///
    /// - Throws: ``TransportError/Reason/bodyNotReplayable`` for a sequence that was sent before; the error with which
    ///   reading the sequence failed.
    init(_ stream: SequenceInputStream, of request: URLRequest, within options: TransportOptions) async throws {
        guard let reader = stream.body.claim(length: request.statedLength) else {
            throw TransportError(.bodyNotReplayable, request: request)
        }
        let file: DiskFile
        do {
            file = try DiskFile.unnamed()
        } catch {
            throw TransportError(unreadableBody: error, request: request)
        }
        let end = Locked(0)
        try await reader.drain(for: request, within: options) { bytes in
            let start = end.withLock { end in
                defer { end += bytes.count }
                return end
            }
            try file.write(bytes, at: start)
        }
        self.init(length: end.withLock { $0 }, file: file, onRead: stream.body.onRead)
    }
}
