#if os(Linux)
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of a request as libcurl asks for it.
struct CurlBody {
    let content: Content
    /// Nil if it is not known, and sent in chunks.
    let length: Int?

    /// Where the bytes are.
    enum Content {
        case source(any BodySource)
        /// They may have to be waited for.
        case sequence(SequenceBodyReader)
    }

    /// Nil if the request has none.
    ///
    /// - Throws: ``TransportError/Reason/bodyNotReplayable`` for a stream or a sequence that was sent before.
    init?(of request: URLRequest) throws {
        if let stream = request.httpBodyStream as? BodyInputStream {
            content = .source(stream.source)
            length = stream.source.length
        } else if let stream = request.httpBodyStream as? SequenceInputStream {
            guard let reader = stream.body.claim(length: request.statedLength) else {
                throw TransportError(.bodyNotReplayable, request: request)
            }
            content = .sequence(reader)
            length = reader.length
        } else if let stream = request.httpBodyStream {
            guard ClaimedStreams.claim(stream) else { throw TransportError(.bodyNotReplayable, request: request) }
            length = request.statedLength
            let body = SequenceBody(StreamChunks(stream, length: length ?? .max), length: nil)
            guard let reader = body.claim() else { throw TransportError(.bodyNotReplayable, request: request) }
            content = .sequence(reader)
        } else if let data = request.httpBody, !data.isEmpty {
            content = .source(DataBodySource(data))
            length = data.count
        } else {
            return nil
        }
    }

    private init(_ content: Content, length: Int) {
        self.content = content
        self.length = length
    }

    /// The sequence that is to give no byte, which libcurl would not ask whether that is so.
    var emptySequence: SequenceBodyReader? {
        if case .sequence(let reader) = content, let length, length <= 0 { reader } else { nil }
    }

    /// A body without bytes.
    static let empty = CurlBody(.source(DataBodySource(Data())), length: 0)
}
#endif
