import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One exchange of a URLSession: feeds what the delegate hears to the state machine, and does what that says.
final class SessionExchange: Sendable {
    let upload: SessionUpload?
    private let request: URLRequest
    private let state: Locked<SessionExchangeState>
    private let timer: ExchangeTimer
    private let buffer: BodyBuffer?
    private let pace = Locked<TaskPace?>(nil)
    /// Called once, when the exchange is over.
    private let onEnd: (@Sendable () -> Void)?

    init(
        request: URLRequest,
        upload: SessionUpload?,
        options: TransportOptions,
        onEnd: (@Sendable () -> Void)? = nil
    ) {
        self.request = request
        self.upload = upload
        self.onEnd = onEnd
        buffer = options.streamsBody ? BodyBuffer(SessionPlatform.bufferMode) : nil
        state = Locked(SessionExchangeState(request: request, options: options, buffer: buffer))
        timer = ExchangeTimer(idle: request.timeoutInterval, total: options.totalTimeout)
    }

    /// Starts the task, unless the exchange was cancelled before it began.
    func begin(
        _ continuation: CheckedContinuation<TransportResponse, any Error>,
        _ makeTask: () throws -> URLSessionTask
    ) {
        perform(state.withLock { $0.began(continuation) })
        guard state.withLock({ !$0.isOver }) else { return }
        do {
            let task = try makeTask()
            timer.start { [weak self] in self?.timedOut() }
            connectBuffer(to: task)
            task.resume()
            perform(state.withLock { $0.started(task) })
        } catch {
            perform(state.withLock { $0.failed(error) })
        }
    }

    private func connectBuffer(to task: URLSessionTask) {
        guard let buffer else { return }
        let pace = TaskPace(task, timer: timer)
        self.pace.withLock { $0 = pace }
        buffer.connect {
            pace.follow(buffer)
        } onCancel: { [weak self] in
            self?.cancel(CancellationError())
        }
    }

    /// Ends the exchange with an error, now.
    func cancel(_ error: any Error) {
        perform(state.withLock { $0.failed(error) })
    }

    func received(_ response: URLResponse) {
        timer.touch()
        perform(state.withLock { $0.received(response) })
    }

    func received(_ data: Data) {
        timer.touch()
        guard let buffer else { return perform(state.withLock { $0.received(data) }) }
        state.withLock { $0.bodyCount += data.count }
        // Not under the lock, since whoever waits for the bytes is told.
        let reception = data.withUnsafeBytes { buffer.append($0) }
        if case .filled = reception { pace.withLock { $0 }?.follow(buffer) }
    }

    func sentBody() {
        timer.touch()
    }

    /// How it went, which URLSession tells before it says that it is over.
    func collected(_ metrics: TransportMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    /// The server asks for a credential, which the client does not keep: its answer, a 401, is complete already.
    func challenged() {
        perform(state.withLock { $0.challenged() })
    }

    /// Declines a redirect under the lock under which a cancellation is decided: FoundationNetworking traps if the
    /// handler of a cancelled task is called.
    func redirected(_ completionHandler: (URLRequest?) -> Void) {
        state.withLock { state in
            if state.isOver { SessionPlatform.answerLate(completionHandler) } else { completionHandler(nil) }
        }
    }

    func completed(_ error: (any Error)?, _ response: URLResponse?) {
        let unreadable = upload?.error.map { TransportError(unreadableBody: $0, request: request) }
        perform(state.withLock { $0.completed(unreadable ?? error, response) })
        upload?.close()
    }

    /// Orders all that was done before the end before what comes after the wait for it.
    ///
    /// So does the runtime, but where the end came before the wait it does not tell the thread sanitizer.
    func meetEnd() {
        state.withLock { _ in }
    }

    private func timedOut() {
        cancel(TransportError(.timedOut, request: request))
    }

    private func perform(_ actions: SessionExchangeState.Actions) {
        if actions.isEnd {
            timer.stop()
            onEnd?()
        }
        if let (continuation, result) = actions.resumption { continuation.resume(with: result) }
        if let (buffer, failure) = actions.endedBody { buffer.finish(failure) }
        // Not here: the lock of a Swift task may be held now, and URLSession waits for a queue that may be waiting for
        // it.
        if let task = actions.taskToCancel { Self.cancellations.async { task.cancel() } }
    }

    /// One thread is enough, since every cancellation waits for the one queue that FoundationNetworking has; many would
    /// take the threads that Swift tasks run on.
    private static let cancellations = DispatchQueue(label: "NetworkClient.Cancellations")
}
