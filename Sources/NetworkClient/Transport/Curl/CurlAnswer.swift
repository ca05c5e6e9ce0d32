#if os(Linux)
import Foundation

/// What the engine brings back: bytes, of which the caller's task makes a response.
struct CurlAnswer: Sendable {
    let head: ResponseHeadLines
    /// The body, as far as it has come with the head.
    var body = Data()
    /// Whether the body is longer, and was cut at the limit.
    var isCut = false
    /// How the transfer went until the head was there; nil for an answer that is complete.
    var metrics: TransportMetrics?
}
#endif
