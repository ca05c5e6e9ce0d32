/// Where the body of an accepted response goes.
enum BodyDestination: Sendable {
    /// Into memory, complete before interceptors see the response.
    case memory
    /// To the caller, who reads it after the call has returned.
    case caller
    /// To a writer, which consumes it before interceptors see the response: a failure while it is read fails the
    /// attempt.
    case writer(any BodyWriter)
    /// None: the exchange opens a WebSocket, with which the call ends.
    case socket(WebSocketOpening)

    /// Returns the destination with a writer that reports the progress of a body for the memory.
    func reporting(to board: ProgressBoard?, limit: Int, _ limitName: String) -> BodyDestination {
        guard let board, case .memory = self else { return self }
        return .writer(CollectingBodyWriter(board: board, limit: limit, limitName: limitName))
    }

    var isStreamed: Bool {
        if case .memory = self { return false }
        return true
    }

    /// Whether the call is a transfer: its caller waits for the head or for a file, and not for a value.
    var isTransfer: Bool {
        switch self {
        case .memory: false
        case .caller, .socket: true
        case .writer(let writer): writer.isTransfer
        }
    }

    var writer: (any BodyWriter)? {
        if case .writer(let writer) = self { return writer }
        return nil
    }

    var opening: WebSocketOpening? {
        if case .socket(let opening) = self { return opening }
        return nil
    }
}

/// Consumes the bodies of accepted responses as they are received.
protocol BodyWriter: Sendable {
    /// Makes the writer ready, before a request is sent; a later call does nothing.
    func open() async throws

    /// Returns the request as it is to be sent, which may ask for only a part of the body.
    func prepare(_ request: URLRequest) -> URLRequest

    /// Returns whether the writer asked for a response with this head, which is then accepted whatever its status.
    func accepts(_ head: ResponseHead) -> Bool

    /// Whether the body may have any length and take any time, so that the time limits of interceptors end with its
    /// head.
    var isTransfer: Bool { get }

    /// The maximum number of bytes kept of the body of a response that is not accepted.
    var errorLimit: Int { get }

    /// Consumes the body of an accepted response, and returns the response with the bytes for interceptors and caller.
    ///
    /// The request is as the interceptors left it; `exchange` sends further requests, for bytes that are missing.
    func write(
        _ response: TransportResponse,
        to request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse
}

/// Collects the body of a response in memory and reports how many bytes were received.
struct CollectingBodyWriter: BodyWriter {
    let board: ProgressBoard
    /// The maximum number of bytes of the body.
    let limit: Int
    let limitName: String

    var isTransfer: Bool { false }

    /// The body of an error is kept up to the body limit, as in a call without progress.
    var errorLimit: Int { limit }

    func open() {}

    func prepare(_ request: URLRequest) -> URLRequest { request }

    func accepts(_ head: ResponseHead) -> Bool { false }

    func write(
        _ response: TransportResponse,
        to request: URLRequest,
        _ exchange: (URLRequest) async throws -> TransportResponse
    ) async throws -> TransportResponse {
        board.begin(total: response.head.bodyLength(of: request))
        let (data, isCut) = try await response.body.channel.collect(limit: limit) { board.advance(to: $0) }
        guard !isCut else { throw TransportError(tooLargeBody: limit, limitName, request: request) }
        return TransportResponse(head: response.head, body: .whole(data))
    }
}

/// A streamed body that fails once it is longer than the limit of its call.
final class LimitedBody: BodyChannel {
    private let channel: any BodyChannel
    private let limit: Int
    private let request: URLRequest
    private let count = Locked(0)

    init(_ channel: any BodyChannel, to limit: Int, _ request: URLRequest) {
        (self.channel, self.limit, self.request) = (channel, limit, request)
    }

    func next() async throws -> Data? {
        guard let chunk = try await channel.next() else { return nil }
        let total = count.withLock { count in
            count += chunk.count
            return count
        }
        guard total <= limit else {
            cancel()
            throw TransportError(tooLargeBody: limit, "bodyLimit", request: request)
        }
        return chunk
    }

    func cancel() { channel.cancel() }
}
