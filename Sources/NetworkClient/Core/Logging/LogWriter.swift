#if !canImport(os)
import Dispatch

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Writes records to a descriptor, one after another, on a separate thread.
///
/// Callers never wait: a descriptor without a reader blocks the thread only. Up to ``defaultCapacity`` bytes wait to be
/// written. Further records are lost, and a line in their place states how many.
///
/// Short records are written together, and a record of up to 4,096 bytes reaches a pipe in one piece.
final class LogWriter: Sendable {
    /// One mebibyte, thousands of lines, so that a reader that stalls briefly loses no record.
    static let defaultCapacity = 1 << 20

    /// The writer to standard error.
    ///
    /// On exit the process waits at most half a second for the remaining records.
    static let standardError: LogWriter = {
        atexit { LogWriter.standardError.flush(seconds: 0.5) }
        return LogWriter(FileHandle.standardError.fileDescriptor)
    }()

    private let loop: Loop

    /// Creates a writer.
    ///
    /// The descriptor must stay open until the writer is released and has written everything.
    init(_ descriptor: Int32, capacity: Int = defaultCapacity) {
        loop = Loop(descriptor, capacity: capacity)
        let thread = Thread { [loop] in loop.run() }
        thread.name = "NetworkClient.Log"
        thread.start()
    }

    deinit {
        loop.close()
    }

    /// Enqueues a record, or counts it as lost if the queue is full.
    func write(_ record: String) {
        loop.add(record)
    }

    /// Waits until everything has been written, at most for this number of seconds.
    func flush(seconds: Double) {
        loop.flush(seconds: seconds)
    }
}

/// The work of a writer's thread.
///
/// A separate object, so that the thread does not retain the writer.
private final class Loop: Sendable {
    private let descriptor: Int32
    private let queue: Locked<RecordQueue>
    /// Wakes the thread.
    private let news = DispatchSemaphore(value: 0)
    /// Entered while there are records to write.
    private let work = DispatchGroup()

    init(_ descriptor: Int32, capacity: Int) {
        self.descriptor = descriptor
        queue = Locked(RecordQueue(capacity: capacity))
    }

    func add(_ record: String) {
        // Enter the group under the lock: the thread leaves it as soon as the queue is empty.
        let isFirst = queue.withLock { queue in
            let isFirst = queue.add(record)
            if isFirst { work.enter() }
            return isFirst
        }
        if isFirst { news.signal() }
    }

    func close() {
        queue.withLock { $0.isClosed = true }
        news.signal()
    }

    func flush(seconds: Double) {
        _ = work.wait(timeout: .now() + seconds)
    }

    func run() {
        // Writing to a closed pipe raises SIGPIPE in the writing thread. If the signal is blocked, `write` only fails.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while true {
            news.wait()
            while let batch = next() {
                batch.put(on: descriptor) { count in queue.withLock { $0.wrote(count) } }
            }
            if queue.withLock({ $0.isClosed }) { return }
        }
    }

    private func next() -> RecordBatch? {
        queue.withLock { queue in
            guard queue.isBusy else { return nil }
            let batch = queue.take()
            if batch == nil { work.leave() }
            return batch
        }
    }
}
#endif
