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
    func drain(
        for request: URLRequest,
        within total: TimeInterval?,
        _ take: (UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        let timer = ExchangeTimer(idle: request.timeoutInterval, total: total)
        defer {
            timer.stop()
            close()
        }
        do {
            try await CallScope.withCancellationHandler {
                begin()
                timer.start { self.fail(Late()) }
                try await readAll(take, timer)
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

    private func readAll(_ take: (UnsafeRawBufferPointer) throws -> Void, _ timer: ExchangeTimer) async throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { buffer.deallocate() }
        while true {
            if let count = try read(into: buffer, isReported: false) {
                guard count > 0 else { return }
                timer.touch()
                try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            } else {
                await withCheckedContinuation { continuation in whenReady { continuation.resume() } }
            }
        }
    }
}
