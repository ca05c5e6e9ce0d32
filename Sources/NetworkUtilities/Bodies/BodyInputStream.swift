package import Foundation

/// A ``BodySource`` in the one shape in which a `URLRequest` can carry a stream.
///
/// The request works with any `URLSession`. This library's transports look for ``source`` instead: from it they know
/// the length, and open a reader of their own for each attempt. A stream has one position, which requests that are sent
/// at the same time by something that does not know ``source`` would share.
///
/// The stream gives exactly as many bytes as the source announces, or fails with −1. Opening it again starts from the
/// first byte. Reading never waits for anything but the file system, and no delegate is ever called.
package final class BodyInputStream: UnscheduledInputStream {
    /// What the stream reads.
    package let source: any BodySource

    /// Guards the state, since a session may open a stream on one thread and read it on another.
    private let lock = NSLock()
    private var state = State.notOpen

    private enum State {
        case notOpen
        case open(any BodyReader, remaining: Int)
        case atEnd
        case closed
        case failed(any Error)
    }

    /// Makes a stream that is not open yet.
    package init(source: any BodySource) {
        self.source = source
        super.init(data: Data())
    }

    package override func open() {
        lock.lock()
        defer { lock.unlock() }
        closeReader()
        do {
            let length = source.length
            guard length >= 0 else { throw BodySourceError.invalidLength(length) }
            state = .open(try source.open(), remaining: length)
            if length == 0 { end(as: .atEnd) }
        } catch {
            state = .failed(error)
        }
    }

    package override func close() {
        lock.lock()
        defer { lock.unlock() }
        // A failure can still be asked for after the stream was closed.
        if case .failed = state { return }
        end(as: .closed)
    }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        lock.lock()
        defer { lock.unlock() }
        switch state {
        case .open(let reader, let remaining):
            guard len > 0 else { return 0 }
            let space = UnsafeMutableRawBufferPointer(start: buffer, count: min(len, remaining))
            return read(from: reader, remaining: remaining, into: space)
        case .atEnd, .closed:
            return 0
        case .notOpen, .failed:
            return -1
        }
    }

    private func read(from reader: any BodyReader, remaining: Int, into space: UnsafeMutableRawBufferPointer) -> Int {
        do {
            let count = try reader.checkedRead(into: space)
            guard count > 0 else {
                throw BodySourceError.endedEarly(
                    expectedLength: source.length,
                    actualLength: source.length - remaining
                )
            }
            state = .open(reader, remaining: remaining - count)
            if count == remaining { end(as: .atEnd) }
            return count
        } catch {
            end(as: .failed(error))
            return -1
        }
    }

    private func end(as final: State) {
        closeReader()
        state = final
    }

    private func closeReader() {
        if case .open(let reader, _) = state { reader.close() }
    }

    package override var streamStatus: Stream.Status {
        lock.lock()
        defer { lock.unlock() }
        return switch state {
        case .notOpen: .notOpen
        case .open: .open
        case .atEnd: .atEnd
        case .closed: .closed
        case .failed: .error
        }
    }

    /// Why the last `open` or `read` failed.
    package override var streamError: (any Error)? {
        lock.lock()
        defer { lock.unlock() }
        if case .failed(let error) = state { return error }
        return nil
    }
}
