/// The bytes of a response's body, read one portion after another.
///
/// A channel is read by one task at a time, and may be cancelled anywhere. Its implementations are `WholeBodyChannel`
/// for a complete body, `BufferedBodyChannel` for a body that a transport writes to a `BodyBuffer`, and
/// `CurlBodyChannel`, which also decodes the content coding.
package protocol BodyChannel: Cancellable {
    /// Returns the next bytes, at least one; nil at the end.
    ///
    /// Throws `CancellationError` when the task is cancelled, and after ``cancel()``.
    func next() async throws -> Data?
}

/// Something in progress that can be stopped from anywhere.
package protocol Cancellable: AnyObject, Sendable {
    /// Stops it; has no effect after its end.
    func cancel()
}

extension BodyChannel {
    /// Returns all bytes; if there are more than `limit`, returns the first ones and `isCut`, and stops the transfer.
    ///
    /// `onProgress` is called with the number of bytes after each chunk.
    func collect(
        limit: Int,
        onProgress: (Int) -> Void = { _ in }
    ) async throws -> (data: Data, isCut: Bool) {
        var data = Data()
        while let chunk = try await next() {
            let room = max(0, limit - data.count)
            // The usual case, a body of one chunk, is not copied.
            let isAll = data.isEmpty && chunk.startIndex == 0 && chunk.count <= room
            if isAll { data = chunk } else { data.append(chunk.prefix(room)) }
            guard chunk.count <= room else {
                cancel()
                return (data, true)
            }
            onProgress(data.count)
        }
        return (data, false)
    }

    /// Returns the first bytes, at most `limit`, and then stops the transfer.
    func prefix(limit: Int) async throws -> Data {
        try await prefix(limit: limit, until: nil).data
    }

    /// Returns the first bytes that are received before a time limit passes, at most `limit`; `isCut` if one of the
    /// limits stopped the transfer.
    ///
    /// It does not wait for the end of the body, so a body of exactly `limit` bytes counts as cut.
    ///
    /// - Throws: The failure of the transfer; `CancellationError` if the task was cancelled, but no error when the time
    ///   limit passes.
    func prefix(limit: Int, until end: TimeLimit?) async throws -> (data: Data, isCut: Bool) {
        let hasPassed = Locked(false)
        let alarm = end?.alarm {
            hasPassed.withLock { $0 = true }
            self.cancel()
        }
        defer { alarm?.stop() }
        var data = Data()
        do {
            while let chunk = try await next() {
                data.append(chunk.prefix(max(0, limit - data.count)))
                guard data.count < limit else {
                    cancel()
                    return (data, true)
                }
            }
        } catch is CancellationError where hasPassed.withLock({ $0 }) && !CallScope.isCancelled {
            return (data, true)
        }
        return (data, false)
    }
}

/// A complete body, read as if it were streamed.
final class WholeBodyChannel: BodyChannel {
    private struct State {
        var data: Data?
        var isCancelled = false
    }

    private let state: Locked<State>
    private let head: ResponseHead?

    /// Creates the channel of a body; one that stands for a stream tells its head when it was read to its end.
    init(_ data: Data, of head: ResponseHead? = nil) {
        state = Locked(State(data: data.isEmpty ? nil : data))
        self.head = head
    }

    func next() throws -> Data? {
        try CallScope.checkCancellation()
        let data = try state.withLock { state in
            guard !state.isCancelled else { throw CancellationError() }
            defer { state.data = nil }
            return state.data
        }
        if data == nil { head?.endsStream() }
        return data
    }

    /// Drops the body, unless it was read.
    func cancel() {
        state.withLock { $0 = State(data: nil, isCancelled: $0.data != nil || $0.isCancelled) }
    }
}

/// The reader's side of a buffer: stops the transport when the last reference to it is released.
final class BufferedBodyChannel: BodyChannel {
    private let buffer: BodyBuffer
    private let head: ResponseHead?

    init(_ buffer: BodyBuffer, of head: ResponseHead? = nil) {
        (self.buffer, self.head) = (buffer, head)
    }

    deinit {
        buffer.cancel()
    }

    func next() async throws -> Data? {
        let chunk = try await buffer.next()
        if chunk == nil { head?.endsStream() }
        return chunk
    }

    func cancel() { buffer.cancel() }
}
