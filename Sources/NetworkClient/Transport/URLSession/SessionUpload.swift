import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of one exchange: gives URLSession a stream, and another from the first byte when it has to send it again.
final class SessionUpload: Sendable {
    private enum Origin {
        case source(any BodySource)
        /// A stream of the user's own, which can be read once; nil when it has been given away.
        case stream(InputStream?)
    }

    private struct State {
        var origin: Origin
        var current: BodyInputStream?
    }

    /// The number of bytes, if it is known.
    let length: Int?

    private let state: Locked<State>

    /// Nil if the request has no body.
    init?(of request: URLRequest) {
        if let stream = request.httpBodyStream as? BodyInputStream {
            length = stream.source.length
            state = Locked(State(origin: .source(stream.source)))
        } else if let stream = request.httpBodyStream {
            length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }
            state = Locked(State(origin: .stream(stream)))
        } else if let data = request.httpBody, !data.isEmpty {
            length = data.count
            state = Locked(State(origin: .source(DataBodySource(data))))
        } else {
            return nil
        }
    }

    /// A stream from the first byte; if that cannot be had, one that fails when it is read.
    func makeStream() -> InputStream {
        state.withLock { state in
            switch state.origin {
            case .source(let source):
                state.current?.close()
                let stream = BodyInputStream(source: source)
                state.current = stream
                return stream
            case .stream(let stream):
                state.origin = .stream(nil)
                return stream ?? Self.unreadableStream()
            }
        }
    }

    /// Why the body could not be read, if it could not.
    var error: (any Error)? {
        state.withLock { $0.current?.streamError }
    }

    /// Closes what is open: URLSession does not on Linux.
    func close() {
        state.withLock { state in
            state.current?.close()
            state.current = nil
        }
    }

    static func unreadableStream() -> InputStream {
        BodyInputStream(source: UnreadableBody())
    }
}

/// A body that cannot be sent a second time.
private struct UnreadableBody: BodySource {
    var length: Int { 0 }

    func open() throws -> any BodyReader {
        throw TransportError(.bodyNotReplayable)
    }
}
