import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What each limit means: those of the standard stack are for waiting, those of the caller hold for the whole call.
struct CallLimitsTests {
    enum Kind: CaseIterable {
        case stream, download, upload, fetch
    }

    /// A body of 60 bytes that takes a second of the clock for each.
    private struct SlowBody: BodySource {
        let clock: TestClock
        var length: Int { 60 }

        func open() -> any BodyReader { Reader(clock: clock) }

        private final class Reader: BodyReader {
            private let clock: TestClock
            private var count = 0

            init(clock: TestClock) {
                self.clock = clock
            }

            func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
                guard count < 60, !buffer.isEmpty else { return 0 }
                if count > 0 { clock.advance(by: 1) }
                count += 1
                buffer[0] = 0x61
                return 1
            }

            func close() {}
        }
    }

    /// The deadline passes between two attempts, the first of which had a limit of its own.
    @Test(.spec(199, 239)) func aLimitThatPassesBeforeAnAttemptBeginsIsTheOneThatIsNamed() async throws {
        let clock = TestClock(advancesItself: true)
        let steps = Recorder<String>()
        let scene = ResilienceScene(
            [.deadline(8), .retry(), SlowInterceptor(clock: clock, before: 5), .waitTimeout(3)],
            clock: clock,
            statuses: [500]
        )
        let request = URLRequest(url: url("https://h/"))
        let configuration = NetworkClient.Configuration(time: clock) { report in
            for step in report.journey.steps { steps.record("\(step)") }
        }
        let client = NetworkClient(
            transport: scene.client.transport,
            interceptors: scene.client.interceptors,
            configuration: configuration
        )
        let error = await #expect(throws: NetworkClient.Error.self) { try await client.fetch(request: request) }
        #expect(error?.description.hasSuffix("it took longer than its deadline of 8 s.") == true)
        expect(steps.values.filter { $0.hasSuffix("decision: it took longer than its deadline of 8 s") }.count, 1)
        expect(scene.sent.count, 1)
    }

    /// Set by options and by interceptors, noticed by the transport and by the chain.
    @Test(
        .spec(282),
        arguments: [
            (CallOptions(idleTimeout: 5), "no byte was sent or received within its idle timeout of 5 s"),
            (CallOptions(attemptTimeout: 5), "it took longer than its attempt timeout of 5 s"),
            (CallOptions(deadline: 5), "it took longer than its deadline of 5 s"),
            (CallOptions(), "it waited longer than its wait timeout of 9 s"),
        ],
        [false, true]
    )
    func aLimitHasOneNameInErrorLogAndJourney(
        row: (options: CallOptions, sentence: String),
        isStream: Bool
    ) async throws {
        let (options, sentence) = row
        let (transport, records) = (
            StubTransport(time: clock, otherwise: .status(200).delayed(by: 30)), RecordingStream()
        )
        let client = NetworkClient(
            transport: transport,
            interceptors: [.deadline(20), .waitTimeout(9)],
            logging: .default(logStream: records),
            configuration: .init(time: clock)
        )
        let request = URLRequest(url: url("https://h/"))
        let error = await #expect(throws: NetworkClient.Error.self) {
            if isStream {
                _ = try await client.stream(request, options: options)
            } else {
                try await client.fetch(request: request, options: options)
            }
        }
        expect(error?.description, "The request to 'https://h/' failed: \(sentence).")
        expect(error?.journey?.steps.last?.detail, "timedOut, \(sentence)")
        expect(records.messagesWithoutDuration.map { $0.hasSuffix("failed: \(sentence).") }, [true])
    }

    private let clock = TestClock(advancesItself: true)
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    /// Makes a call whose bytes move for a minute.
    private func call(
        _ kind: Kind,
        _ options: CallOptions = CallOptions(),
        headAfter delay: Double = 0,
        interceptors: [any InterceptorProtocol]
    ) async throws -> Int {
        let transport = StubTransport(time: clock)
        let chunks = Array(repeating: Data("a".utf8), count: 61)
        let response: StubTransport.Response = kind == .upload ? .status(200) : .chunks(chunks, every: 1)
        transport.on(.any, response.delayed(by: delay))
        let client = NetworkClient(transport: transport, interceptors: interceptors, configuration: .init(time: clock))
        let request = URLRequest(url: url("https://api.example.com/"))
        switch kind {
        case .stream: return try await client.stream(request, options: options).item.data().count
        case .download:
            let file = folder.url.appendingPathComponent("file")
            _ = try await client.download(request, to: file, options: options).value
            return try Data(contentsOf: file).count
        case .upload:
            var request = request
            request.httpMethod = "PUT"
            request.httpBodyStream = BodyInputStream(source: SlowBody(clock: clock))
            _ = try await client.upload(request, options: options).value
            return transport.requests.last?.body.count ?? 0
        case .fetch: return try await client.fetch(request: request, as: Data.self, options: options).item.count
        }
    }

    @Test(.spec(199), arguments: [Kind.stream, .download, .upload])
    func bytesThatMoveForAMinutePassTheStandardStack(kind: Kind) async throws {
        let count = try await call(kind, interceptors: [.standardResilience()])
        expect(count, (kind == .upload ? 60 : 61))
        #expect(clock.now >= 59)
    }

    @Test(.spec(112, 199)) func theBodyOfAFetchIsPartOfTheLimitsOfTheStandardStack() async throws {
        let stack = try InterceptorStack([.standardResilience(retry: .never)])
        await #expect { try await call(.fetch, interceptors: [stack]) } throws: {
            "\($0)".hasSuffix("it waited longer than its wait timeout of 10 s.")
        }
    }

    @Test(.spec(199), arguments: [Kind.stream, .download, .upload])
    func theHeadOfATransferIsPartOfTheLimitsOfTheStandardStack(kind: Kind) async throws {
        let stack = try InterceptorStack([.standardResilience(retry: .never)])
        await #expect { try await call(kind, headAfter: 15, interceptors: [stack]) } throws: {
            "\($0)".hasSuffix("it waited longer than its wait timeout of 10 s.")
        }
    }

    @Test(
        .spec(199),
        arguments: [Kind.stream, .download, .upload, .fetch],
        [
            (CallOptions { $0.deadline = 20 }, "its deadline of 20 s"),
            (CallOptions(attemptTimeout: 20), "its attempt timeout of 20 s"),
        ]
    )
    func aLimitThatTheCallerWritesHoldsForTheWholeCallAndTheErrorNamesIt(
        kind: Kind,
        limit: (options: CallOptions, name: String)
    ) async throws {
        let stack = try InterceptorStack([.standardResilience(deadline: 1_000, retry: .never, waitTimeout: 15)])
        var options = limit.options
        // A fetch has the limits of the stack as well.
        if kind == .fetch, options.attemptTimeout == nil { options.attemptTimeout = .infinity }
        await #expect { try await call(kind, options, interceptors: [stack]) } throws: {
            "\($0)".hasSuffix("it took longer than \(limit.name).")
        }
    }

    @Test(.spec(281), arguments: Kind.allCases) func aDeadlineOfACallNeedsNoInterceptor(kind: Kind) async throws {
        await #expect { try await call(kind, CallOptions(deadline: 20), interceptors: []) } throws: {
            "\($0)".hasSuffix("it took longer than its deadline of 20 s.")
        }
    }

    @Test(.spec(281), arguments: TransportUnderTest.all)
    func aDeadlineOfACallEndsTheWaitForASilentServer(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { _ in [.wait(Gate())] }
        let call = Task { [client = try transport.client()] in
            try await client.fetch(request: URLRequest(url: server.url), options: CallOptions(deadline: 0.3))
        }
        await #expect { try await withDeadline { try await call.value } } throws: {
            "\($0)".hasSuffix("it took longer than its deadline of 0.3 s.")
        }
    }

    @Test(.spec(199), arguments: Kind.allCases)
    func infinityRemovesALimitOfTheStackForOneCall(kind: Kind) async throws {
        let options = CallOptions {
            $0.deadline = .infinity
            $0.attemptTimeout = .infinity
        }
        let count = try await call(kind, options, interceptors: [.standardResilience()])
        expect(count, (kind == .upload ? 60 : 61))
    }

    @Test(.spec(137, 199), arguments: TransportUnderTest.all(without: .hearsOfHeadsLate))
    func aDownloadThatBreaksOffAfterAMinuteIsRetriedByTheStandardStack(transport: TransportUnderTest) async throws {
        let (clock, end, count) = (TestClock(), Gate(), Recorder<Int>())
        let server = try LoopbackServer { _ in
            count.record(1)
            guard count.count == 1 else { return .respond(body: "whole") }
            let part = String(repeating: "a", count: 20_000)
            return [.send("HTTP/1.1 200 OK\r\nContent-Length: 40000\r\n\r\n\(part)"), .wait(end), .close]
        }
        let client = NetworkClient(
            transport: try transport.transport(),
            interceptors: [try .standardResilience()],
            configuration: .init(time: clock)
        )
        let file = folder.url.appendingPathComponent("file")
        let download = client.download(URLRequest(url: server.url), to: file)
        for await progress in download.progress where progress.completed > 0 { break }
        clock.advance(by: 60)
        end.open()
        try await withDeadline { try await clock.waitForSleepers() }
        clock.advance(by: 1)
        expect(try await withDeadline { try await download.value.journey.attempts }, 2)
        expect(try String(contentsOf: file, encoding: .utf8), "whole")
    }

    @Test(.spec(146, 199)) func aBodyThatPausesLongerThanTheIdleTimeoutEnds() async throws {
        let transport = StubTransport(time: clock)
        transport.on(.any, .chunks([Data("a".utf8), Data("b".utf8)], every: 61))
        let client = NetworkClient(
            transport: transport,
            interceptors: [try .standardResilience()],
            configuration: .init(time: clock)
        )
        let body = try await client.stream(URLRequest(url: url("https://api.example.com/"))).item
        await #expect { try await body.data() } throws: { ($0 as? NetworkClient.Error)?.isTimeout == true }
    }

    @Test(.spec(199), arguments: TransportUnderTest.all)
    func theLimitOfAHeadEndsAnExchangeOnTheWireAndItsBodyHasNone(transport: TransportUnderTest) async throws {
        let (clock, isOpen, rest) = (TestClock(), Gate(), Gate())
        let server = try LoopbackServer { request in
            guard request.path == "/body" else { return [.open(isOpen), .wait(Gate())] }
            return [
                .send("HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n\(String(repeating: "a", count: 1_000))"),
                .wait(rest), .send(String(repeating: "b", count: 24)),
            ]
        }
        let client = NetworkClient(
            transport: try transport.transport(),
            interceptors: [try .standardResilience(retry: .never)],
            configuration: .init(time: clock)
        )
        let silent = Task { try await client.stream(URLRequest(url: server.url("/silent"))) }
        try await isOpen.wait()
        try await withDeadline { try await clock.waitForSleepers() }
        clock.advance(by: 10)
        await #expect { try await withDeadline { try await silent.value } } throws: {
            "\($0)".hasSuffix("it waited longer than its wait timeout of 10 s.")
        }
        let body = try await client.stream(URLRequest(url: server.url("/body"))).item
        clock.advance(by: 100)
        rest.open()
        expect(try await withDeadline { try await body.data().count }, 1_024)
    }

    @Test(.spec(187, 203)) func theAttemptTimeoutOfASharedCallIsOnTheClockOfItsClient() async throws {
        let clock = TestClock()
        let transport = StubTransport(time: clock)
        transport.on(.any, .status(200).delayed(by: 100))
        let client = NetworkClient(transport: transport, configuration: .init(attemptTimeout: 5, time: clock))
        let request = URLRequest(url: url("https://api.example.com/")).withInstanceCaching()
        let call = Task { try await client.fetch(request: request) }
        try await withDeadline { try await clock.waitForSleepers(2) }
        clock.advance(by: 6)
        await #expect { try await withDeadline { try await call.value } } throws: {
            "\($0)".hasSuffix("it took longer than its attempt timeout of 5 s.")
        }
    }
}
