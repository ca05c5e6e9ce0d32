/// The state of one exchange: each function takes an event and returns the actions that follow from it.
///
/// The exchange ends with the first event that ends it; later events are ignored. Its task is cancelled at most once.
struct SessionExchangeState {
    typealias Continuation = CheckedContinuation<TransportResponse, any Error>

    /// The actions of an event, which are performed after the lock is released.
    struct Actions {
        var taskToCancel: URLSessionTask?
        var resumption: (Continuation, Result<TransportResponse, any Error>)?
        /// A streamed body that has ended, with its error if it is incomplete.
        var endedBody: (buffer: BodyBuffer, failure: (any Error)?)?
        /// Whether this event ends the exchange.
        var isEnd = false
        /// Whether the body of a redirect begins; a short time limit applies to it.
        var beginsRedirectBody = false
    }

    private let request: URLRequest
    private let options: TransportOptions
    /// The buffer for a streamed body.
    private let buffer: BodyBuffer?
    /// The head that was returned before the body.
    private var returnedHead: ResponseHead?
    private var continuation: Continuation?
    private var task: URLSessionTask?
    private var head: HTTPURLResponse?
    private var body = Data()
    /// Whether the body belongs to a redirect that the caller follows.
    private var isRedirectBody = false
    /// The number of bytes of the body that have been received.
    var bodyCount = 0
    /// The result, which a continuation that arrives later gets; nil until the exchange is over.
    private var outcome: Result<TransportResponse, any Error>?
    private var isTaskToBeCancelled = false

    /// The metrics, if URLSession has reported them.
    var metrics: TransportMetrics?

    var isOver: Bool { outcome != nil }

    init(request: URLRequest, options: TransportOptions, buffer: BodyBuffer? = nil) {
        self.request = request
        self.options = options
        self.buffer = buffer
    }

    mutating func began(_ continuation: Continuation) -> Actions {
        if let outcome { return Actions(resumption: (continuation, outcome)) }
        self.continuation = continuation
        return Actions()
    }

    /// Records that the task was started; it is cancelled now if the exchange has already ended.
    mutating func started(_ task: URLSessionTask) -> Actions {
        guard isTaskToBeCancelled else {
            self.task = task
            return Actions()
        }
        return Actions(taskToCancel: task)
    }

    mutating func received(_ response: URLResponse) -> Actions {
        guard !isOver else { return Actions() }
        guard let response = response as? HTTPURLResponse else {
            return failed(TransportError(.notHTTP, request: request))
        }
        // Skips interim 1xx responses (RFC 9110 §15.2). 101 is final: the connection then no longer uses HTTP.
        guard response.statusCode >= 200 || response.statusCode == 101 else { return Actions() }
        if let detail = Self.problem(of: response) {
            return failed(TransportError(.malformedResponse, request: request, detail: detail))
        }
        let received = decoded(response)
        head = received
        if buffer != nil { return returnHead(received) }
        (body, bodyCount) = (Data(), 0)
        isRedirectBody = options.followsRedirect(
            status: response.statusCode,
            to: response.value(forHTTPHeaderField: "Location"),
            from: request.url
        )
        if isRedirectBody { return Actions(beginsRedirectBody: true) }
        guard response.expectedContentLength > options.bodyLimit, statesBodyLength(response),
            !options.cutsBody(ofStatus: response.statusCode)
        else { return Actions() }
        return tooLarge()
    }

    /// Returns the response without the fields of a coded body that the session decodes.
    private func decoded(_ response: HTTPURLResponse) -> HTTPURLResponse {
        guard request.httpMethod != "HEAD", ![204, 206, 304].contains(response.statusCode),
            let codings = response.value(forHTTPHeaderField: "Content-Encoding"), SessionPlatform.decodes(codings)
        else { return response }
        return ReceivedResponse(response, metrics: nil, isDecoded: true) ?? response
    }

    /// Returns why the end of the body is unknown; nil if it is known.
    private static func problem(of response: HTTPURLResponse) -> String? {
        if let length = response.value(forHTTPHeaderField: "Content-Length"),
            BodyFraming.length(in: length.utf8) == nil
        {
            return BodyFraming.Problem.length
        }
        // libcurl 8.1 to 8.13 passes on a body in an unknown transfer coding without decoding it.
        let coding = response.value(forHTTPHeaderField: "Transfer-Encoding")
        return coding.map(BodyFraming.isUnknownCoding) == true ? BodyFraming.Problem.coding : nil
    }

    /// Returns whether `Content-Length` states the number of body bytes that this exchange counts (RFC 9110 §8.6).
    private func statesBodyLength(_ response: HTTPURLResponse) -> Bool {
        request.httpMethod != "HEAD" && ![204, 205, 304].contains(response.statusCode)
            && response.value(forHTTPHeaderField: "Content-Encoding") == nil
    }

    /// Records bytes of a body that is returned when it is complete.
    mutating func received(_ data: Data) -> Actions {
        guard !isOver else { return Actions() }
        switch options.take(data, into: &body, ofStatus: head?.statusCode, isRedirectBody: isRedirectBody) {
        case .taken: bodyCount += data.count
        case .full: if let head { return end(with: head, isCut: true, cancellingTask: true) }
        case .tooLong: return tooLarge()
        }
        return Actions()
    }

    /// Records that the time for the body of a redirect is over.
    mutating func endedRedirectBody() -> Actions {
        guard let head, isRedirectBody else { return Actions() }
        return end(with: head, isCut: true, cancellingTask: true)
    }

    /// Returns the head of a streamed response; the exchange continues.
    private mutating func returnHead(_ response: HTTPURLResponse) -> Actions {
        guard let buffer, returnedHead == nil else { return Actions() }
        let head = ResponseHead(response)
        returnedHead = head
        let result = TransportResponse(head: head, body: .streamed(BufferedBodyChannel(buffer)))
        defer { continuation = nil }
        return Actions(resumption: continuation.map { ($0, .success(result)) })
    }

    /// Records that a WebSocket is open.
    mutating func opened(_ connection: WebSocketConnection, _ response: URLResponse?) -> Actions {
        guard !isOver else { return Actions() }
        // Nothing says that the session has the response by now.
        guard let response = addressed(response as? HTTPURLResponse) else {
            return failed(TransportError(.malformedResponse, request: request))
        }
        if let name = connection.subprotocol, options.opensSocket?.protocols.contains(name) == false {
            return failed(WebSocketHandshake.wrong("the subprotocol was not offered"))
        }
        let head = ResponseHead(response, metrics: metrics)
        let opened = TransportResponse(head: head, body: .socket(connection))
        let actions = end(.success(opened), cancellingTask: false)
        // The caller alone has the connection, which ends with its last reference.
        outcome = .failure(CancellationError())
        return actions
    }

    /// Returns a response with the URL of the request, instead of that with the scheme of a WebSocket; with the status
    /// 101 for none.
    private func addressed(_ response: HTTPURLResponse?) -> HTTPURLResponse? {
        let fields = response?.allHeaderFields as? [String: String]
        return request.url.flatMap { url in
            HTTPURLResponse(url: url, statusCode: response?.statusCode ?? 101, httpVersion: nil, headerFields: fields)
        }
    }

    mutating func challenged() -> Actions {
        guard let head else { return failed(TransportError(.malformedResponse, request: request)) }
        return end(with: head, cancellingTask: true)
    }

    mutating func failed(_ error: any Error) -> Actions {
        end(.failure(error), cancellingTask: true)
    }

    /// Records that the task has ended; FoundationNetworking does not always report its response first.
    ///
    /// A failure within the body of a redirect only ends that body.
    mutating func completed(_ error: (any Error)?, _ response: URLResponse? = nil) -> Actions {
        if let error {
            // URLSession has no body of a response that opens no WebSocket.
            if options.opensSocket != nil, let refusal = response as? HTTPURLResponse, refusal.statusCode != 101,
                let response = addressed(refusal)
            {
                return end(with: response, isCut: true, cancellingTask: false)
            }
            if isRedirectBody, let head { return end(with: head, isCut: true, cancellingTask: false) }
            let failure = URLErrorClassification.classify(error, request, after: progress)
            return end(.failure(failure), cancellingTask: false)
        }
        let found = response as? HTTPURLResponse
        guard let head = head ?? (options.opensSocket == nil ? found : found.flatMap(addressed)) else {
            return end(.failure(TransportError(.malformedResponse, request: request)), cancellingTask: false)
        }
        return end(with: head, cancellingTask: false)
    }

    private var progress: URLErrorClassification.Progress {
        guard let head else { return .nothing }
        return statesBodyLength(head) && bodyCount < head.expectedContentLength ? .partOfBody : .head
    }

    private mutating func tooLarge() -> Actions {
        failed(TransportError(bodyOver: options, request: request))
    }

    private mutating func end(with head: HTTPURLResponse, isCut: Bool = false, cancellingTask: Bool) -> Actions {
        let known = ResponseHead(head, metrics: metrics)
        let response = TransportResponse(head: known, body: .whole(body, isCut: isCut))
        return end(.success(response), cancellingTask: cancellingTask)
    }

    private mutating func end(_ result: Result<TransportResponse, any Error>, cancellingTask: Bool) -> Actions {
        guard !isOver else { return Actions() }
        outcome = result
        body = Data()
        if let metrics { returnedHead?.update(metrics) }
        var actions = Actions(resumption: continuation.map { ($0, result) }, isEnd: true)
        if let buffer { actions.endedBody = (buffer, result.failure) }
        if cancellingTask {
            actions.taskToCancel = task
            isTaskToBeCancelled = task == nil
        }
        task = nil
        continuation = nil
        return actions
    }
}
