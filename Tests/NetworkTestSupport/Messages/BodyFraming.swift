/// How a request said where its body ends.
package enum BodyFraming: Sendable, Equatable {
    /// Neither length nor chunks, so no body.
    case none
    case contentLength(Int)
    case chunked
}
