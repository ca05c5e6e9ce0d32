import Foundation
import NetworkClient
import NetworkTestSupport
import Testing

struct LoggingInterceptorTests {
    @Test(
        .spec(150),
        arguments: [
            (200, LogType.info), (400, .warning), (404, .warning), (500, .warning), (503, .warning),
        ]
    )
    func aRecordHasMethodURLStatusAndDurationAndNothingElse(status: Int, type: LogType) async throws {
        let exchange = LoggedExchange(
            requestHeaders: ["Accept": "text/plain"],
            requestBody: Data("question".utf8),
            status: status,
            responseHeaders: ["Content-Type": "text/plain"],
            responseBody: Data("answer".utf8)
        )
        let records = try await exchange.records()
        expect(records.map(\.message), ["GET https://api.example.com/items?page=1 → \(status) in 12 ms"])
        expect(records.map(\.type), [type])
    }

    @Test(.spec(152)) func theBodyOfAResponseThatIsNotAcceptedIsLogged() async throws {
        let exchange = LoggedExchange(
            status: 422,
            responseHeaders: ["content-type": "application/problem+json; charset=utf-8"],
            responseBody: Data(#"{"title":"Invalid"}"#.utf8)
        )
        let records = try await exchange.records(responseLevel: .body)
        expect(
            records.map(\.message),
            [
                "GET https://api.example.com/items?page=1 → 422 in 12 ms\n  {\n    \"title\": \"Invalid\"\n  }"
            ]
        )
    }

    @Test(.spec(153)) func aFailureIsAWarningAndACancellationIsNot() async throws {
        let failed = try await LoggedExchange(failure: URLError(.timedOut)).records()
        let text = try #require(failed.first?.message)
        #expect(text.hasPrefix("GET https://api.example.com/items?page=1 failed after 12 ms: URLError ("))
        expect(failed.map(\.type), [.warning])
        let cancelled = try await LoggedExchange(failure: CancellationError()).records()
        expect(cancelled.map(\.message), ["GET https://api.example.com/items?page=1 cancelled after 12 ms"])
        expect(cancelled.map(\.type), [.info])
    }

    @Test func aRequestHasItsOwnRecordIfMoreThanALineIsLoggedOrResponsesAreOff() async throws {
        let exchange = LoggedExchange(requestHeaders: ["X-B": "2", "X-A": "1"])
        let line = "GET https://api.example.com/items?page=1"
        let records = try await exchange.records(requestLevel: [.headers])
        expect(records.map(\.message), ["\(line)\n  X-A: 1\n  X-B: 2", "\(line) → 200 in 12 ms"])
        let requests = try await exchange.records(requestLevel: .status, responseLevel: .off)
        expect(requests.map(\.message), [line])
    }

    @Test func aLoggingInterceptorPassesResponsesAndErrorsOnUnchanged() async throws {
        let exchange = LoggedExchange()
        let (request, response) = (try exchange.request(), try exchange.response())
        let interceptor: LoggingInterceptor = .logging(
            level: .full,
            headerMasks: [.authorization],
            logStream: RecordingStream()
        )
        let answer = try await interceptor.process(request) { _ in (data: Data([1, 2]), response: response) }
        expect(answer.data, Data([1, 2]))
        #expect(answer.response === response)
        await #expect(throws: URLError(.timedOut)) {
            try await interceptor.process(request) { _ in throw URLError(.timedOut) }
        }
    }

    @Test(.spec(155)) func recordsOfConcurrentExchangesDoNotMix() async throws {
        let stream = RecordingStream()
        let interceptor = LoggingInterceptor(level: .full, logStream: stream)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let exchange = LoggedExchange(
                        url: "https://a.example/\(number)",
                        responseHeaders: ["Content-Type": "text/plain"],
                        responseBody: Data("answer \(number)".utf8)
                    )
                    try await exchange.pass(through: interceptor)
                }
            }
            try await group.waitForAll()
        }
        let answers = stream.messages.filter { $0.contains("→") }
        expect(stream.messages.count, 400)
        for number in 0..<200 {
            let found = answers.filter { $0.contains("a.example/\(number) ") && $0.hasSuffix("\n  answer \(number)") }
            expect(found.count, 1)
        }
    }
}
