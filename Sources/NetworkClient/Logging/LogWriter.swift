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
/// Callers never wait: a descriptor without a reader blocks the thread only. Up to ``defaultCapacity`` bytes wait,
/// besides the records that are being written. Further records are lost, and a line in their place states how many.
///
/// Short records are written together, and a record of up to 4,096 bytes reaches a pipe in one piece.
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
            while let records = next() { RecordBatch(records).put(on: descriptor) }
            if queue.withLock({ $0.isClosed }) { return }
        }
    }

    private func next() -> [String]? {
        queue.withLock { queue in
            guard queue.isBusy else { return nil }
            let records = queue.take()
            if records == nil { work.leave() }
            return records
        }
    }
}

/// The records that wait to be written, in their order, and the number of records lost after them.
struct RecordQueue {
    /// The most bytes of several records that are written together.
    ///
    /// A pipe keeps the bytes of one write together if they are at most this many (`PIPE_BUF`). Otherwise a line that
    /// other code writes to the same pipe may end up inside a record.
    static let maxBatchLength = 4096

    let capacity: Int
    var isClosed = false
    /// Whether the thread is writing, or has been told to.
    private(set) var isBusy = false
    /// The newer records, in their order.
    private var incoming: [String] = []
    /// The older records, the oldest last.
    private var outgoing: [String] = []
    /// The number of bytes of the waiting records.
    private var length = 0
    private var lostCount = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a record, or counts it as lost, and returns whether the thread was idle.
    ///
    /// A record of any length is accepted if no other waits. After a loss, records are lost until half of the capacity
    /// is free, so that one line reports many losses.
    mutating func add(_ record: String) -> Bool {
        defer { isBusy = true }
        let limit = lostCount > 0 ? capacity / 2 : capacity
        if length == 0 || length + Self.length(of: record) <= limit {
            reportLosses()
            append(record)
        } else {
            lostCount += 1
        }
        return !isBusy
    }

    /// Removes and returns the oldest records: as many as may be written together, or one that is longer.
    ///
    /// Returns nil if there are none; the thread then counts as idle.
    mutating func take() -> [String]? {
        if length == 0 { reportLosses() }
        var (records, count) = ([String](), 0)
        while let record = oldest(), records.isEmpty || count + Self.length(of: record) <= Self.maxBatchLength {
            count += Self.length(of: record)
            records.append(record)
            outgoing.removeLast()
        }
        length -= count
        isBusy = !records.isEmpty
        return isBusy ? records : nil
    }

    private mutating func oldest() -> String? {
        if outgoing.isEmpty {
            outgoing = incoming.reversed()
            incoming = []
        }
        return outgoing.last
    }

    private mutating func append(_ record: String) {
        incoming.append(record)
        length += Self.length(of: record)
    }

    private mutating func reportLosses() {
        guard lostCount > 0 else { return }
        append("[NetworkClient] \(lostCount) log records were lost because they were not read in time")
        lostCount = 0
    }

    /// The number of bytes of a record and its line break.
    private static func length(of record: String) -> Int { record.utf8.count + 1 }
}

/// Whole records that are written with one call.
struct RecordBatch {
    private var bytes: [UInt8] = []
    /// The end of each record in the bytes.
    private var ends: [Int] = []

    init(_ records: [String]) {
        for record in records {
            bytes += record.utf8
            bytes.append(0x0A)
            ends.append(bytes.count)
        }
    }

    /// Writes the records.
    ///
    /// If that fails, they are written one by one, and a record that can't be written is dropped: there is nowhere to
    /// report the error.
    func put(on descriptor: Int32) {
        bytes.withUnsafeBytes { bytes in
            var (start, end) = (0, bytes.count)
            while start < bytes.count {
                let rest = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
                let count = write(descriptor, rest.baseAddress, rest.count)
                if count > 0 {
                    start += count
                    if start == end { end = endOfRecord(after: start) }
                } else if errno == EAGAIN {
                    // Another process that shares the descriptor may have made it non-blocking.
                    var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&event, 1, -1)
                } else if errno != EINTR {
                    let isOneRecord = end == endOfRecord(after: start)
                    if isOneRecord { start = end }
                    end = endOfRecord(after: start)
                }
            }
        }
    }

    private func endOfRecord(after index: Int) -> Int {
        ends.first { $0 > index } ?? bytes.count
    }
}
#endif
