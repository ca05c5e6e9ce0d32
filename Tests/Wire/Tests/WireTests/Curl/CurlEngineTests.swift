#if os(Linux)
import CCurl
import CTestSystem
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Engines whose libcurl waits for a look-up, or lacks a resource.
struct CurlEngineTests {
    /// The look-ups of a name: from 8.20 on, libcurl looks the two kinds of address up one beside the other.
    private static let kinds = LoadedLibcurl.isOlder(than: 8, 20) ? 1 : 2

    /// The events that end a call while the name of its host is looked up.
    enum Ending: CaseIterable, Sendable {
        case cancellation, timeout, attemptTimeout, connectTimeout, cancelAll
    }

    private func expected(_ ending: Ending) -> Outcome {
        switch ending {
        case .cancellation, .cancelAll: .cancelled
        case .timeout, .attemptTimeout: .failed(.timedOut)
        case .connectTimeout: .failed(.nameNotResolved)
        }
    }

    /// Its plain exchanges are all with one engine, as long as there are fewer than eight.
    private func client(_ ending: Ending) throws -> NetworkClient {
        let connectTimeout = ending == .connectTimeout ? 0.2 : 10
        let transport = try CurlTransport(configuration: .init(connectTimeout: connectTimeout))
        return NetworkClient(transport: transport, logging: .off)
    }

    @Test(.spec(173), .enabled(if: HeldName.isPossible), arguments: Ending.allCases)
    func aCallThatEndsWhileItsNameIsLookedUpEndsAtOnceAndDelaysNoOther(ending: Ending) async throws {
        let server = try LoopbackServer { _ in .respond(body: "1") }
        let name = try HeldName("\(ending).held.test")
        let client = try client(ending)
        var request = URLRequest(url: try #require(URL(string: "http://\(name.name):\(server.port)/held")))
        if ending == .timeout { request.timeoutInterval = 0.2 }
        let held = request
        let options = CallOptions(attemptTimeout: ending == .attemptTimeout ? 0.2 : nil)
        let call = Task { await client.outcome(of: held, options: options) }
        try await withDeadline { try await name.lookups(1) }
        switch ending {
        case .cancellation: call.cancel()
        case .cancelAll: client.cancelAll()
        default: break
        }
        #expect(try await withDeadline { await call.value } == expected(ending))
        for number in 0..<5 {
            let other = URLRequest(url: server.url("/\(number)"))
            #expect(await client.outcome(of: other) == .answered(200, "1"))
        }
        name.release()
        // The engine has the transfer yet, and nothing of it reaches the server.
        for number in 5..<10 {
            let other = URLRequest(url: server.url("/\(number)"))
            #expect(await client.outcome(of: other) == .answered(200, "1"))
        }
        #expect(server.requests.map(\.path) == (0..<10).map { "/\($0)" })
    }

    /// libcurl 8.20 leaves the descriptor full with which the look-up of the name has woken it.
    @Test(.spec(210), .enabled(if: HeldName.isPossible), arguments: [true, false])
    func aCallThatWaitsForAServerCostsNoProcessorTime(isByName: Bool) async throws {
        let name = try HeldName("waits.held.test")
        let host = isByName ? name.name : "127.0.0.1"
        let gate = Gate()
        let server = try LoopbackServer { _ in [.wait(gate, orPeerClose: true), .close] }
        let transport = try CurlTransport()
        let client = NetworkClient(transport: transport, logging: .off)
        var request = URLRequest(url: try #require(URL(string: "http://\(host):\(server.port)")))
        request.timeoutInterval = 0.5
        let call = Task { [request] in await client.outcome(of: request) }
        if isByName { try await withDeadline { try await name.lookups(Self.kinds) } }
        name.release()
        try await withDeadline { try await server.waitForHeads(count: 1) }
        try await transport.expectRest(until: call)
    }

    @Test(.spec(136)) func theConnectionsOfAnIdleEngineAreClosed() async throws {
        let server = try LoopbackServer { _ in .respond(body: "1") }
        var configuration = CurlTransport.Configuration()
        configuration.keepTime = 100_000_000
        let client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
        for number in 1...2 {
            #expect(await client.outcome(of: URLRequest(url: server.url)) == .answered(200, "1"))
            try await withDeadline { try await server.waitForOpenConnections(0) }
            #expect(server.connectionCount == number)
        }
    }

    /// libcurl counts the connections in use when it decides how many to keep.
    @Test(.spec(208)) func twoBusyServersKeepTheirConnectionsAlthoughOneEngineHasAll() async throws {
        let servers = try (0..<2).map { _ in try LoopbackServer(recording: .countsOnly) { _ in .respond(body: "1") } }
        let configuration = CurlTransport.Configuration(connectionsPerHost: 3, connections: 6)
        let client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
        await withTaskGroup(of: Void.self) { group in
            for server in servers + servers + servers {
                group.addTask {
                    for _ in 0..<200 {
                        #expect(await client.outcome(of: URLRequest(url: server.url)) == .answered(200, "1"))
                    }
                }
            }
        }
        #expect(servers.map(\.connectionCount).reduce(0, +) < 12)
    }

    /// The signals, as bits, that are blocked by each thread of an engine, and by each of its threads for look-ups.
    private static func blockedSignals() throws -> [UInt64] {
        let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
        return threads.compactMap { thread in
            // A thread of another test may have ended.
            guard let status = try? String(contentsOfFile: "/proc/self/task/\(thread)/status", encoding: .utf8),
                status.hasPrefix("Name:\tNetworkClient\n")
            else { return nil }
            let line = status.split(separator: "\n").first { $0.hasPrefix("SigBlk:") }
            return line.flatMap { UInt64($0.dropFirst(7).trimmingCharacters(in: .whitespaces), radix: 16) }
        }
    }

    /// Otherwise a crash in code that libcurl calls, such as a body source, would end the process without a word.
    @Test(.spec(215)) func theThreadOfAnEngineBlocksAllSignalsButThoseOfACrashAndOfAProfiler() async throws {
        let engines = CurlEngines(configuration: .init())
        defer { engines.close() }
        _ = try engines.take(for: Self.origin, isStream: false)
        let open = [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF]
        let bits = { (signals: [CInt]) in signals.reduce(0) { $0 | 1 << UInt64($1 - 1) } as UInt64 }
        let (blocked, passed) = (bits([SIGTERM, SIGINT, SIGALRM, SIGUSR1]), bits(open))
        // A thread that begins blocks all of them for a moment.
        try await withDeadline("the threads to block these signals") {
            while true {
                let masks = try Self.blockedSignals()
                if !masks.isEmpty, masks.allSatisfy({ $0 & (blocked | passed) == blocked }) { return }
                await Task.yield()
            }
        }
    }

    /// A stream of one byte, which is available only after `goOn()`.
    private final class WaitingStream: InputStream {
        private let isReading: Gate
        private let mayGoOn = DispatchSemaphore(value: 0)
        private var isAtEnd = false

        init(isReading: Gate) {
            self.isReading = isReading
            super.init(data: Data())
        }

        func goOn() { mayGoOn.signal() }

        override var streamStatus: Stream.Status { isReading.isOpen ? .open : .notOpen }
        override var hasBytesAvailable: Bool { !isAtEnd }
        override func open() {}
        override func close() {}

        override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength len: Int) -> Int {
            guard !isAtEnd else { return 0 }
            isReading.open()
            mayGoOn.wait()
            isAtEnd = true
            buffer[0] = 7
            return 1
        }
    }

    @Test func aStreamThatWaitsDelaysNoOtherCall() async throws {
        let server = try LoopbackServer { _ in .respond(body: "1") }
        let client = try client(.timeout)
        let isReading = Gate()
        let stream = WaitingStream(isReading: isReading)
        var request = URLRequest(url: server.url("/stream"))
        request.httpMethod = "POST"
        request.httpBodyStream = stream
        let sent = request
        async let upload = client.outcome(of: sent)
        try await withDeadline { try await isReading.wait() }
        for _ in 0..<5 {
            #expect(await client.outcome(of: URLRequest(url: server.url("/other"))) == .answered(200, "1"))
        }
        stream.goOn()
        #expect(await upload == .answered(200, "1"))
        #expect(server.requests.first { $0.path == "/stream" }?.body == Data([7]))
    }

    private static let origin = Origin(of: url("http://a"))

    /// And goes on when there are threads again.
    @Test(.enabled(if: HeldName.isPossible)) func aCallThatGetsNoThreadSaysSo() throws {
        try #require(CurlLibrary.problem == nil)
        let engines = CurlEngines(configuration: .init())
        defer { engines.close() }
        let error = #expect(throws: CurlFailure.self) {
            _ = try withoutNewThreads { try engines.take(for: Self.origin, isStream: false).index }
        }
        #expect(error?.detail == "there is no memory or thread left for libcurl")
        #expect(try engines.take(for: Self.origin, isStream: false).index == 0)
    }

    @Test func waitingAtAnInvalidDescriptorFailsAtOnce() {
        var event = ccurl_event()
        #expect(ccurl_sockets_wait(-1, 0, &event, 1) == -1)
    }

    /// A process of its own, since no other thread may be in the middle of something when it forks.
    @Test func aCallInAChildThatWasForkedFailsAndSaysWhy() async {
        await #expect(processExitsWith: .success) {
            try #require(CurlLibrary.problem == nil)
            let engines = CurlEngines(configuration: .init())
            // Before the fork, since the child has no thread that could release a lock.
            _ = CurlEngineTests.origin
            let context = Unmanaged.passUnretained(engines).toOpaque()
            let status = ctest_in_child(
                { context in
                    guard let context else { return 1 }
                    let engines = Unmanaged<CurlEngines>.fromOpaque(context).takeUnretainedValue()
                    do {
                        _ = try engines.take(for: CurlEngineTests.origin, isStream: false)
                        return 2
                    } catch {
                        let failure = error as? CurlFailure
                        return failure?.reason == .unsupported && failure?.detail?.contains("forked") == true ? 0 : 3
                    }
                },
                context
            )
            #expect(status == 0)
            _ = try engines.take(for: CurlEngineTests.origin, isStream: false)
        }
    }
}
#endif
