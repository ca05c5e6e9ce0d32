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
    /// The events that end a call while the name of its host is looked up.
    enum Ending: CaseIterable, Sendable {
        case cancellation, timeout, totalTimeout, connectTimeout, cancelAll
    }

    private func expected(_ ending: Ending) -> Outcome {
        [.cancellation, .cancelAll].contains(ending) ? .cancelled : .failed(.timedOut)
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
        let options = CallOptions(totalTimeout: ending == .totalTimeout ? 0.2 : nil)
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

    @Test(.spec(173), .enabled(if: HeldName.isPossible))
    func callsThatWereGivenUpTakeNoRoomFromOthers() async throws {
        let server = try LoopbackServer { _ in .respond(body: "1") }
        let name = try HeldName("many.held.test")
        let configuration = CurlTransport.Configuration(connectionsPerHost: 2, connections: 2)
        let client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
        let held = URLRequest(url: try #require(URL(string: "http://\(name.name):\(server.port)/held")))
        for number in 1...6 {
            let call = Task { try await client.fetch(request: held) }
            try await withDeadline { try await name.lookups(number) }
            call.cancel()
            await #expect(throws: CancellationError.self) {
                _ = try await withDeadline { try await call.value }
            }
        }
        #expect(await client.outcome(of: URLRequest(url: server.url)) == .answered(200, "1"))
        name.release()
        #expect(await client.outcome(of: URLRequest(url: server.url)) == .answered(200, "1"))
        #expect(server.requests.count == 2)
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

    @Test func aPollerWithoutDescriptorsDoesNotWait() {
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
