/// One exchange of a URLSession: passes the events of the delegate to the state machine, and performs its actions.
final class SessionExchange: Sendable {
    let upload: SessionUpload?
    private let request: URLRequest
    private let options: TransportOptions
    private let state: Locked<SessionExchangeState>
    private let timer: ExchangeTimer
    private let buffer: BodyBuffer?
    private let suspension = Locked<TaskSuspension?>(nil)
    private let socket = Locked<SessionSocket?>(nil)
    /// Called once, when the exchange has ended.
    private let onEnd: (@Sendable () -> Void)?

    init(
        request: URLRequest,
        upload: SessionUpload?,
        options: TransportOptions,
        onEnd: (@Sendable () -> Void)? = nil
    ) {
        self.request = request
        self.options = options
        self.upload = upload
        self.onEnd = onEnd
        buffer = options.streamsBody ? BodyBuffer(SessionPlatform.bufferMode) : nil
        state = Locked(SessionExchangeState(request: request, options: options, buffer: buffer))
        timer = ExchangeTimer(idle: request.timeoutInterval, total: options.exchangeTimeout)
    }

    /// Starts the task, unless the exchange was cancelled before.
    func begin(
        _ continuation: CheckedContinuation<TransportResponse, any Error>,
        _ makeTask: () throws -> URLSessionTask
    ) {
        perform(state.withLock { $0.began(continuation) })
        guard state.withLock({ !$0.isOver }) else { return }
        do {
            let task = try makeTask()
            timer.start { [weak self] limit in self?.timedOut(limit) }
            connectBuffer(to: task)
            task.resume()
            perform(state.withLock { $0.started(task) })
        } catch {
            cancel(error)
        }
    }

    private func connectBuffer(to task: URLSessionTask) {
        guard let buffer else { return }
        let suspension = TaskSuspension(task, timer: timer)
        self.suspension.withLock { $0 = suspension }
        buffer.connect {
            suspension.follow(buffer)
        } onCancel: { [weak self] in
            self?.cancel(CancellationError())
        }
    }

    /// Ends the exchange with an error at once.
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
        // Called outside the lock, since it resumes the reader.
        let reception = data.withUnsafeBytes { buffer.append($0) }
        if case .filled = reception { suspension.withLock { $0 }?.follow(buffer) }
    }

    func sentBody() {
        timer.touch()
    }

    /// Returns the response that has opened a WebSocket: the exchange ends with it, and the task goes on.
    func opened(_ messages: any SessionMessages, _ response: URLResponse?, subprotocol: String?) {
        guard let opening = options.opensSocket else { return }
        let subprotocol = subprotocol.flatMap { $0.isEmpty ? nil : $0 }
        let socket = SessionSocket(messages, opening.options, of: request)
        let connection = WebSocketConnection(socket.channel, subprotocol: subprotocol) {
            // As in `perform`.
            Self.cancellations.async { messages.cancel() }
        }
        self.socket.withLock { $0 = socket }
        perform(state.withLock { $0.opened(connection, response) })
        socket.begin()
    }

    /// Ends the open WebSocket with its transport.
    func shutSocket() { socket.withLock { $0 }?.shut() }

    /// Stores the metrics, which URLSession reports before the end of the task.
    func collected(_ metrics: TransportMetrics) {
        state.withLock { $0.metrics = metrics }
    }

    /// Ends the exchange with its 401 response, since the client stores no credentials for URLSession.
    func challenged() {
        perform(state.withLock { $0.challenged() })
    }

    /// Ends the exchange because of a defect of the server's certificate.
    ///
    /// Called before the challenge is cancelled, which URLSession reports like a cancellation of the task.
    func refused(_ failure: TransportError.SecurityFailure, _ error: (any Error)? = nil) {
        cancel(
            TransportError(.secureConnectionFailed, request: request, securityFailure: failure, underlying: error)
        )
    }

    /// Declines a redirect.
    ///
    /// Runs under the lock that also decides about cancellation: FoundationNetworking traps if the handler of a
    /// cancelled task is called.
    func redirected(_ completionHandler: (URLRequest?) -> Void) {
        state.withLock { state in
            if state.isOver { SessionPlatform.declineLate(completionHandler) } else { completionHandler(nil) }
        }
    }

    func completed(_ error: (any Error)?, _ response: URLResponse?) {
        let unreadable = upload?.error.map { TransportError(unreadableBody: $0, request: request) }
        perform(state.withLock { $0.completed(unreadable ?? error, response) })
        upload?.close()
    }

    /// Makes everything that happened before the end of the exchange visible to the code that waited for it.
    func meetEnd() {
        state.meet()
    }

    private func timedOut(_ limit: ExchangeLimits.Passed) {
        switch limit {
        case .idle: cancel(TransportError(passed: .idle(request.timeoutInterval), request: request))
        case .total: cancel(options.timeout(of: request))
        case .redirectBody: perform(state.withLock { $0.endedRedirectBody() })
        // URLSession limits its connections by the other limits.
        case .connection: break
        }
    }

    private func perform(_ actions: SessionExchangeState.Actions) {
        if actions.beginsRedirectBody { timer.beginRedirectBody() }
        if actions.isEnd {
            timer.stop()
            onEnd?()
        }
        if let (continuation, result) = actions.resumption { continuation.resume(with: result) }
        if let (buffer, failure) = actions.endedBody { buffer.finish(failure) }
        // The task is cancelled on another thread: the caller may hold the lock of a Swift task, and `cancel` waits for
        // a URLSession queue on which a thread may be waiting for that lock.
        if let task = actions.taskToCancel { Self.cancellations.async { task.cancel() } }
    }

    /// A serial queue: every cancellation waits for the only queue of FoundationNetworking, and a concurrent queue
    /// would use up the threads of Swift tasks.
    private static let cancellations = DispatchQueue(label: "NetworkClient.Cancellations")
}

/// Suspends a task while the buffer for its body is full, and resumes it when there is room.
///
/// Suspensions nest, and the buffer may be emptied just before the task is suspended. So only one thread at a time
/// makes the state of the task match the state of the buffer.
private final class TaskSuspension: Sendable {
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
