extension SequenceBodyReader {
    private struct TimedOut: Error {
        let limit: PassedLimit
    }

    /// Reads a sequence to its end before its request is sent, within the limits of the request.
    ///
    /// The limits are its `timeoutInterval` without a byte, and the time for the exchange.
    ///
    /// Calls `take` with the next bytes in the task of the sequence, one call after the other. At a limit, throws an
    /// error without waiting until the sequence notices its cancellation.
    ///
    /// - Throws: ``TransportError``; `CancellationError` if the call was cancelled.
    func drain(
        for request: URLRequest,
        within options: TransportOptions,
        _ take: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        let timer = ExchangeTimer(idle: request.timeoutInterval, total: options.exchangeTimeout)
        defer {
            timer.stop()
            close()
        }
        do {
            try await CallScope.withCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    let drain = Drain(reader: self, timer: timer, continuation: continuation, take: take)
                    whenReady(drain.goOn)
                    begin()
                    timer.start { limit in
                        let idle = PassedLimit.idle(request.timeoutInterval)
                        self.fail(TimedOut(limit: limit == .idle ? idle : options.passedLimit))
                    }
                }
            } onCancel: {
                self.fail(CancellationError())
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as TimedOut {
            throw TransportError(passed: error.limit, request: request)
        } catch {
            throw TransportError(unreadableBody: error, request: request)
        }
    }

    /// Reads bytes as they arrive, in the task of the sequence, so that no two threads wait for each other.
    private struct Drain: Sendable {
        let reader: SequenceBodyReader
        let timer: ExchangeTimer
        let continuation: CheckedContinuation<Void, any Error>
        let take: @Sendable (UnsafeRawBufferPointer) throws -> Void

        @Sendable func goOn() {
            do {
                if try takeAll() { continuation.resume() } else { reader.whenReady(goOn) }
            } catch {
                continuation.resume(throwing: error)
            }
        }

        /// Reads all available bytes, and returns whether the sequence is at its end.
        private func takeAll() throws -> Bool {
            try withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 1) { buffer in
                while let count = try reader.read(into: buffer, isReported: false) {
                    guard count > 0 else { return true }
                    timer.touch()
                    try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
                return false
            }
        }
    }
}
