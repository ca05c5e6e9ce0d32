#if os(Linux) || os(Android)
import Foundation

/// What the engine brings back: bytes, of which the caller's task makes a response.
struct CurlAnswer: Sendable {
    let head: ResponseHeadLines
    let body: Data
}
#endif
