/// Sends one request to a server and returns its response.
///
/// Use ``URLSessionTransport``, on Linux `CurlTransport`, and in tests `StubTransport` of NetworkClientTesting. A
/// transport makes exactly one exchange: it follows no redirect, retries nothing, and accepts any status. To look at or
/// change requests and responses, write an interceptor instead; a transport is another way to send them.
/// ``InterceptorProtocol`` has a table of which seam is for what.
///
/// A transport around another one may read bodies: ``TransportResponse/observingBody(_:)``,
/// ``TransportResponse/Body-swift.struct/chunks-swift.property``.
///
/// To write a transport, implement ``send(_:options:)``. It must return promptly when the task is cancelled, with
/// `CancellationError`, and throw ``TransportError`` for failures, so that callers can distinguish them.
public protocol Transport: Sendable, CustomStringConvertible {
    /// The defaults for its requests; by default none.
    ///
    /// A transport that wraps another one returns the defaults of the wrapped transport.
    var defaults: TransportDefaults { get }

    /// Makes one exchange.
    ///
    /// - Parameters:
    ///   - request: A request whose method, URL and header fields have been checked. Its `timeoutInterval` is the
    ///     number of seconds that may pass without a byte in either direction, `bodySource` is its body, and
    ///     `bodyLength` the length of the body.
    ///   - options: Limits of this exchange.
    /// - Returns: The head and the body of the final response (1xx responses are not final, except 101).
    /// - Throws: ``TransportError``; `CancellationError` if the task was cancelled.
    func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse
}

extension Transport {
    /// No defaults.
    public var defaults: TransportDefaults { TransportDefaults() }
}

/// Marks a transport that observes the cancellation of a `CallScope`, in addition to the task's cancellation.
package protocol ScopedTransport: Transport {}

/// The values that a transport adds to requests if neither the request nor the client sets them.
///
/// The client adds them before its interceptors run, so that the usual rules apply to them: a credential among the
/// headers does not follow a redirect to another origin.
public struct TransportDefaults: Sendable {
    /// Header fields by name.
    public var headers: [String: String]

    /// The number of seconds that may pass without a byte in either direction; nil for Foundation's 60.
    public var idleTimeout: TimeInterval?

    /// The maximum number of seconds that each attempt of a call may take, redirects included; nil for no limit.
    public var attemptTimeout: TimeInterval?

    /// Whether all requests go to one server, whatever their URLs, so that redirects to another origin are refused.
    var reachesOneServer = false

    /// Whether the transport adds cookies or credentials by itself, or has its own cache, so that only it knows whose a
    /// response is.
    var keepsState = false

    /// Whether the transport opens WebSockets (``TransportOptions/opensSocket``).
    package var opensSockets = false

    /// The reason why the transport replaces another one, for the log; nil if it doesn't.
    var reasonOfFallback: String?

    /// Gets the text of the report on each failed call.
    package var onFailedCall: (@Sendable (String) -> Void)?

    /// Creates defaults; both times are in seconds.
    public init(headers: [String: String] = [:], idleTimeout: TimeInterval? = nil, attemptTimeout: TimeInterval? = nil)
    {
        self.headers = headers
        self.idleTimeout = idleTimeout
        self.attemptTimeout = attemptTimeout
    }
}

extension TransportDefaults: OpaqueValue {
    /// The names of the header fields, without their values, and the timeouts.
    public var description: String {
        let names = headers.keys.sorted().joined(separator: ", ")
        let timeouts = [idleTimeout, attemptTimeout].map { $0.map { "\($0) s" } ?? "nil" }
        return "headers: \(names); idleTimeout: \(timeouts[0]); attemptTimeout: \(timeouts[1])"
    }
}

/// The limits of one exchange.
public struct TransportOptions: Hashable, Sendable {
    /// The maximum length of a body in bytes, after content decoding.
    ///
    /// A longer body ends the exchange with ``TransportError/Reason/bodyTooLarge``.
    public var bodyLimit: Int

    /// The maximum number of seconds for the whole exchange, including the wait for a connection; nil for no such
    /// limit.
    public var exchangeTimeout: TimeInterval?

    /// Whether the response is returned as soon as its head is received, with a body that is read as it arrives.
    ///
    /// A transport that can't stream may return a complete body. ``bodyLimit`` does not apply to a streamed body, and
    /// ``exchangeTimeout`` includes the time until its last byte is received.
    public var streamsBody: Bool

    /// Whether content codings are decoded (RFC 9110 §8.4); true by default.
    ///
    /// A response that was decoded has no `Content-Encoding`, and no `Content-Length` of the coded body. If false, the
    /// transport asks for no coding by itself, and returns bytes and fields as they were sent.
    public var decodesBody = true

    /// The name of ``bodyLimit`` in the code of the caller, for the error.
    var bodyLimitName = "bodyLimit"

    /// The number of seconds after which the client cancels an exchange without a head; nil for no such limit.
    ///
    /// For a transport that only simulates waiting, on a clock that advances itself.
    package var headTimeout: TimeInterval?

    /// The header fields that the client declares sensitive, for a transport that records.
    package var sensitiveHeaders: [String] = []

    /// The statuses that the call accepts.
    ///
    /// A client sets them because it reports the status of a response whose body is too long. If nil, a body that is
    /// too long is an error, whatever the status is.
    var acceptedStatuses: AcceptedStatuses?

    /// The statuses of redirects that may be followed: the caller gets the response to the target instead.
    var redirectStatuses: Set<Int> = []

    /// Whether redirects to other origins may be followed too.
    var followsToOtherOrigins = true

    /// The WebSocket that the exchange opens; nil for any other exchange.
    ///
    /// Then the response with the status 101 has a WebSocket for a body, and no limit applies after it.
    package var opensSocket: WebSocketOpening?

    /// The limit of which ``exchangeTimeout`` is what remains; nil if that time was set for the exchange alone.
    var exchangeLimit: PassedLimit?

    /// Returns whether a body that is longer than ``bodyLimit`` is cut and marked instead of being an error, as the
    /// bodies of redirects and errors are.
    func cutsBody(ofStatus status: Int) -> Bool {
        guard let acceptedStatuses else { return false }
        return !acceptedStatuses.contains(status) || redirectStatuses.contains(status)
    }

    /// Creates limits: `bodyLimit` in bytes (256 MiB by default), `exchangeTimeout` in seconds.
    public init(bodyLimit: Int = 256 << 20, exchangeTimeout: TimeInterval? = nil, streamsBody: Bool = false) {
        self.bodyLimit = bodyLimit
        self.exchangeTimeout = exchangeTimeout
        self.streamsBody = streamsBody
    }
}

extension TransportOptions {
    /// The limit of an exchange that begins now; nil if there is none.
    var totalLimit: TimeLimit? { TimeLimit(seconds: exchangeTimeout, on: SystemTimeSource()) }

    /// The limit that an exchange has passed when ``exchangeTimeout`` is over.
    var passedLimit: PassedLimit { exchangeLimit ?? .exchange(exchangeTimeout ?? 0) }

    /// Returns whether a response is a redirect that the caller follows, so that only little of its body is received.
    ///
    /// `location` is only evaluated for a redirect.
    func followsRedirect(status: Int, to location: @autoclosure () -> String?, from url: URL?) -> Bool {
        guard redirectStatuses.contains(status), let url, let location = location(),
            let target = URL(string: location, relativeTo: url)
        else { return false }
        return followsToOtherOrigins || Origin(of: target) == Origin(of: url)
    }

    /// Returns the options with the exchange timeout that remains after the waits for a body and a slot.
    ///
    /// - Throws: ``TransportError/Reason/timedOut`` if the waits took all of it: nothing was sent.
    func remaining(until limit: TimeLimit?, _ request: URLRequest) throws -> TransportOptions {
        guard let limit else { return self }
        let remaining = limit.remaining
        guard remaining > 0 else { throw timeout(of: request, waitingIn: .turn) }
        var options = self
        (options.exchangeLimit, options.exchangeTimeout) = (passedLimit, remaining)
        return options
    }

    /// Returns the error of a request for which ``exchangeTimeout`` is over, perhaps while it waited in the client.
    package func timeout(of request: URLRequest, waitingIn wait: TransportError.LocalWait? = nil) -> TransportError {
        TransportError(passed: passedLimit, waitingIn: wait, request: request)
    }
}

/// The body of a request, for a custom ``Transport``.
extension URLRequest {
    /// The body as a source: bytes in memory, a file, a form or a custom source; nil for no body and for a stream.
    ///
    /// A transport opens the source for each exchange. It must not read such a body from `httpBodyStream`, whose
    /// position is shared with earlier attempts that may still be reading. If the source is nil, `httpBodyStream` is a
    /// stream that can be read once; a read may wait until there are bytes.
    public var bodySource: (any BodySource)? {
        guard let stream = httpBodyStream else { return httpBody.map { DataBodySource($0) } }
        return (stream as? BodyInputStream)?.source
    }

    /// The number of bytes of the body, 0 for no body; nil for a stream whose length is not stated.
    ///
    /// A client removes `Content-Length` from a request whose body has a known length, so the transport has to state
    /// the length itself. For a stream it is the length given to `bodyStream(_:length:type:)`, or `Content-Length`.
    public var bodyLength: Int? {
        if let source = bodySource { return source.length }
        guard let stream = httpBodyStream else { return 0 }
        return (stream as? SequenceInputStream)?.body.length ?? statedLength
    }
}
