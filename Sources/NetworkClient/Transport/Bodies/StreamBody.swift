/// A caller's `InputStream` as a request body whose length the request states.
///
/// It can be sent once. Sending fails if the stream has fewer or more bytes than the stated length.
struct StreamBody: BodySource {
    let length: Int
    private let reader: Locked<StreamBodyReader?>

    package init(_ stream: sending InputStream, length: Int) {
        self.length = length
        reader = Locked(StreamBodyReader(stream, length: length))
    }

    func open() throws -> any BodyReader {
        let reader: StreamBodyReader? = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        guard let reader else { throw TransportError(.bodyNotReplayable) }
        return reader
    }
}

/// The one pass over a caller's stream.
///
/// After the stated length, which may be 0, the reader checks that the stream is at its end: a server would take
/// additional bytes for another request. The reader never reads into an empty buffer, since a custom stream class may
/// then fail, or wait for bytes.
private final class StreamBodyReader: BodyReader {
    private let stream: InputStream
    private var remaining: Int
    /// The stated length; `.max` if there is none.
    private let length: Int
    private var isOpen = false
    /// Whether the stream has ended at the stated length, so that it isn't read any more.
    private var isAtEnd = false

    init(_ stream: InputStream, length: Int) {
        self.stream = stream
        self.length = length
        remaining = length
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let start = buffer.baseAddress, !isAtEnd else { return 0 }
        if !isOpen { stream.open() }
        isOpen = true
        let space = min(buffer.count, remaining)
        let count = space == 0 ? 0 : stream.read(start.assumingMemoryBound(to: UInt8.self), maxLength: space)
        guard count >= 0, count <= space else { throw TransportError(.bodyUnreadable) }
        if count == 0, remaining > 0, length != .max { throw failure("fewer") }
        remaining -= count
        if remaining == 0 {
            guard !hasMore() else { throw failure("more") }
            isAtEnd = true
        }
        return count
    }

    func close() {
        if isOpen { stream.close() }
    }

    private func hasMore() -> Bool {
        var byte: UInt8 = 0
        return stream.hasBytesAvailable && stream.read(&byte, maxLength: 1) > 0
    }

    private func failure(_ comparison: String) -> TransportError {
        let detail = "its body stream has \(comparison) than the \(length) bytes that 'Content-Length' states"
        return TransportError(.bodyUnreadable, detail: detail)
    }
}

/// The bytes of a caller's stream as an asynchronous sequence, read on its own queue.
///
/// Reading such a stream may block, on the other end of a pair of streams or on a slow disk, and must not delay the
/// engine's other exchanges.
package struct StreamChunks: AsyncSequence, Sendable {
    package typealias Element = Data

    /// Marks errors of the stream, to distinguish them from errors of a caller's own sequence.
    private struct StreamFailure: Error {
        let underlying: any Error
    }

    /// Returns the stream's own error; nil if the error is not a `StreamFailure`.
    static func cause(of error: any Error) -> (any Error)? { (error as? StreamFailure)?.underlying }

    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: Stream

        package mutating func next() async throws -> Data? { try await stream.next() }
    }

    private let stream: Stream

    /// Creates a sequence of exactly `length` bytes, or of all bytes if `length` is `.max`.
    package init(_ stream: sending InputStream, length: Int) {
        self.stream = Stream(StreamBodyReader(stream, length: length))
    }

    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: stream) }

    /// The stream, and the queue that alone uses it.
    fileprivate final class Stream: Sendable {
        private let queue = DispatchQueue(label: "NetworkClient.StreamChunks")
        private let reader: Locked<StreamBodyReader>

        init(_ reader: sending StreamBodyReader) {
            self.reader = Locked(reader)
        }

        deinit {
            queue.async { [reader] in reader.withLock { $0.close() } }
        }

        func next() async throws -> Data? {
            defer { reader.meet() }
            return try await withCheckedThrowingContinuation { continuation in
                queue.async { [reader] in
                    continuation.resume(with: Result { try reader.withLock { try Self.read($0) } })
                }
            }
        }

        private static func read(_ reader: StreamBodyReader) throws -> Data? {
            var chunk = Data(count: portion)
            do {
                let count = try chunk.withUnsafeMutableBytes { try reader.read(into: $0) }
                return count == 0 ? nil : chunk.prefix(count)
            } catch {
                throw StreamFailure(underlying: error)
            }
        }

        private static let portion = 1 << 16
    }
}

/// The body streams that were passed to a transport: a stream can be sent only once.
package enum ClaimedStreams {
    private struct Claim {
        weak var stream: InputStream?
    }

    private struct State {
        var claims: [ObjectIdentifier: Claim] = [:]
        /// The number of claims at which the claims of released streams are removed.
        ///
        /// Checking all claims for each new stream would take quadratic time.
        var sweepCount = 64

        mutating func sweep() {
            guard claims.count >= sweepCount else { return }
            claims = claims.filter { $0.value.stream != nil }
            sweepCount = max(64, 2 * claims.count)
        }
    }

    private static let state = Locked(State())

    /// Claims a stream; returns false if it was claimed or opened before.
    package static func claim(_ stream: InputStream) -> Bool {
        state.withLock { state in
            state.sweep()
            // A released stream may have had the same address.
            let isClaimed = state.claims[ObjectIdentifier(stream)]?.stream != nil
            guard !isClaimed, stream.streamStatus == .notOpen else { return false }
            state.claims[ObjectIdentifier(stream)] = Claim(stream: stream)
            return true
        }
    }
}

extension TransportError {
    /// Creates the failure of a request whose body could not be read to its end.
    ///
    /// If the error is a `TransportError`, it explains the failure itself and its reason is kept, unless the caller's
    /// sequence passed it on from another exchange.
    package init(unreadableBody error: any Swift.Error, request: URLRequest? = nil) {
        var error = error
        if let failure = error as? SequenceBodyFailure {
            guard let underlying = StreamChunks.cause(of: failure.underlying) else {
                self.init(.bodyUnreadable, request: request, underlying: failure.underlying)
                return
            }
            error = underlying
        }
        let own = error as? TransportError
        let detail: String? =
            switch error {
            case let error as BodySourceError: "its body could not be read: \(error.reason)"
            case let error as MultipartFormFilePart.Error: error.clause
            default: own?.detail
            }
        self.init(own?.reason ?? .bodyUnreadable, request: request, detail: detail, underlying: error)
        passedLimit = own?.passedLimit
    }
}
