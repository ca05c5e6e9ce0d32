import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Suspends a task while the buffer for its body is full, and has it go on when it is not.
///
/// Suspensions nest, and the buffer may be emptied just when the task is to be suspended. So what is is compared with
/// what should be, one at a time.
final class TaskPace: Sendable {
    private let task: URLSessionTask
    private let timer: ExchangeTimer
    private let isSuspended = Locked(false)

    init(_ task: URLSessionTask, timer: ExchangeTimer) {
        self.task = task
        self.timer = timer
    }

    func follow(_ buffer: BodyBuffer) {
        isSuspended.withLock { isSuspended in
            guard buffer.isFull != isSuspended else { return }
            isSuspended.toggle()
            if isSuspended {
                timer.rest()
                task.suspend()
            } else {
                timer.goOn()
                task.resume()
            }
        }
    }
}
