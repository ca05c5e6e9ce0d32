import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The life of one exchange: takes an event, returns what is to be done.
///
/// It does nothing itself.
///
/// It ends once, whatever comes first; everything after that is ignored. The task is cancelled at most once.
struct SessionExchangeState {
    typealias Continuation = CheckedContinuation<TransportResponse, any Error>

    /// What an event leaves to be done, after the lock is released.
    struct Actions {
        var taskToCancel: URLSessionTask?
        var resumption: (Continuation, Result<TransportResponse, any Error>)?
        /// A body that has ended, and why, unless it is complete.
        var endedBody: (buffer: BodyBuffer, failure: (any Error)?)?
        /// Whether the exchange is over with this event.
        var isEnd = false
    }

    private let request: URLRequest
    private let options: TransportOptions
    /// Where the body goes if it is read while it comes.
    private let buffer: BodyBuffer?
    /// The head that was handed over before the body.
    private var answered: ResponseHead?
    private var continuation: Continuation?
    private var task: URLSessionTask?
    private var head: HTTPURLResponse?
    private var body = Data()
    /// How many bytes of the body have come.
    var bodyCount = 0
    /// How it ended; kept until there is a continuation to tell.
    private var outcome: Result<TransportResponse, any Error>?
    private var isTaskToBeCancelled = false

    /// How it went, if URLSession says so.
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

    /// The task runs.
    ///
    /// If the exchange was cancelled in between, it is for this event to cancel the task.
    mutating func started(_ task: URLSessionTask) -> Actions {
        guard isTaskToBeCancelled else {
            self.task = task
            return Actions()
        }
        return Actions(taskToCancel: task)
    }

    mutating func received(_ response: URLResponse) -> Actions {
        guard !isOver else { return Actions() }
        guard let response = response as? HTTPURLResponse else { return failed(NetworkClient.Error.invalidResponse) }
        // 1xx answers come before the answer itself (RFC 9110 §15.2); 101 ends HTTP on this connection, so it is one.
        guard response.statusCode >= 200 || response.statusCode == 101 else { return Actions() }
        if let detail = Self.problem(of: response) {
            return failed(TransportError(.malformedResponse, request: request, detail: detail))
        }
        head = response
        if buffer != nil { return answer(response) }
        (body, bodyCount) = (Data(), 0)
        guard response.expectedContentLength > options.bodyLimit, announcesItsBody(response),
            !options.cutsBody(ofStatus: response.statusCode)
        else { return Actions() }
        return tooLarge()
    }

    /// Why the end of the body cannot be known.
    private static func problem(of response: HTTPURLResponse) -> String? {
        if let length = response.value(forHTTPHeaderField: "Content-Length"),
            StatedLength.number(in: Array(length.utf8)) == nil
        {
            return "the answer does not state one length for its body"
        }
        // libcurl 8.5 to 8.12 gives a body in an unknown transfer coding as it is.
        if let coding = response.value(forHTTPHeaderField: "Transfer-Encoding")?.trimmingCharacters(in: .whitespaces),
            !["chunked", "identity"].contains(coding.lowercased())
        {
            return "the body has a transfer coding that nobody asked for"
        }
        return nil
    }

    /// Whether `Content-Length` is the length of the body that follows (RFC 9110 §8.6), as it will be counted.
    private func announcesItsBody(_ response: HTTPURLResponse) -> Bool {
        request.httpMethod != "HEAD" && ![204, 205, 304].contains(response.statusCode)
            && response.value(forHTTPHeaderField: "Content-Encoding") == nil
    }

    /// Bytes of a body that is handed over as a whole.
    mutating func received(_ data: Data) -> Actions {
        guard !isOver else { return Actions() }
        guard data.count > options.bodyLimit - body.count else {
            body.append(data)
            bodyCount += data.count
            return Actions()
        }
        guard let head, options.cutsBody(ofStatus: head.statusCode) else { return tooLarge() }
        body.append(data.prefix(max(0, options.bodyLimit - body.count)))
        let known = ResponseHead(head, metrics: metrics)
        return end(.success(TransportResponse(head: known, body: .whole(body, isCut: true))), cancellingTask: true)
    }

    /// The head of a body that is streamed, while the exchange goes on.
    private mutating func answer(_ response: HTTPURLResponse) -> Actions {
        guard let buffer, answered == nil else { return Actions() }
        let head = ResponseHead(response)
        answered = head
        let answer = TransportResponse(head: head, body: .streamed(OwnedBody(buffer)))
        defer { continuation = nil }
        return Actions(resumption: continuation.map { ($0, .success(answer)) })
    }

    mutating func challenged() -> Actions {
        guard let head else { return failed(TransportError(.malformedResponse, request: request)) }
        return end(.success(TransportResponse(response: head, data: body, metrics: metrics)), cancellingTask: true)
    }

    mutating func failed(_ error: any Error) -> Actions {
        end(.failure(error), cancellingTask: true)
    }

    /// The task is over; FoundationNetworking does not always tell of its response before.
    mutating func completed(_ error: (any Error)?, _ response: URLResponse? = nil) -> Actions {
        if let error {
            let failure = URLErrorClassification.classify(error, request, after: progress)
            return end(.failure(failure), cancellingTask: false)
        }
        guard let head = head ?? response as? HTTPURLResponse else {
            return end(.failure(TransportError(.malformedResponse, request: request)), cancellingTask: false)
        }
        return end(.success(TransportResponse(response: head, data: body, metrics: metrics)), cancellingTask: false)
    }

    private var progress: URLErrorClassification.Progress {
        guard let head else { return .nothing }
        return announcesItsBody(head) && bodyCount < head.expectedContentLength ? .partOfBody : .head
    }

    private mutating func tooLarge() -> Actions {
        failed(TransportError(tooLargeBody: options.bodyLimit, request: request))
    }

    private mutating func end(_ result: Result<TransportResponse, any Error>, cancellingTask: Bool) -> Actions {
        guard !isOver else { return Actions() }
        outcome = result
        body = Data()
        if let metrics { answered?.update(metrics) }
        var actions = Actions(isEnd: true)
        if let buffer {
            if case .failure(let error) = result {
                actions.endedBody = (buffer, error)
            } else {
                actions.endedBody = (buffer, nil)
            }
        }
        if cancellingTask {
            actions.taskToCancel = task
            isTaskToBeCancelled = task == nil
        }
        task = nil
        if let continuation { actions.resumption = (continuation, result) }
        continuation = nil
        return actions
    }
}
