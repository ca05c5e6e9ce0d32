/// Passes the events of a call's record to a logger: each request that is sent, its response or its failure, and each
/// decision to send it again.
final class CallLog: Sendable {
    let logger: any NetworkLogger
    private let sensitiveHeaders: [String]
    private let label: String?
    private let time: any TimeSource

    /// Creates the log of a call, with the `sensitiveHeaders` of the client's configuration.
    init(_ logger: any NetworkLogger, sensitiveHeaders: [String], label: String?, time: any TimeSource) {
        self.logger = logger
        self.sensitiveHeaders = sensitiveHeaders
        self.label = label
        self.time = time
    }

    /// Reports an event; its duration is the time since `start` on the call's clock, 0 if `start` is nil.
    func report(
        _ request: URLRequest,
        _ stage: NetworkLogEvent.Stage,
        attempt: Int,
        since start: Double? = nil,
        wasSent: Bool = true,
        length: Int? = nil
    ) {
        let duration = start.map { time.now - $0 } ?? 0
        var event = NetworkLogEvent(
            request: request,
            stage: stage,
            duration: duration,
            attempt: max(1, attempt),
            wasSent: wasSent,
            label: label,
            sensitiveHeaders: sensitiveHeaders
        )
        event.bodyLength = length ?? event.bodyLength
        logger.log(event)
    }
}

extension NetworkLogEvent.Stage {
    /// Creates the outcome of a request to a URL that failed with an error.
    init(of error: any Error, _ url: URL?) {
        self.init(of: url.map { NetworkClient.Error.wrapping(error, $0) } ?? error)
    }

    /// Creates the outcome of a request that failed with an error.
    ///
    /// A response whose status is not accepted counts as a response, not as a failure.
    public init(of error: any Error) {
        if case NetworkClient.Error.apiError(let response, let data) = error {
            self = .received(response: response, data: data)
        } else {
            self = .failed(error)
        }
    }

    /// Whether this is a failure after which no byte of the request can have reached a server.
    var showsThatNothingWasSent: Bool {
        guard case .failed(let error as NetworkClient.Error) = self else { return false }
        return error.transportError?.showsThatNothingWasSent == true
    }
}
