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
        loop.add(record)
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
        // Writing to a closed pipe raises SIGPIPE in the writing thread. With the signal blocked, `write` fails
        // instead.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        while true {
            news.wait()
            while let records = next() { put(records) }
            if queue.withLock({ $0.isClosed }) { return }
        }
    }

    private func next() -> [UInt8]? {
        queue.withLock { queue in
            guard queue.isBusy else { return nil }
            let records = queue.take()
            if records == nil { work.leave() }
            return records
        }
    }

    /// Writes whole records, or drops them if the descriptor can't be written: there is nowhere to report the error.
    private func put(_ records: [UInt8]) {
        records.withUnsafeBytes { bytes in
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
    private var waiting: [UInt8] = []
    private var lostCount = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a record, or counts it as lost, and returns whether the thread was idle.
    ///
    /// After a loss, all records are lost until the thread takes the waiting ones, so that one line reports the losses.
    mutating func add(_ record: String) -> Bool {
        defer { isBusy = true }
        if waiting.isEmpty || lostCount == 0 && waiting.count + record.utf8.count < capacity {
            waiting += record.utf8
            waiting.append(0x0A)
        } else {
            lostCount += 1
        }
        return !isBusy
    }

    /// Removes and returns the waiting records; nil if there are none, after which the thread counts as idle.
    mutating func take() -> [UInt8]? {
        isBusy = !waiting.isEmpty
        guard isBusy else { return nil }
        if lostCount > 0 {
            waiting += "[NetworkClient] \(lostCount) log records were lost because they were not read in time\n".utf8
        }
        lostCount = 0
        defer { waiting = [] }
        return waiting
    }
}
#endif
