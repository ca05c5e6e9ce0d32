/// The buffer between a transport that receives a body and the task that reads it.
///
/// Above a limit it refuses further bytes, or writes them to a file.
final class BodyBuffer: BodyChannel {
    private let state: Locked<BodyBufferState>

    /// Creates a buffer with the first bytes of a body; `makeSpool` creates the file for bytes above the limit, if the
    /// mode is `.spooling`.
    init(
        _ mode: BodyBufferState.Mode,
        beginningWith bytes: Data = Data(),
        makeSpool: @escaping @Sendable () throws -> SpoolFile = { try SpoolFile() }
    ) {
        state = Locked(BodyBufferState(mode, beginningWith: bytes, makeSpool: makeSpool))
    }

    /// Sets what the transport does when there is room again, and when the body is not needed any more.
    ///
    /// `onRoom` is called once each time after the buffer was full, `onCancel` at most once, both without a lock.
    func connect(onRoom: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable () -> Void) {
        state.withLock { $0.connect(onRoom: onRoom, onCancel: onCancel) }.perform()
    }

    /// Whether `append` has reported a full buffer since the last call of `onRoom`.
    var isFull: Bool { state.withLock { $0.isFull } }

    /// Adds bytes, and wakes a waiting reader if there are at least `portion`; for fewer, call ``wake()`` afterwards.
    ///
    /// Must not be called under a lock that the connected functions, or the cancellation of a reader, take.
    func append(_ bytes: UnsafeRawBufferPointer, wakingFor portion: Int = 0) -> BodyBufferState.Reception {
        let (reception, actions) = state.withLock { $0.append(bytes, wakingFor: portion) }
        actions.perform()
        return reception
    }

    /// Wakes the reader if it waits for bytes that are there.
    func wake() { state.withLock { $0.wake() }?.resume() }

    /// Ends the body, with an error if it failed; the bytes before the end can still be read.
    func finish(_ failure: (any Error)? = nil) {
        state.withLock { $0.finish(failure) }.perform()
    }

    /// The error with which the body ended; nil if it has not ended, or is complete.
    var failure: (any Error)? { state.withLock { $0.failure } }

    func cancel() {
        state.withLock { $0.cancel() }.perform()
    }

    func next() async throws -> Data? {
        while true {
            try CallScope.checkCancellation()
            let (portion, actions) = state.withLock { $0.take() }
            actions.perform()
            switch portion {
            case .bytes(let data): return data
            case .end: return nil
            case .failure(let error): throw error
            case .nothing: try await wait()
            }
        }
    }

    /// Returns when there is something to read, or when the task is cancelled.
    private func wait() async throws {
        try await CallScope.withCancellationHandler {
            await withCheckedContinuation { waiter in
                let hasSomething = state.withLock { $0.wait(waiter) }
                if hasSomething || CallScope.isCancelled { state.withLock { $0.endWait() }?.resume() }
            }
        } onCancel: {
            self.cancel()
        }
    }
}

extension BodyBuffer {
    /// Creates a buffer that is filled from the sequence of a custom transport.
    ///
    /// The sequence is asked for a chunk only when there is room for it. Its task is cancelled together with the body.
    convenience init<Chunks: AsyncSequence & Sendable>(filledFrom chunks: Chunks) where Chunks.Element == Data {
        self.init(.pausing)
        // Buffers one signal, in case it arrives before the wait for it.
        let (room, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        // Ends with the sequence; cancelled together with the body.
        let pump = Task {
            var rooms = room.makeAsyncIterator()
            do {
                for try await chunk in chunks {
                    var reception: BodyBufferState.Reception
                    repeat {
                        reception = chunk.withUnsafeBytes { append($0) }
                        if reception == .refused { await rooms.next() }
                    } while reception == .refused
                    guard reception != .unwanted else { return }
                }
                finish()
            } catch {
                finish(error)
            }
        }
        connect {
            signal.yield()
        } onCancel: {
            pump.cancel()
        }
    }
}

/// The state of a buffer: each function takes an event and returns the actions that follow from it.
///
/// The functions perform no action themselves, except for writing to the file.
struct BodyBufferState {
    typealias Waiter = CheckedContinuation<Void, Never>

    /// What happens to bytes above the limit.
    enum Mode {
        /// The transport keeps them.
        case pausing
        /// The buffer keeps them, and the transport stops adding more.
        case signalling
        /// The buffer writes them to an unnamed file, since the transport can neither keep bytes nor stop adding more.
        case spooling
    }

    /// The result of adding bytes.
    enum Reception {
        case taken
        /// The bytes were added, and no more should be added until there is room.
        case filled
        /// The transport has to keep the bytes until there is room.
        case refused
        /// The body is not needed any more.
        case unwanted
    }

    /// The result of a read.
    enum Portion {
        case bytes(Data)
        case nothing
        case end
        case failure(any Error)
    }

    /// The actions of an event, which are performed after the lock is released.
    struct Actions {
        var waiter: Waiter?
        var call: (@Sendable () -> Void)?

        func perform() {
            waiter?.resume()
            call?()
        }
    }

    /// The number of bytes above which the buffer is full.
    static let mark = 1 << 18

    private let mode: Mode
    private let makeSpool: @Sendable () throws -> SpoolFile
    private var bytes: Data
    private var spool: SpoolFile?
    private var waiter: Waiter?
    private(set) var isFull = false
    private var ending: Portion?
    private var onRoom: (@Sendable () -> Void)?
    private var onCancel: (@Sendable () -> Void)?

    init(_ mode: Mode, beginningWith bytes: Data = Data(), makeSpool: @escaping @Sendable () throws -> SpoolFile) {
        self.mode = mode
        self.bytes = bytes
        self.makeSpool = makeSpool
    }

    mutating func connect(
        onRoom: @escaping @Sendable () -> Void,
        onCancel: @escaping @Sendable () -> Void
    ) -> Actions {
        guard ending == nil else { return Actions(call: failure is CancellationError ? onCancel : nil) }
        self.onRoom = onRoom
        self.onCancel = onCancel
        return Actions()
    }

    mutating func append(
        _ new: UnsafeRawBufferPointer,
        wakingFor portion: Int = 0
    ) -> (reception: Reception, actions: Actions) {
        guard ending == nil else { return (.unwanted, Actions()) }
        switch mode {
        case .pausing where bytes.count >= Self.mark:
            isFull = true
            return (.refused, Actions())
        case .spooling where bytes.count >= Self.mark || spool?.isEmpty == false:
            do {
                if spool == nil { spool = try makeSpool() }
                try spool?.append(new)
            } catch {
                return (.unwanted, failed(error))
            }
        case .pausing, .signalling, .spooling:
            bytes.append(contentsOf: new)
        }
        if case .signalling = mode, bytes.count >= Self.mark { isFull = true }
        return (isFull ? .filled : .taken, Actions(waiter: bytes.count < portion ? nil : endWait()))
    }

    mutating func wake() -> Waiter? { hasBytes ? endWait() : nil }

    mutating func finish(_ failure: (any Error)?) -> Actions {
        guard ending == nil else { return Actions() }
        ending = failure.map(Portion.failure) ?? .end
        disconnect()
        return Actions(waiter: endWait())
    }

    /// Drops the unread bytes, and stops the transport.
    mutating func cancel() -> Actions {
        failed(CancellationError())
    }

    private mutating func failed(_ error: any Error) -> Actions {
        // After the end, the transport has already stopped, but the unread bytes are dropped too.
        let stop = ending == nil ? onCancel : nil
        if ending == nil || hasBytes { ending = .failure(error) }
        bytes = Data()
        spool = nil
        disconnect()
        return Actions(waiter: endWait(), call: stop)
    }

    mutating func take() -> (portion: Portion, actions: Actions) {
        let room = Actions(call: isFull ? onRoom : nil)
        isFull = false
        if !bytes.isEmpty {
            defer { bytes = Data() }
            return (.bytes(bytes), room)
        }
        do {
            if let portion = try spool?.next(), !portion.isEmpty { return (.bytes(portion), room) }
        } catch {
            return (.failure(error), failed(error))
        }
        return (ending ?? .nothing, room)
    }

    /// Stores the waiter; returns true if it does not have to wait.
    mutating func wait(_ waiter: Waiter) -> Bool {
        self.waiter = waiter
        return ending != nil || hasBytes
    }

    mutating func endWait() -> Waiter? {
        defer { waiter = nil }
        return waiter
    }

    var failure: (any Error)? {
        if case .failure(let error) = ending { error } else { nil }
    }

    private var hasBytes: Bool { !bytes.isEmpty || spool?.isEmpty == false }

    /// Releases the closures, which may hold the buffer.
    private mutating func disconnect() {
        onRoom = nil
        onCancel = nil
    }
}

extension Result {
    /// The error of a failure; nil for a success.
    var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
