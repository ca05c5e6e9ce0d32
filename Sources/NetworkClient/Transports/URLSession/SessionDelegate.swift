/// The delegate of a session, which passes each event to the exchange of its task.
final class SessionDelegate: NSObject, URLSessionDataDelegate, Sendable {
    /// The delegate of the caller-provided session.
    let other: (any URLSessionDelegate)?
    private let security: SessionSecurity?
    private let exchanges = Locked<[Int: SessionExchange]>([:])
    private let isShut = Locked(false)

    /// The number of exchanges in flight.
    var exchangeCount: Int { exchanges.withLock { $0.count } }

    init(forwardingTo other: (any URLSessionDelegate)?, security: SessionSecurity? = nil) {
        self.other = other
        self.security = security
    }

    func register(_ exchange: SessionExchange, for task: URLSessionTask) {
        exchanges.withLock { $0[task.taskIdentifier] = exchange }
    }

    func exchange(of task: URLSessionTask) -> SessionExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    /// Passes on that a WebSocket is open.
    func opened(_ task: URLSessionTask, _ messages: any SessionMessages, subprotocol: String?) {
        let exchange = exchange(of: task)
        exchange?.opened(messages, task.response, subprotocol: subprotocol)
        if isShut.withLock({ $0 }) { exchange?.shutSocket() }
    }

    /// Ends the open WebSockets, and those that are being opened.
    func shutSockets() {
        isShut.withLock { $0 = true }
        for exchange in exchanges.withLock({ $0.values.map { $0 } }) { exchange.shutSocket() }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        exchange(of: dataTask)?.received(response)
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sentBody()
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        guard let exchange = exchange(of: task) else { return SessionPlatform.declineLate(completionHandler) }
        exchange.redirected(completionHandler)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(exchange(of: task)?.upload?.makeStream() ?? SessionUpload.unreadableStream())
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.completed(error, task.response)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let exchange = exchange(of: task)
        if let security, security.respond(to: challenge, of: exchange, completionHandler) { return }
        SessionPlatform.respond(
            to: challenge,
            of: task,
            in: session,
            exchange: exchange,
            delegate: other,
            completionHandler: completionHandler
        )
    }
}

extension TransportMetrics {
    /// Creates metrics from the last transaction of a task, which received the response.
    ///
    /// URLSession measures nothing on Linux.
    init(_ metrics: URLSessionTaskMetrics) {
        self.init(total: metrics.taskInterval.duration)
        guard let transaction = metrics.transactionMetrics.last else { return }
        func seconds(from start: Date?, to end: Date?) -> TimeInterval? {
            guard let start, let end else { return nil }
            return max(0, end.timeIntervalSince(start))
        }
        let secured = seconds(
            from: transaction.secureConnectionStartDate,
            to: transaction.secureConnectionEndDate
        )
        isConnectionReused = transaction.isReusedConnection
        nameLookup = seconds(from: transaction.domainLookupStartDate, to: transaction.domainLookupEndDate) ?? 0
        // URLSession's time for a connection includes TLS.
        let connected = seconds(from: transaction.connectStartDate, to: transaction.connectEndDate) ?? 0
        connect = max(0, connected - (secured ?? 0))
        secureConnection = secured ?? 0
        firstByte = seconds(from: transaction.fetchStartDate, to: transaction.responseStartDate)
        httpVersion = Self.version(of: transaction.networkProtocolName)
        bodyBytesSent = Int(clamping: transaction.countOfRequestBodyBytesSent)
        bodyBytesReceived = Int(clamping: transaction.countOfResponseBodyBytesReceived)
    }

    /// Returns the HTTP version for an ALPN name (RFC 7301 §6).
    private static func version(of name: String?) -> String? {
        switch name {
        case "h2": "HTTP/2"
        case "h3": "HTTP/3"
        default: name?.uppercased()
        }
    }
}
