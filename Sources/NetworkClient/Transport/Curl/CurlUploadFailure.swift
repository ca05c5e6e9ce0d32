#if os(Linux)

/// The body of a request could not be read to its end.
struct CurlUploadFailure: Error {
    let underlying: any Error
}
#endif
