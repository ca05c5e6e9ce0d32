/// The kinds of exchanges in a soak: the server's behaviour, and the outcome for a caller that isn't cancelled.
enum SoakKind: String, CaseIterable, Sendable {
    case get
    case json
    case head
    /// 302 to a GET.
    case redirect
    /// 307, so the body is sent again.
    case redirectedPost
    case notFound
    case chunked
    /// The connection ends in the middle of the body.
    case truncated
    /// The body comes in two parts with a pause before each.
    case slow
    /// Many callers share one exchange.
    case shared
    /// The body is a stream of unknown length.
    case upload
    /// 401 with a challenge that URLSession would respond to.
    case unauthorised
    /// A body over the call's limit.
    case tooLarge
    /// No response; the server waits until the client has closed the connection.
    case timedOut
    /// The connection ends after the response without notice, so the next request may use a dead connection.
    case closing
    /// The responses of ``MisbehavingResponse``, in turn.
    case misbehaving

    /// The outcome of one call.
    enum Outcome: Equatable, Sendable {
        /// A response with the item of that number; nil for a response without a body.
        case item(Int?)
        case status(Int)
        case failure(String)
    }

    /// Returns whether a call that isn't cancelled may have this outcome.
    func permits(_ outcome: Outcome, of number: Int) -> Bool {
        if self == .misbehaving { return MisbehavingResponse.of(number).permits(outcome, number) }
        return outcome == expected(of: number)
    }

    /// Returns the expected outcomes, for a message.
    func expectation(of number: Int) -> String {
        self == .misbehaving ? "\(MisbehavingResponse.of(number))" : "\(expected(of: number))"
    }

    private func expected(of number: Int) -> Outcome {
        switch self {
        case .get, .json, .redirect, .redirectedPost, .chunked, .slow, .shared, .upload, .closing, .misbehaving:
            .item(number)
        case .head: .item(nil)
        case .notFound: .status(404)
        case .unauthorised: .status(401)
        case .truncated: .failure("connectionLost")
        case .tooLarge: .failure("bodyTooLarge")
        case .timedOut: .failure("timedOut")
        }
    }

    /// Returns whether a failure is expected now and then, since the server has closed the connection.
    ///
    /// URLSession doesn't send a body again that was partly sent, and a stream can't be sent again.
    func isLoss(_ failure: String) -> Bool {
        switch self {
        case .json, .redirectedPost: failure == "connectionLost"
        case .upload: ["connectionLost", "bodyNotReplayable"].contains(failure)
        default: false
        }
    }

    /// Returns the number that a call requests; neighbouring shared calls have the same number.
    ///
    /// All other numbers are different, so that a response to another request is noticed.
    func number(of index: Int) -> Int {
        self == .shared ? index / 64 : index
    }
}
