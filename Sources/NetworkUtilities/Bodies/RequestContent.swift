package import Foundation

/// What a request sends: bytes that are at hand, or a source that is read while it is sent.
package enum RequestContent: Sendable {
    /// Bytes that are at hand.
    case data(Data)

    /// Bytes that are read when they are sent, each time from the first one.
    case source(any BodySource)

    /// The number of bytes that are sent.
    package var length: Int {
        switch self {
        case .data(let data): data.count
        case .source(let source): source.length
        }
    }

    /// The bytes as a source, however they are held.
    package var source: any BodySource {
        switch self {
        case .data(let data): DataBodySource(data)
        case .source(let source): source
        }
    }
}
