import Foundation
import NetworkClient
import NetworkTestSupport
import NetworkUtilities
import Testing

/// The records of real exchanges.
struct LoggingOnTheWireTests {
    enum Spelling: CaseIterable {
        case canonical, lower, upper, mixed

        func callAsFunction(_ name: String) -> String {
            switch self {
            case .canonical: name
            case .lower: name.lowercased()
            case .upper: name.uppercased()
            case .mixed: name.enumerated().map { $0.isMultiple(of: 2) ? $1.lowercased() : $1.uppercased() }.joined()
            }
        }
    }

    /// A logger, stream, filter and mask that records each call.
    private struct Counting: LogStream, LoggerFilter, NetworkLogger {
        let calls: Recorder<String>
        var requestLevel: NetworkLoggingLevel { .off }
        var responseLevel: NetworkLoggingLevel { .off }
        var formatter: NetworkLogFormatter {
            calls.record("formatter")
            return NetworkLogFormatter()
        }
        func log(_ message: String, for type: LogType) { calls.record("stream") }
        func log(_ message: String, for part: NetworkLoggingType, type: LogType) { calls.record("text") }
        func log(_ event: NetworkLogEvent) { calls.record("event") }
        func acceptLoggingLevel(for request: URLRequest) -> NetworkLoggingLevel {
            calls.record("filter")
            return .full
        }
        func acceptLoggingLevel(for response: HTTPURLResponse) -> NetworkLoggingLevel {
            calls.record("filter")
            return .full
        }
    }

    private static let secretNames = ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-API-Key"]

    private func text(
        of request: (URL) throws -> URLRequest,
        answer: Script = .respond(),
        masks: [HeaderMasks] = [],
        redaction: LogRedaction = .sensitive
    ) async throws -> String {
        let stream = RecordingStream()
        let server = try LoopbackServer { _ in answer }
        let logger = DefaultLogger.default(
            logLevel: .full,
            headerMasks: masks,
            redaction: redaction,
            logStream: stream
        )
        let client = NetworkClient(logging: logger)
        _ = try? await client.fetch(request: request(server.url("/items")))
        expect(server.requestCount, 1)
        expect(stream.messages.count, 2)
        return stream.text
    }

    @Test(.spec(149), arguments: Spelling.allCases, [200, 401])
    func credentialsAreNeverLogged(spelling: Spelling, status: Int) async throws {
        let names = Self.secretNames.map { spelling($0) }
        let fields = names.map { WireField(name: $0, value: "s3cr3t=1; Path=/") }
        let text = try await text(
            of: { url in
                let stage = URLRequest.get(url: url).set(header: .custom(name: spelling("X-Plain"), value: "shown"))
                return names.reduce(stage) { $0.set(header: .custom(name: $1, value: "Bearer s3cr3t")) }.build()
            },
            answer: .respond(status: status, headers: WireFields(fields))
        )
        expect(text, lacks: "s3cr3t")
        for name in names { expect(text, contains: "  \(name): ***") }
        #expect(text.contains("\(spelling("X-Plain")): shown"))
    }

    @Test(.spec(149), arguments: Spelling.allCases)
    func customHeaderMasksAreApplied(spelling: Spelling) async throws {
        let text = try await text(
            of: { URLRequest.get(url: $0).set(header: .custom(name: spelling("X-Tenant"), value: "acme")).build() },
            answer: .respond(headers: WireFields([WireField(name: spelling("X-Tenant"), value: "umbrella")])),
            masks: [.has(name: "x-tenant") { "\($0.count) letters" }]
        )
        expect(text, contains: "4 letters", "8 letters")
        expect(text, lacks: "acme", "umbrella")
    }

    @Test(.spec(150)) func anExchangeIsLoggedOnOneLineByDefault() async throws {
        let stream = RecordingStream()
        let server = try LoopbackServer { _ in .json(#"{"a":"s3cr3t"}"#) }
        let client = NetworkClient(logging: .default(logStream: stream))
        let request = try URLRequest.post(url: server.url("/items")).bodyJson(of: ["a": "s3cr3t"])
            .add(query: "page", value: "1").set(header: .custom(name: "X-A", value: "s3cr3t")).build()
        try await client.fetch(request: request)
        let message = try #require(stream.messages.first)
        let start = "[NetworkClient] POST http://127.0.0.1:\(server.port)/items?page=1 → 200 in "
        expect(stream.messages.count, 1)
        #expect(message.hasPrefix(start))
        // On a busy machine this can take ten seconds or more, which has another unit.
        let duration = message.dropFirst(start.count).split(separator: " ")
        #expect(duration.count == 2 && Double(duration[0]) != nil && ["ms", "s"].contains(duration[1]))
        let defaults: any NetworkLogger = .default
        expectAll((defaults.requestLevel, defaults.responseLevel), (.status, .status))
    }

    @Test(.spec(150)) func aLoggerThatIsOffIsNeverCalled() async throws {
        let calls = Recorder<String>()
        let counting = Counting(calls: calls)
        let mask = HeaderMasks.contains(name: "") { text in
            calls.record("mask")
            return text
        }
        let off = DefaultLogger(
            logStream: counting,
            logFilter: counting,
            requestLevel: .off,
            responseLevel: .off,
            headerMasks: [mask]
        )
        let server = try LoopbackServer(routes: ["/ok": .json("1")])
        let loggers: [any NetworkLogger] = [off, counting]
        for logger in loggers {
            for client in [NetworkClient(logging: logger), NetworkClient(interceptors: [.logging(off)], logging: .off)]
            {
                for path in ["/ok", "/missing"] {
                    let request = URLRequest.get(url: server.url(path)).set(header: .authorisation(auth: "t")).build()
                    _ = try? await client.fetch(request: request)
                }
            }
        }
        expect(server.requestCount, 8)
        expect(calls.values, [])
    }

    @Test(.spec(151)) func queriesFormsAndJSONAreMaskedInTheLog() async throws {
        let answer = Script.json(#"{"items":[{"password":"s3cr3t","name":"Ada"}],"access_token":{"a":"s3cr3t"}}"#)
        let form = try await text(
            of: {
                try URLRequest.post(url: $0).bodyForm(params: [
                    "user": ["password": "s3cr3t"], "pin": "s3cr3t", "a": "b",
                ])
                .add(query: "api_key", value: "s3cr3t").add(query: "page", value: "7").build()
            },
            answer: answer
        )
        let json = try await text(
            of: { try URLRequest.put(url: $0).bodyJson(of: [["clientSecret": "s3cr3t", "b": "c"]]).build() },
            answer: answer
        )
        for text in [form, json] {
            expect(text, lacks: "s3cr3t")
            expect(text, contains: #""password": "***""#, #""access_token": "***""#)
            expect(text, contains: #""name": "Ada""#)
        }
        expect(form, contains: "?api_key=***&page=7")
        expect(form, contains: "user[password]=***", "pin=***", "a=b")
        expect(json, contains: #""clientSecret": "***""#, #""b": "c""#)
    }

    @Test(.spec(151)) func onlyAllowedValuesAreLogged() async throws {
        let text = try await text(
            of: {
                try URLRequest.post(url: $0).bodyJson(of: ["id": "shown-1", "name": "hidden"])
                    .add(query: "page", value: "shown-2").add(query: "q", value: "hidden")
                    .set(header: .custom(name: "X-A", value: "shown-3")).set(
                        header: .custom(name: "X-B", value: "hidden")
                    )
                    .build()
            },
            answer: .respond(
                headers: ["X-A": "shown-4", "X-B": "hidden", "Content-Type": "text/plain"],
                body: "hidden"
            ),
            redaction: .allowing(["id", "page", "x-a", "content-type"])
        )
        for number in 1...4 { expect(text, contains: "shown-\(number)") }
        expect(text, lacks: "hidden")
    }
}
