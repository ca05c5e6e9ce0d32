#if os(Linux) || os(Android)
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of a request as libcurl asks for it.
struct CurlBody {
    let source: any BodySource
    /// Nil if it is not known, and sent in chunks.
    let length: Int?

    /// Nil if the request has none.
    ///
    /// - Throws: ``TransportError/Reason/bodyNotReplayable`` for a stream of the user's own that was sent before.
    init?(of request: URLRequest) throws {
        if let stream = request.httpBodyStream as? BodyInputStream {
            source = stream.source
            length = stream.source.length
        } else if let stream = request.httpBodyStream {
            guard ClaimedStreams.claim(stream) else { throw TransportError(.bodyNotReplayable, request: request) }
            length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }
            source = OneShotBody(stream, length: length ?? .max)
        } else if let data = request.httpBody, !data.isEmpty {
            source = DataBodySource(data)
            length = data.count
        } else {
            return nil
        }
    }
}
#endif
