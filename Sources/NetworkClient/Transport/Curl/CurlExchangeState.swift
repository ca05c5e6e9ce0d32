#if canImport(CCurl)
import Foundation
import NetworkUtilities

/// The life of one exchange: takes an event, returns what is to be done, and does nothing itself.
///
/// It ends once, whatever comes first; everything after that is ignored.
struct CurlExchangeState {
    typealias Continuation = CheckedContinuation<CurlAnswer, any Error>

    /// Whom to tell how it ended, after the lock is released.
    struct Resumption {
        let continuation: Continuation
        let result: Result<CurlAnswer, any Error>

        func perform() { continuation.resume(with: result) }
    }

    private let bodyLimit: Int
    private let source: (any BodySource)?
    private var reader: (any BodyReader)?
    private var continuation: Continuation?
    private var outcome: Result<CurlAnswer, any Error>?
    private var head = ResponseHeadLines()
    private var body = Data()
    /// What one of the callbacks found wrong, for which libcurl only knows that it was told to stop.
    private(set) var failure: (any Error)?

    /// When a byte moved last, in nanoseconds.
    var lastActivity: UInt64 = 0

    var isOver: Bool { outcome != nil }

    init(bodyLimit: Int, source: (any BodySource)?) {
        self.bodyLimit = bodyLimit
        self.source = source
    }

    mutating func began(_ continuation: Continuation) -> Resumption? {
        if let outcome { return Resumption(continuation: continuation, result: outcome) }
        self.continuation = continuation
        return nil
    }

    /// A line of the head, or a trailer.
    mutating func receivedHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard !isOver else { return false }
        head.append(line)
        return true
    }

    /// Bytes of the body, after content decoding.
    mutating func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard !isOver else { return false }
        guard bytes.count <= bodyLimit - body.count else {
            failure = CurlFailure.bodyTooLarge(limit: bodyLimit)
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// The next bytes of the request's body; nil if they cannot be had.
    mutating func send(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        guard !isOver else { return nil }
        do {
            if reader == nil { reader = try source?.open() }
            return try reader?.read(into: buffer) ?? 0
        } catch {
            failure = error
            return nil
        }
    }

    /// Begins the request's body again, for a connection that turned out to be dead.
    mutating func rewind() -> Bool {
        reader?.close()
        reader = nil
        return !isOver && source != nil
    }

    mutating func failed(_ error: any Error) -> Resumption? { end(.failure(error)) }

    /// The transfer ended without an error of libcurl's, which does not mind a head that breaks off.
    mutating func completed() -> Resumption? {
        guard head.isComplete else { return end(.failure(CurlFailure.incompleteHead)) }
        return end(.success(CurlAnswer(head: head, body: body)))
    }

    private mutating func end(_ result: Result<CurlAnswer, any Error>) -> Resumption? {
        guard !isOver else { return nil }
        outcome = result
        body = Data()
        reader?.close()
        reader = nil
        defer { continuation = nil }
        return continuation.map { Resumption(continuation: $0, result: result) }
    }
}
#endif
