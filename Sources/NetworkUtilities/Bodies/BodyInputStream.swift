/// The input stream in which a `URLRequest` carries a ``BodySource``.
///
/// The request works with any `URLSession`. This library's transports use ``source`` instead: it tells the length, and
/// each attempt opens its own reader. Requests that are sent at the same time by other code share the stream's
/// position.
///
/// Returns exactly the announced number of bytes, or fails with −1. Opening the stream again starts from the first
/// byte. A read waits for nothing but the file system.
package final class BodyInputStream: OnDemandInputStream {
    /// The source of the bytes.
    package let source: any BodySource

    /// The lock that keeps a session from closing the reader on one thread while it reads on another.
    ///
    /// The value is unused; it has a size for the sake of the thread sanitizer (see ``Locked/meet()``).
    private let turn = Locked(0)

    /// Creates a stream that is not open.
    package init(source: any BodySource) {
        self.source = source
        super.init { try CheckedBodySource(source).makeReader() }
    }

    package override func open() { turn.withLock { _ in super.open() } }

    package override func close() { turn.withLock { _ in super.close() } }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        turn.withLock { _ in super.read(buffer, maxLength: len) }
    }
}

/// The input stream in which a `URLRequest` carries a ``SequenceBody``.
///
/// This library's transports use ``body`` instead. With a plain `URLSession`, the stream can be opened once, and a read
/// blocks its thread until the sequence has returned a chunk or ended.
package final class SequenceInputStream: OnDemandInputStream {
    /// The body.
    package let body: SequenceBody

    /// Creates a stream that is not open.
    package init(body: SequenceBody) {
        self.body = body
        super.init {
            guard let reader = body.claim() else { throw BodySourceError.notReplayable }
            reader.begin()
            return BlockingReader(reader)
        }
    }

    private final class BlockingReader: OnDemandReader {
        private let reader: SequenceBodyReader
        let isAtEnd = false

        init(_ reader: SequenceBodyReader) {
            self.reader = reader
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
            do {
                while true {
                    if let count = try reader.read(into: buffer) { return count }
                    let isReady = DispatchSemaphore(value: 0)
                    reader.whenReady { isReady.signal() }
                    isReady.wait()
                }
            } catch let failure as SequenceBodyFailure {
                throw failure.underlying
            }
        }

        func close() { reader.close() }
    }
}

/// One pass over the bytes of an ``OnDemandInputStream``.
protocol OnDemandReader: BodyReader {
    /// Whether the last byte has been read; false if only the next read can tell.
    var isAtEnd: Bool { get }
}

extension CheckedBodySource.Reader: OnDemandReader {}

/// An input stream that is read on demand: no run loop, no delegate call, no shared buffer.
package class OnDemandInputStream: InputStream {
    private enum State {
        case notOpen
        case open(any OnDemandReader)
        case atEnd
        case closed
        case failed(any Error)
    }

    private let makeReader: () throws -> any OnDemandReader
    private let state = Locked(State.notOpen)
    private weak var observer: (any StreamDelegate)?

    init(_ makeReader: @escaping () throws -> any OnDemandReader) {
        self.makeReader = makeReader
        super.init(data: Data())
    }

    package override func open() {
        change { _ in .notOpen }
        do {
            let reader = try makeReader()
            change { _ in .open(reader) }
            if reader.isAtEnd { end(as: .atEnd) }
        } catch {
            change { _ in .failed(error) }
        }
    }

    package override func close() {
        change { state in
            // A failure can still be read after the stream was closed.
            if case .failed = state { state } else { .closed }
        }
    }

    package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
        switch state.withLock({ $0 }) {
        case .open(let reader):
            guard len > 0 else { return 0 }
            do {
                let count = try reader.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: len))
                if count == 0 || reader.isAtEnd { end(as: .atEnd) }
                return count
            } catch {
                end(as: .failed(error))
                return -1
            }
        case .atEnd, .closed: return 0
        case .notOpen, .failed: return -1
        }
    }

    /// Ends a stream, unless it was closed while it was read.
    private func end(as outcome: State) {
        change { state in
            if case .open = state { outcome } else { state }
        }
    }

    /// Changes the state, and closes the reader if the stream is no longer open.
    private func change(_ next: (State) -> State) {
        let closed: (any OnDemandReader)? = state.withLock { state in
            let old = state
            state = next(old)
            guard case .open(let reader) = old else { return nil }
            if case .open = state { return nil }
            return reader
        }
        closed?.close()
    }

    package override var streamStatus: Stream.Status {
        switch state.withLock({ $0 }) {
        case .notOpen: .notOpen
        case .open: .open
        case .atEnd: .atEnd
        case .closed: .closed
        case .failed: .error
        }
    }

    /// The reason why the last `open` or `read` failed.
    package override var streamError: (any Error)? {
        if case .failed(let error) = state.withLock({ $0 }) { error } else { nil }
    }

    /// Also true after a failure: FoundationNetworking treats false as the end, and would send an empty body.
    package override var hasBytesAvailable: Bool {
        [.open, .error].contains(streamStatus)
    }

    /// Returns false: bytes are copied into the buffer that `read` is given.
    package override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        length len: UnsafeMutablePointer<Int>
    ) -> Bool {
        false
    }

    package override var delegate: (any StreamDelegate)? {
        get { observer }
        set { observer = newValue }
    }

    package override func schedule(in aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}

    package override func remove(from aRunLoop: RunLoop, forMode mode: RunLoop.Mode) {}
}

#if canImport(ObjectiveC)
/// The messages that CFNetwork sends to a `CFReadStream`.
///
/// On Apple platforms `InputStream` and `CFReadStream` are bridged, and a subclass receives messages that no header
/// declares. Without these methods the process ends with an unrecognised selector. Returning false means that nothing
/// can be scheduled or called back; CFNetwork then reads without waiting for events, as it does with AFNetworking's
/// `AFMultipartBodyStream`, from which this behaviour is known.
extension OnDemandInputStream {
    package override func property(forKey key: Stream.PropertyKey) -> Any? {
        nil
    }

    package override func setProperty(_ property: Any?, forKey key: Stream.PropertyKey) -> Bool {
        false
    }

    @objc(_scheduleInCFRunLoop:forMode:)
    func scheduleInCFRunLoop(_ runLoop: CFRunLoop?, forMode mode: CFString?) {}

    @objc(_unscheduleFromCFRunLoop:forMode:)
    func unscheduleFromCFRunLoop(_ runLoop: CFRunLoop?, forMode mode: CFString?) {}

    @objc(_setCFClientFlags:callback:context:)
    func setCFClientFlags(
        _ flags: CFOptionFlags,
        callback: CFReadStreamClientCallBack?,
        context: UnsafeMutablePointer<CFStreamClientContext>?
    ) -> Bool {
        false
    }
}
#endif
