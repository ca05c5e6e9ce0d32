/// The end of one call: its request, its outcome, and its journey.
///
/// ```swift
/// let client = NetworkClient(configuration: .init(observer: { report in
///     guard let error = report.error, !report.isCancelled else { return }
///     print(error, report.journey)
/// }))
/// ```
///
/// A client reports each call once: to ``NetworkClient/Configuration/observer``, and to the readers of
/// ``NetworkClient/NetworkClient/reports``. A stream is reported when its body has ended or failed, or when it was
/// left: by ``ResponseBody/cancel()``, by leaving a loop over it, or by releasing it.
public struct CallReport: Sendable {
    /// The request that the caller passed or that its ``Endpoint`` made, without its body.
    ///
    /// Reports that wait for a slow reader would otherwise keep all bodies in memory. If the endpoint threw an error
    /// instead, this is a request without a URL, whose method means nothing.
    public let request: URLRequest

    /// The error that the caller got, or that the reader of a stream got; nil if the call succeeded.
    ///
    /// A ``RespondedError`` of the library keeps the first 4 KiB of its body.
    ///
    /// It is a `CancellationError` for a stream that was left before its end, but nil if the end of its values was
    /// read. Errors of a reader of bytes are not part of the call; those of an event stream or of `values` are.
    public let error: (any Error)?

    /// What happened during the call.
    public let journey: CallJourney

    /// The ``CallOptions/label`` of the call; nil if it has none.
    public var label: String? { journey.label }

    /// The duration of the call in seconds, including decoding; for a stream, until the end of its body.
    public let duration: TimeInterval

    private let head: ResponseHead?

    /// The maximum number of body bytes that an error keeps.
    static let longestBody = 4 << 10

    init(
        request: URLRequest,
        error: (any Error)?,
        journey: CallJourney,
        duration: TimeInterval,
        head: ResponseHead?
    ) {
        self.request = request
        self.error = error
        self.journey = journey
        self.duration = duration
        self.head = head
    }

    /// Whether the call was cancelled, by its task or by ``NetworkClient/NetworkClient/cancelAll()``, or its stream was
    /// left.
    public var isCancelled: Bool { error is CancellationError }

    /// The accepted response, or the response in the error; nil if there is none.
    public var response: HTTPURLResponse? { head?.response }
}

extension CallReport: OpaqueValue {
    /// The method, the URL without query and the outcome in one line, and then the journey; no secrets.
    public var description: String {
        let place = request.url.map { "\(request.httpMethod ?? "GET") \($0.shownPlace)" }
        let failure = error.map { LogRedaction.sensitive.text(of: $0) }
        let outcome = isCancelled ? "cancelled" : failure ?? "\(head?.status ?? 0)"
        return "\(place ?? "a request that cannot be built"): \(outcome)\n\(journey)"
    }
}

/// The observers of a client's calls.
final class CallObservers: Sendable {
    private struct State {
        var lastID = 0
        var readers: [Int: AsyncStream<CallReport>.Continuation] = [:]
    }

    private let observer: (@Sendable (CallReport) -> Void)?
    /// Gets the text of each report on a failed call, for the transport.
    private let onFailedCall: (@Sendable (String) -> Void)?
    private let state = Locked(State())

    /// The maximum number of reports that wait for a slow reader, which loses the oldest ones.
    private static let maxWaiting = 1_000

    init(_ observer: (@Sendable (CallReport) -> Void)?, onFailedCall: (@Sendable (String) -> Void)?) {
        self.observer = observer
        self.onFailedCall = onFailedCall
    }

    deinit {
        for reader in state.withLock({ $0.readers }).values { reader.finish() }
    }

    var isEmpty: Bool { observer == nil && onFailedCall == nil && state.withLock { $0.readers.isEmpty } }

    /// Returns the reports of all calls that begin from now on.
    func reports() -> AsyncStream<CallReport> {
        let (stream, reader) = AsyncStream.makeStream(
            of: CallReport.self,
            bufferingPolicy: .bufferingNewest(Self.maxWaiting)
        )
        let id = state.withLock { state in
            state.lastID += 1
            state.readers[state.lastID] = reader
            return state.lastID
        }
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.readers.removeValue(forKey: id) }
        }
        return stream
    }

    func report(_ report: CallReport) {
        observer?(report)
        if report.error != nil { onFailedCall?(report.description) }
        for reader in state.withLock({ $0.readers }).values { reader.yield(report) }
    }
}
