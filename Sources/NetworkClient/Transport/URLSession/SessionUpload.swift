import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of one exchange: gives URLSession a stream, and another from the first byte when it has to send it again.
final class SessionUpload: Sendable {
    private enum Content {
        case source(any BodySource)
        /// A stream of the user's own, of which the length is not known.
        case stream(InputStream)
        /// Such a stream that has been given away.
        case spent
    }

    private struct State {
        var content: Content
        var current: BodyInputStream?
        /// Whether a stream was given away.
        var isSent = false
        /// Whether the connection was lost with the first stream, and the request must not be sent again.
        var isLost = false
    }

    /// The number of bytes, if it is known.
    let length: Int?

    private let state: Locked<State>
    private let canSendAgain: Bool

    /// Nil if the request has no body; one that was gathered beforehand takes the place of the request's own.
    ///
    /// - Throws: ``TransportError/Reason/bodyNotReplayable`` for a stream of the user's own that was sent before: what
    ///   is left of it is not the body.
    init?(of request: URLRequest, spooled: SpooledBody? = nil) throws {
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
                state = Locked(State(content: .source(OneShotBody(stream, length: length))))
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

    /// A stream from the first byte; if that cannot be had, or the request must not be sent again, one that fails when
    /// it is read.
    func makeStream() -> InputStream {
        state.withLock { state in
            defer { state.isSent = true }
            switch state.content {
            case .source where state.isSent && !canSendAgain:
                state.isLost = true
                return Self.makeStream(UnreadableBody(.connectionLost), &state)
            case .source(let source):
                return Self.makeStream(source, &state)
            case .stream(let stream):
                state.content = .spent
                return stream
            case .spent:
                return Self.makeStream(UnreadableBody(.bodyNotReplayable), &state)
            }
        }
    }

    private static func makeStream(_ source: any BodySource, _ state: inout State) -> InputStream {
        state.current?.close()
        let stream = BodyInputStream(source: source)
        state.current = stream
        return stream
    }

    /// Why the body could not be read, if it could not.
    ///
    /// Where the connection was lost the next one may fail before the body is read: that no connection was made then
    /// would not mean that nothing was sent.
    var error: (any Error)? {
        state.withLock { $0.isLost ? TransportError(.connectionLost) : $0.current?.streamError }
    }

    /// Closes what is open: URLSession does not on Linux.
    func close() {
        state.withLock { state in
            state.current?.close()
            state.current = nil
        }
    }
}
