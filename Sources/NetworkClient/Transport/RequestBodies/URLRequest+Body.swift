public import NetworkUtilities

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// The body of a request, for a custom ``Transport``.
extension URLRequest {
    /// The body as a source: bytes in memory, a file, a form or a custom source; nil without a body, and for a stream.
    ///
    /// A transport opens the source for each exchange. It must not read such a body from `httpBodyStream`, whose
    /// position is shared with earlier attempts that may still be reading. If the source is nil, `httpBodyStream` is a
    /// stream that can be read once; a read may wait until there are bytes.
    public var bodySource: (any BodySource)? {
        guard let stream = httpBodyStream else { return httpBody.map { DataBodySource($0) } }
        return (stream as? BodyInputStream)?.source
    }

    /// The number of bytes of the body, 0 without a body; nil for a stream whose length is not stated.
    ///
    /// A client removes `Content-Length` from a request whose body has a known length, so that a transport states the
    /// length itself. For a stream it is the length given to `bodyStream(_:length:type:)`, or `Content-Length`.
    public var bodyLength: Int? {
        if let source = bodySource { return source.length }
        guard let stream = httpBodyStream else { return 0 }
        return (stream as? SequenceInputStream)?.body.length ?? statedLength
    }
}
