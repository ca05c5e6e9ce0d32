import NetworkClient
import NetworkClientTesting

/// What a retry of full strength does: two retries, after waits of 1 and 2 seconds.
///
/// The tests of the library run it with ``RetryInterceptor``, and the package `Consumers` with a retry that is written
/// with the public API only; each compiles this file through a link.
struct RetryRow: Sendable, CustomStringConvertible {
    /// What the transport does with a request; the last outcome is repeated.
    enum Outcome: Sendable {
        case response(Int, [String: String] = [:])
        case failure(TransportError.Reason)
    }

    let description: String
    let outcomes: [Outcome]
    var method = "GET"
    var fields: [String: String] = [:]
    var hasStream = false
    var accepts: AcceptedStatuses?
    var deadline: TimeInterval?
    /// The interceptors inside the retry.
    var inside: @Sendable () -> [any InterceptorProtocol] = { [] }
    /// The status of the response or of the error; 0 for another error.
    let status: Int
    let sent: Int
    var waits: [Double] = []

    static let policy = RetryPolicy(retries: 2, backoff: Backoff(base: 1, throttledBase: 1, jitter: .none))

    static let all: [RetryRow] = [
        RetryRow(
            description: "a temporary status",
            outcomes: [.response(503), .response(200)],
            status: 200,
            sent: 2,
            waits: [1]
        ),
        RetryRow(
            description: "no retry is left",
            outcomes: [.response(503), .failure(.connectionLost), .response(500)],
            status: 500,
            sent: 3,
            waits: [1, 2]
        ),
        RetryRow(description: "a lasting status", outcomes: [.response(404)], status: 404, sent: 1),
        RetryRow(description: "an accepted status", outcomes: [.response(503)], accepts: .all, status: 503, sent: 1),
        RetryRow(description: "a lasting failure", outcomes: [.failure(.secureConnectionFailed)], status: 0, sent: 1),
        RetryRow(
            description: "a POST that may be performed",
            outcomes: [.failure(.connectionLost)],
            method: "POST",
            status: 0,
            sent: 1
        ),
        RetryRow(
            description: "a POST that was never performed",
            outcomes: [.failure(.connectionRefused), .response(200)],
            method: "POST",
            status: 200,
            sent: 2,
            waits: [1]
        ),
        RetryRow(
            description: "a POST that may be sent twice",
            outcomes: [.failure(.connectionLost), .response(200)],
            method: "POST",
            fields: ["Idempotency-Key": "\"1\""],
            status: 200,
            sent: 2,
            waits: [1]
        ),
        RetryRow(
            description: "a POST whose redirect leads to a server that is down",
            outcomes: [.response(307, ["Location": "https://b.example/"]), .failure(.connectionRefused)],
            method: "POST",
            status: 0,
            sent: 2
        ),
        RetryRow(
            description: "a POST that never finds its server",
            outcomes: [.failure(.connectionRefused), .failure(.nameNotResolved)],
            method: "POST",
            status: 0,
            sent: 3,
            waits: [1, 2]
        ),
        RetryRow(
            description: "a body that can be read once",
            outcomes: [.response(503)],
            method: "PUT",
            hasStream: true,
            status: 503,
            sent: 1
        ),
        RetryRow(
            description: "a wait that the server asks for",
            outcomes: [.response(503, ["Retry-After": "7"]), .response(200)],
            status: 200,
            sent: 2,
            waits: [7]
        ),
        RetryRow(
            description: "a wait that is too long",
            outcomes: [.response(503, ["Retry-After": "31"])],
            status: 503,
            sent: 1
        ),
        RetryRow(
            description: "a wait that would pass the deadline",
            outcomes: [.response(503)],
            deadline: 2.5,
            status: 503,
            sent: 2,
            waits: [1]
        ),
        RetryRow(
            description: "a refusal after a failure",
            outcomes: [.response(503)],
            inside: { [Refusing(attempt: 2)] },
            status: 503,
            sent: 1,
            waits: [1]
        ),
        RetryRow(
            description: "a refresh that fails once",
            outcomes: [.response(401), .response(200)],
            method: "POST",
            inside: { [.authentication(.bearer(session()), origins: [RetryRow.url])] },
            status: 200,
            sent: 2,
            waits: [1]
        ),
    ]

    private static let url = URL(string: "https://a.example/") ?? URL(fileURLWithPath: "/")

    /// A session whose first refresh loses its connection.
    private static func session() -> TokenSession {
        let clock = TestClock()
        return TokenSession(store: InMemoryCredentialStore(AccessToken("old"))) { _ in
            let isFirst = clock.now == 0
            clock.advance(by: 1)
            guard !isFirst else { throw NetworkClient.Error.requestError(type: TransportError(.connectionLost)) }
            return AccessToken("new")
        }
    }

    /// Refuses one attempt, as an open circuit does.
    private struct Refusing: InterceptorProtocol {
        let attempt: Int

        func process(_ request: URLRequest, next: NetworkClient.Next) async throws -> NetworkClient.ChainResult {
            guard RequestContext.current.attempt != attempt else {
                throw CircuitOpenError(origin: "https://a.example", secondsUntilProbe: 5)
            }
            return try await next(request)
        }
    }

    /// What happened: the status, the numbers of the attempts as they were sent, and the waits.
    struct Result: Sendable, Equatable {
        var status: Int
        var sent: Int
        var waits: [Double]
        /// The waits in the journey, which are those on the clock.
        var journey: [Double]?
    }

    var expected: Result { Result(status: status, sent: sent, waits: waits, journey: status == 200 ? waits : nil) }

    func result(of retry: any InterceptorProtocol) async -> Result {
        let clock = TestClock(advancesItself: true)
        let transport = StubTransport(time: clock)
        transport.on(.any) { _ in
            switch outcomes[min(transport.requests.count, outcomes.count) - 1] {
            case .failure(let reason): .failure(reason)
            case .response(let status, let headers):
                headers.reduce(.status(status)) { $0.setting(header: .custom(name: $1.key, value: $1.value)) }
            }
        }
        let client = NetworkClient(
            transport: transport,
            interceptors: [retry] + inside(),
            configuration: .init(time: clock)
        )
        var request = URLRequest(url: Self.url)
        request.httpMethod = method
        request.allHTTPHeaderFields = fields
        if hasStream { request.httpBodyStream = InputStream(data: Data("once".utf8)) }
        let options = CallOptions {
            $0.acceptedStatuses = accepts
            $0.deadline = deadline
        }
        var result = Result(status: 0, sent: 0, waits: [])
        do {
            let response = try await client.fetch(request: request, options: options)
            result.status = response.statusCode
            result.journey = response.statusCode == 200 ? response.journey.waits : nil
        } catch {
            result.status = (error as? NetworkClient.Error)?.statusCode ?? 0
        }
        (result.sent, result.waits) = (transport.requests.count, clock.sleeps)
        return result
    }
}

extension CallJourney {
    fileprivate var waits: [Double] { steps.filter { $0.kind == .wait }.compactMap(\.number) }
}
