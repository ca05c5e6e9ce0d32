package import Foundation

/// A ``SequenceBody`` in the one shape in which a `URLRequest` can carry a stream.
///
/// This library's transports look for ``body`` instead. Any other `URLSession` gets a stream that can be opened once,
/// and whose `read` makes its thread wait until the sequence has given something or ended.
package final class SequenceInputStream: UnscheduledInputStream {
    /// What the stream reads.
    package let body: SequenceBody

    /// Guards the state, and is not held while a `read` waits.
    private let lock = NSLock()
    private var state = State.notOpen

    private enum State {
        case notOpen
        case open(SequenceBodyReader)
        case atEnd
        case closed
        case failed(any Error)
    }

    /// Makes a stream that is not open yet.
    package init(body: SequenceBody) {
        self.body = body
        super.init(data: Data())
    }

    package override func open() {
        lock.lock()
        defer { lock.unlock() }
        guard let reader = body.claim() else {
            end(as: .failed(BodySourceError.notReplayable))
            return
        }
        reader.begin()
        state = .open(reader)
    }

    package override func close() {
        lock.lock()
        defer { lock.unlock() }
        // A failure can still be asked for after the stream was closed.
        if case .failed = state { return }
        end(as: .closed)
    }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        switch current {
        case .open(let reader):
            guard len > 0 else { return 0 }
            return read(from: reader, into: UnsafeMutableRawBufferPointer(start: buffer, count: len))
        case .atEnd, .closed:
            return 0
        case .notOpen, .failed:
            return -1
        }
    }

    private func read(from reader: SequenceBodyReader, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        do {
            while true {
                if let count = try reader.read(into: buffer) {
                    if count == 0 { finish(as: .atEnd) }
                    return count
                }
                let isReady = DispatchSemaphore(value: 0)
                reader.whenReady { isReady.signal() }
                isReady.wait()
            }
        } catch {
            finish(as: .failed((error as? SequenceBodyFailure)?.underlying ?? error))
            return -1
        }
    }

    /// A stream that was closed while it was read stays closed.
    private func finish(as final: State) {
        lock.lock()
        defer { lock.unlock() }
        if case .open = state { end(as: final) }
    }

    private func end(as final: State) {
        if case .open(let reader) = state { reader.close() }
        state = final
    }

    private var current: State {
        lock.lock()
        defer { lock.unlock() }
        return state
    }

    package override var streamStatus: Stream.Status {
        switch current {
        case .notOpen: .notOpen
        case .open: .open
        case .atEnd: .atEnd
        case .closed: .closed
        case .failed: .error
        }
    }

    /// Why the last `open` or `read` failed.
    package override var streamError: (any Error)? {
        if case .failed(let error) = current { return error }
        return nil
    }
}
