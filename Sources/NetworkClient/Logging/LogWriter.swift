#if !canImport(os)
import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes records to a descriptor, one after another, on a separate thread.
///
/// Callers never wait: a descriptor without a reader blocks the thread only. Up to ``defaultCapacity`` bytes wait to be
/// written. Further records are lost, and a line in their place states how many.
final class LogWriter: Sendable {
    /// One mebibyte, or thousands of lines, so that a reader that stalls briefly misses nothing.
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
        loop.add(Array(record.utf8) + [0x0A])
    }

    /// Waits until everything has been written, at most for the number of seconds.
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
    private let news = DispatchSemaphore(value: 0)
    /// A group that is entered while there are records to write.
    private let work = DispatchGroup()

    init(_ descriptor: Int32, capacity: Int) {
        self.descriptor = descriptor
        queue = Locked(RecordQueue(capacity: capacity))
    }

    func add(_ record: [UInt8]) {
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
        // Writing to a closed pipe raises SIGPIPE in the writing thread. With the signal blocked, `write` fails
        // instead.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while true {
            news.wait()
            while let record = next() { put(record) }
            if queue.withLock({ $0.isClosed }) { return }
        }
    }

    private func next() -> [UInt8]? {
        queue.withLock { queue in
            guard queue.isBusy else { return nil }
            let record = queue.next()
            if record == nil { work.leave() }
            return record
        }
    }

    /// Writes a whole record, or drops it if the descriptor can't be written: there is nowhere to report the error.
    private func put(_ record: [UInt8]) {
        record.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // Another process that shares the descriptor may have made it non-blocking.
                    var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&event, 1, -1)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}

/// The records that wait to be written, in their order, and the number of records lost after them.
struct RecordQueue {
    let capacity: Int
    var isClosed = false
    /// Whether the thread is writing, or has been told to.
    private(set) var isBusy = false
    private var waiting: [[UInt8]] = []
    private var taken = 0
    private var bytes = 0
    private var lostCount = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a record, or counts it as lost.
    ///
    /// Returns whether the thread was idle.
    mutating func add(_ record: [UInt8]) -> Bool {
        let isFirst = !isBusy
        isBusy = true
        // After a loss, wait until the queue is half empty, so that one line reports many losses.
        guard bytes == 0 || bytes + record.count <= (lostCount > 0 ? capacity / 2 : capacity) else {
            lostCount += 1
            return isFirst
        }
        if lostCount > 0 { append(takeLossRecord()) }
        append(record)
        return isFirst
    }

    /// Removes and returns the next record to write; nil if there is none; the thread then counts as idle.
    mutating func next() -> [UInt8]? {
        guard taken < waiting.count else {
            waiting = []
            taken = 0
            isBusy = lostCount > 0
            return isBusy ? takeLossRecord() : nil
        }
        defer {
            bytes -= waiting[taken].count
            waiting[taken] = []
            taken += 1
            if taken > 1024, taken > waiting.count / 2 {
                waiting.removeFirst(taken)
                taken = 0
            }
        }
        return waiting[taken]
    }

    private mutating func append(_ record: [UInt8]) {
        waiting.append(record)
        bytes += record.count
    }

    private mutating func takeLossRecord() -> [UInt8] {
        defer { lostCount = 0 }
        return Array("[NetworkClient] \(lostCount) log records were lost because they were not read in time\n".utf8)
    }
}
#endif
