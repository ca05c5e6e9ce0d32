/// Bytes that are no HTTP/1.1 request, and why.
struct MalformedRequest: Error {
    let reason: String
}
