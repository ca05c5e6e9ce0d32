import Foundation
import NetworkUtilities

/// A caller's `InputStream` as a request body whose length the request states.
///
/// It can be sent once. Sending fails if the stream has fewer or more bytes than the stated length.
struct StreamBody: BodySource {
    let length: Int
    private let reader: Locked<StreamBodyReader?>

    init(_ stream: sending InputStream, length: Int) {
        self.length = length
        reader = Locked(StreamBodyReader(stream, length: length))
    }

    func open() throws -> any BodyReader {
        let reader: StreamBodyReader? = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        guard let reader else { throw TransportError(.bodyNotReplayable) }
        reader.open()
        return reader
    }
}

/// The one pass over a caller's stream.
///
/// It reads one byte beyond the stated length, since a server would take further bytes for another request.
private final class StreamBodyReader: BodyReader {
    private let stream: InputStream
    private var remaining: Int
    /// The stated length; `.max` if there is none.
    private let length: Int

    init(_ stream: InputStream, length: Int) {
        self.stream = stream
        self.length = length
        remaining = length
    }

    func open() {
        stream.open()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        let space = min(buffer.count, remaining)
        let count = stream.read(start.assumingMemoryBound(to: UInt8.self), maxLength: space)
        guard count >= 0, count <= space else { throw TransportError(.bodyUnreadable) }
        if count == 0, remaining > 0, length != .max { throw failure("fewer") }
        remaining -= count
        if remaining == 0, hasMore() { throw failure("more") }
        return count
    }

    func close() {
        stream.close()
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
/// other exchanges of an engine.
struct StreamChunks: AsyncSequence, Sendable {
    typealias Element = Data

    /// Marks the errors of the stream, to tell them from those of a caller's own sequence.
    private struct StreamFailure: Error {
        let underlying: any Error
    }

    /// Returns the stream's error if an error comes from here.
    static func cause(of error: any Error) -> (any Error)? { (error as? StreamFailure)?.underlying }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let stream: Stream

        mutating func next() async throws -> Data? { try await stream.next() }
    }

    private let stream: Stream

    /// Creates a sequence of exactly `length` bytes, or of all bytes if that is `.max`.
    init(_ stream: sending InputStream, length: Int) {
        self.stream = Stream(StreamBodyReader(stream, length: length))
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(stream: stream) }

    /// The stream and its queue; the lock is only taken on the queue.
    fileprivate final class Stream: Sendable {
        private struct State {
            let reader: StreamBodyReader
            var isOpen = false
        }

        private let queue = DispatchQueue(label: "NetworkClient.StreamChunks")
        private let state: Locked<State>

        init(_ reader: sending StreamBodyReader) {
            state = Locked(State(reader: reader))
        }

        deinit {
            queue.async { [state] in
                state.withLock { if $0.isOpen { $0.reader.close() } }
            }
        }

        func next() async throws -> Data? {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [state] in
                    continuation.resume(with: Result { try state.withLock { try Self.read(&$0) } })
                }
            }
        }

        private static func read(_ state: inout State) throws -> Data? {
            if !state.isOpen { state.reader.open() }
            state.isOpen = true
            var chunk = Data(count: portion)
            do {
                let count = try chunk.withUnsafeMutableBytes { try state.reader.read(into: $0) }
                return count == 0 ? nil : chunk.prefix(count)
            } catch {
                throw StreamFailure(underlying: error)
            }
        }

        private static let portion = 1 << 16
    }
}

/// The body streams that were given to a transport: a stream can be sent once.
enum ClaimedStreams {
    private struct Claim {
        weak var stream: InputStream?
    }

    private struct State {
        var claims: [ObjectIdentifier: Claim] = [:]
        /// The number of claims at which those of released streams are removed: looking at all claims for each new
        /// stream would take quadratic time.
        var sweepCount = 64

        mutating func sweep() {
            guard claims.count >= sweepCount else { return }
            claims = claims.filter { $0.value.stream != nil }
            sweepCount = max(64, 2 * claims.count)
        }
    }

    private static let state = Locked(State())

    /// Claims a stream; false if it was claimed before, or was opened.
    static func claim(_ stream: InputStream) -> Bool {
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
