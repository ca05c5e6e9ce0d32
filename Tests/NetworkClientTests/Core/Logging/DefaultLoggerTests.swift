import Foundation
import NetworkClient
import NetworkTestSupport
import Testing

struct DefaultLoggerTests {
    static let alwaysMasked = [
        "Authorization", "authorization", "AUTHORIZATION", "Proxy-Authorization", "proxy-authorization", "Cookie",
        "cookie",
        "COOKIE", "X-API-Key", "x-api-key", "X-Api-Key", "X-Auth-Token", "Api-Key", "X-Amz-Security-Token",
        "Authentication",
    ]

    @Test(.spec(149), arguments: alwaysMasked)
    func credentialsOfARequestAreMaskedInAnyLetterCase(name: String) async throws {
        let text = try await LoggedExchange(requestHeaders: [name: "s3cr3t"]).fullText()
        expect(text, contains: "\(name): ***")
        expect(text, lacks: "s3cr3t")
    }

    @Test(.spec(149), arguments: ["Set-Cookie", "set-cookie", "SET-COOKIE", "X-Auth-Token"])
    func credentialsOfAResponseAreMaskedInAnyLetterCase(name: String) async throws {
        let text = try await LoggedExchange(responseHeaders: [name: "s3cr3t=1; Path=/"]).fullText()
        expect(text, contains: ": ***")
        expect(text, lacks: "s3cr3t")
    }

    @Test func headerFieldsThatAreNotSecretAreLogged() async throws {
        let exchange = LoggedExchange(
            requestHeaders: ["Accept": "text/html", "Idempotency-Key": "k-1"],
            responseHeaders: ["WWW-Authenticate": #"Bearer realm="shop""#]
        )
        let text = try await exchange.fullText()
        expect(text, contains: "Accept: text/html")
        expect(text, contains: "Idempotency-Key: k-1")
        expect(text.lowercased(), contains: #"www-authenticate: bearer realm="shop""#)
    }

    @Test func secretsInAURLWithinAHeaderFieldAreMasked() async throws {
        let exchange = LoggedExchange(responseHeaders: ["Location": "https://a.example/?code=s3cr3t&state=s3cr3t&a=4"])
        let text = try await exchange.fullText()
        expect(text, contains: "https://a.example/?code=***&state=***&a=4")
    }

    @Test(.spec(150)) func aLoggerThatIsOffFormatsNothing() async throws {
        let calls = Locked(0)
        let count: @Sendable (String) -> String = { value in
            calls.withLock { $0 += 1 }
            return value
        }
        let exchange = LoggedExchange(requestHeaders: ["X-A": "1"], responseHeaders: ["X-A": "1"])
        for level in [NetworkLoggingLevel.off, .status] {
            let records = try await exchange.records(
                requestLevel: .off,
                responseLevel: level,
                headerMasks: [.contains(name: "x-", map: count)]
            )
            expect(records.count, (level == .off ? 0 : 1))
        }
        expect(calls.withLock { $0 }, 0)
        expect(
            try await exchange.records(responseLevel: .headers, headerMasks: [.contains(name: "x-", map: count)]).count,
            1
        )
        expect(calls.withLock { $0 }, 1)
    }

    @Test(.spec(154)) func aFilterCanSilenceAnEndpoint() async throws {
        struct NoHealth: LoggerFilter {
            func acceptLoggingLevel(for request: URLRequest) -> NetworkLoggingLevel {
                request.url?.path == "/health" ? .off : .full
            }
        }
        let health = LoggedExchange(url: "https://api.example.com/health", failure: URLError(.timedOut))
        expect(try await health.records(requestLevel: .full, filter: NoHealth()), [])
        let other = LoggedExchange(url: "https://api.example.com/items")
        expect(try await other.records(requestLevel: .full, filter: NoHealth()).count, 2)
    }

    @Test func aFilterLimitsRequestsAndResponses() async throws {
        struct NoBodies: LoggerFilter {
            func acceptLoggingLevel(for request: URLRequest) -> NetworkLoggingLevel { [.status, .headers] }
            func acceptLoggingLevel(for response: HTTPURLResponse) -> NetworkLoggingLevel { .status }
        }
        let exchange = LoggedExchange(
            requestHeaders: ["Content-Type": "text/plain"],
            requestBody: Data("question".utf8),
            responseHeaders: ["Content-Type": "text/plain"],
            responseBody: Data("answer".utf8)
        )
        let records = try await exchange.records(requestLevel: .full, responseLevel: .full, filter: NoBodies())
        expect(
            records.map(\.message),
            [
                "GET https://api.example.com/items?page=1\n  Content-Type: text/plain",
                "GET https://api.example.com/items?page=1 → 200 in 12 ms",
            ]
        )
    }

    @Test func aRecordBeginsWithTheTag() throws {
        let stream = RecordingStream()
        DefaultLogger(logStream: stream).log("one", for: .request, type: .critical)
        DefaultLogger(tag: "Shop", logStream: stream).log(["two", "three"], for: .response, type: .info)
        DefaultLogger(logStream: stream, requestLevel: .off).log("never", for: .request, type: .info)
        expect(stream.messages, ["[NetworkClient] one", "[Shop] two\nthree"])
        expect(stream.records.map(\.type), [.critical, .info])
    }

    @Test func defaultLoggersHaveFactories() {
        let stream = RecordingStream()
        let loggers: [any NetworkLogger] = [
            .default, .off, .default(logLevel: .full), .default(requestLevel: .body, logStream: stream),
            .default(requestLevel: .full, responseLevel: .off, headerMasks: [.authorization], logFilter: .always),
            .default(logLevel: .headers, redaction: .allowing(["Accept"]), logStream: stream),
        ]
        expect(loggers.map(\.requestLevel), [.status, .off, .full, .body, .full, .headers])
        expect(loggers.map(\.responseLevel), [.status, .off, .full, .status, .off, .headers])
    }
}
