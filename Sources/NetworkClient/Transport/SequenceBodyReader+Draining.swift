import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension SequenceBodyReader {
    private struct Late: Error {}

    /// Reads a sequence to its end before its request is sent, by the limits of the request: its `timeoutInterval`
    /// without a byte, and the seconds that are left in all.
    ///
    /// It does not wait for the sequence to notice that it is over.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - total: The seconds that are left in all, if they are limited.
    ///   - take: Given the next bytes, one call after the other, in the task of the sequence.
    /// - Throws: ``TransportError``; `CancellationError` if the call was cancelled.
    func drain(
        for request: URLRequest,
        within total: TimeInterval?,
        _ take: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        let timer = ExchangeTimer(idle: request.timeoutInterval, total: total)
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
                    timer.start { self.fail(Late()) }
                }
            } onCancel: {
                self.fail(CancellationError())
            }
        } catch let error as CancellationError {
            throw error
        } catch is Late {
            throw TransportError(.timedOut, request: request)
        } catch {
            throw TransportError(unreadableBody: error, request: request)
        }
    }

    /// Takes what is there where it has come, which spares two threads a wait for each other.
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

        /// Whether that was the end.
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
