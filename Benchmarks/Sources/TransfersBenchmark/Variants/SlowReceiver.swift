import BenchmarkHarness
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A delegate that works on each chunk before it returns, which is all that it can do to be slow.
final class SlowReceiver: NSObject, URLSessionDataDelegate, Sendable {
    private let pace = Locked(Pace())
    private let continuation: CheckedContinuation<Int, any Error>

    init(_ continuation: CheckedContinuation<Int, any Error>) {
        self.continuation = continuation
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let nanoseconds = pace.withLock { $0.take(data.count) }
        usleep(UInt32(clamping: nanoseconds / 1_000))
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { return continuation.resume(throwing: error) }
        continuation.resume(returning: pace.withLock(\.bytes))
    }
}
