/// The kinds of exchanges that a soak mixes: what the server does, and what a caller must get who is not cancelled.
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
    /// 401 with a challenge that URLSession would answer.
    case unauthorised
    /// A body over the call's limit.
    case tooLarge
    /// No answer; the server waits until the client has gone.
    case timedOut
    /// The connection ends after the answer, without a word: the next request meets a dead one.
    case closing
    /// A response that breaks a rule, one after the other of ``MisbehavingResponse``.
    case misbehaving

    /// What came of one call.
    enum Answer: Equatable, Sendable {
        /// An answer with the item of that number; nil where there is no body.
        case item(Int?)
        case status(Int)
        case failure(String)
    }

    /// Whether a call that is not cancelled may get this.
    func permits(_ answer: Answer, of number: Int) -> Bool {
        if self == .misbehaving { return MisbehavingResponse.of(number).permits(answer, number) }
        return answer == expected(of: number)
    }

    /// What is expected, for a message.
    func expectation(of number: Int) -> String {
        self == .misbehaving ? "\(MisbehavingResponse.of(number))" : "\(expected(of: number))"
    }

    private func expected(of number: Int) -> Answer {
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

    /// Whether a failure is what happens now and then to a call that meets a connection the server has closed: a body
    /// of which a part has gone is not sent again by URLSession, and one that is a stream cannot be.
    func isLoss(_ failure: String) -> Bool {
        switch self {
        case .json, .redirectedPost: failure == "connectionLost"
        case .upload: ["connectionLost", "bodyNotReplayable"].contains(failure)
        default: false
        }
    }

    /// The number that the call asks for: its own, so that an answer that goes astray shows; neighbours share one.
    func number(of index: Int) -> Int {
        self == .shared ? index / 64 : index
    }
}
