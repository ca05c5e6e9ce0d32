#if !canImport(os)
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The records that wait to be written, in their order, and the number of records lost after them.
struct RecordQueue {
    let capacity: Int
    var isClosed = false
    /// The number of bytes that were taken and are not written yet.
    private var unwritten = 0
    /// Whether the thread is writing, or has been signalled to write.
    private(set) var isBusy = false
    private var waiting = RecordBatch()
    private var lostCount = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// Adds a record, or counts it as lost, and returns whether the thread was idle.
    ///
    /// A record of any length is accepted if no other record waits. After a loss, records are lost until half of the
    /// capacity is free, so that one line reports many losses.
    mutating func add(_ record: String) -> Bool {
        defer { isBusy = true }
        let length = unwritten + waiting.length
        if length == 0 || length + record.utf8.count < (lostCount > 0 ? capacity / 2 : capacity) {
            reportLosses()
            waiting.append(record)
        } else {
            lostCount += 1
        }
        return !isBusy
    }

    /// Removes and returns all records.
    ///
    /// If there are none, returns nil, and the next record has to wake the thread.
    mutating func take() -> RecordBatch? {
        if waiting.length == 0 { reportLosses() }
        unwritten = waiting.length
        isBusy = unwritten > 0
        defer { waiting = RecordBatch() }
        return isBusy ? waiting : nil
    }

    /// Notes that some of the bytes that were taken are written.
    mutating func wrote(_ count: Int) {
        unwritten -= count
    }

    private mutating func reportLosses() {
        guard lostCount > 0 else { return }
        waiting.append("[NetworkClient] \(lostCount) log records were lost because they were not read in time")
        lostCount = 0
    }
}

/// Records, each with a line break at its end.
struct RecordBatch {
    /// The maximum number of bytes of several records that are written together.
    ///
    /// A pipe keeps the bytes of one write together if they are at most this many (`PIPE_BUF`). Otherwise a line that
    /// other code writes to the same pipe may end up inside a record.
    private static let maxPieceLength = 4096

    private(set) var bytes: [UInt8] = []
    /// The end of each record in the bytes.
    private var ends: [Int] = []

    init(_ records: [String] = []) {
        for record in records { append(record) }
    }

    /// The number of bytes.
    var length: Int { bytes.count }

    mutating func append(_ record: String) {
        bytes += record.utf8
        bytes.append(0x0A)
        ends.append(bytes.count)
    }

    /// Writes the records, and calls `onProgress` with the number of bytes after each step.
    ///
    /// If records can't be written together, they are written one by one, and one that can't be written alone is
    /// dropped: there is nowhere to report the error.
    func put(on descriptor: Int32, onProgress: (Int) -> Void = { _ in }) {
        var (start, record) = (0, 0)
        // The end of the last group of records that could not be written together.
        var refusedEnd = 0
        while record < ends.count {
            let end = start < refusedEnd ? ends[record] : endOfPiece(from: start, record)
            var stop = put(start..<end, on: descriptor)
            if stop < end {
                refusedEnd = max(refusedEnd, end)
                if end == ends[record] { stop = end }
            }
            onProgress(stop - start)
            start = stop
            while record < ends.count, ends[record] <= start { record += 1 }
        }
    }

    /// Returns the end of the last record that may be written together with the record at an index.
    private func endOfPiece(from start: Int, _ record: Int) -> Int {
        ends[(record + 1)...].prefix { $0 - start <= Self.maxPieceLength }.last ?? ends[record]
    }

    /// Writes bytes until the descriptor refuses them, and returns where it stopped.
    private func put(_ range: Range<Int>, on descriptor: Int32) -> Int {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[range]
            while !rest.isEmpty {
                let count = write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EAGAIN {
                    // Another process that shares the descriptor may have made it non-blocking.
                    var event = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&event, 1, -1)
                } else if errno != EINTR {
                    break
                }
            }
            return rest.startIndex
        }
    }
}
#endif
