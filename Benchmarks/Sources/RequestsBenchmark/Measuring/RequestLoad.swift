/// Keeps a number of requests under way.
struct RequestLoad: Sendable {
    /// Begins no request after a moment of the monotonic clock, and returns the latency of each in nanoseconds.
    let run: @Sendable (_ deadline: UInt64) async throws -> [UInt32]

    /// Closes all connections.
    let end: @Sendable () async throws -> Void
}
