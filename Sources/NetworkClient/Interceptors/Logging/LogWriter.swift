#if !canImport(os)
import Dispatch
import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Writes records to a descriptor, one after another, on a thread of its own.
///
/// Callers never wait: a descriptor that nobody reads stops the thread and no call. Up to ``defaultCapacity`` bytes
/// wait to be written; what does not fit is lost, and a line in its place says how many records that were.
final class LogWriter: Sendable {
    /// One mebibyte, thousands of lines: a reader that is slow for a moment misses nothing.
    static let defaultCapacity = 1 << 20

    /// To standard error; written to its end when the process exits, if the reader takes it within half a second.
    static let standardError: LogWriter = {
        atexit { LogWriter.standardError.flush(seconds: 0.5) }
        return LogWriter(FileHandle.standardError.fileDescriptor)
    }()

    private let loop: Loop

    /// Makes a writer to a descriptor, which stays open until the writer is gone and has written everything.
    init(_ descriptor: Int32, capacity: Int = defaultCapacity) {
        loop = Loop(descriptor, capacity: capacity)
        let thread = Thread { [loop] in loop.run() }
        thread.name = "NetworkClient.Log"
        thread.start()
    }

    deinit {
        loop.close()
    }

    /// Has a record written, or counts it as lost if too much is waiting.
    func write(_ record: String) {
        loop.add(Array(record.utf8) + [0x0A])
    }

    /// Waits until everything has been written, or so many seconds have passed.
    func flush(seconds: Double) {
        loop.flush(seconds: seconds)
    }
}

/// What the thread of a writer does, apart from the writer, so that the writer can go.
private final class Loop: Sendable {
    private let descriptor: Int32
    private let queue: Locked<RecordQueue>
    private let news = DispatchSemaphore(value: 0)
    /// Entered while something is left to be written.
    private let work = DispatchGroup()

    init(_ descriptor: Int32, capacity: Int) {
        self.descriptor = descriptor
        queue = Locked(RecordQueue(capacity: capacity))
    }

    func add(_ record: [UInt8]) {
        // Entered under the lock, since the thread leaves as soon as it finds nothing.
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
        // A write to a closed pipe raises SIGPIPE in the thread that writes. Blocked, it leaves an error code.
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

    /// Writes a whole record; gives it up if the descriptor cannot be written, since nobody is left to tell.
    private func put(_ record: [UInt8]) {
        record.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // A process that shares the descriptor may have made it non-blocking.
                    var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&event, 1, -1)
                } else if errno != EINTR {
                    return
                }
            }
        }
    }
}

/// The records that wait, in their order, and how many were lost after them.
struct RecordQueue {
    let capacity: Int
    var isClosed = false
    /// Whether the thread has something to do, or does it.
    private(set) var isBusy = false
    private var waiting: [[UInt8]] = []
    private var taken = 0
    private var bytes = 0
    private var lostCount = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Takes a record, or counts it as lost; true if the thread was idle.
    mutating func add(_ record: [UInt8]) -> Bool {
        let isFirst = !isBusy
        isBusy = true
        // After a loss the queue has to become half empty first, so that losses are counted in few lines.
        guard bytes == 0 || bytes + record.count <= (lostCount > 0 ? capacity / 2 : capacity) else {
            lostCount += 1
            return isFirst
        }
        if lostCount > 0 { append(takeNote()) }
        append(record)
        return isFirst
    }

    /// The next record to be written; nil if there is none, and the thread is idle from then on.
    mutating func next() -> [UInt8]? {
        guard taken < waiting.count else {
            waiting = []
            taken = 0
            isBusy = lostCount > 0
            return isBusy ? takeNote() : nil
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

    private mutating func takeNote() -> [UInt8] {
        defer { lostCount = 0 }
        return Array("[NetworkClient] \(lostCount) log records were lost, since nobody read them in time\n".utf8)
    }
}
#endif
