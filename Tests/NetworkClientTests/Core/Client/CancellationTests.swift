import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// Cancellation at each point of a call's life: prompt, exact, and seen by the server.
struct CancellationTests {
    private final class Scene: Sendable {
        let reached = Gate()
        let never = Gate()
        let server: LoopbackServer
        let client: NetworkClient
        let point: CancellationMoment.Point
        let deaf: UnansweringPort?

        init(_ moment: CancellationMoment) throws {
            let (reached, never, point) = (reached, never, moment.point)
            self.point = point
            deaf = point == .whileConnecting ? try UnansweringPort() : nil
            let hold: Script = [.open(reached), .wait(never, orPeerClose: true), .close]
            server = try LoopbackServer(
                onHead: { _ in
                    guard point == .whileSending else { return .none }
                    return .interim([.open(reached), .wait(never, orPeerClose: true), .close])
                },
                handler: { request in
                    switch point {
                    case .insideTheHead: [.send("HTTP/1.1 200 OK\r\nX-"), hold]
                    case .insideTheBody: [.respond(length: .stated(5), body: "12"), hold]
                    case .betweenRedirects: request.path == "/" ? .redirect(to: "/next") : hold
                    case .whileTheMapperRuns: .respond(status: 404)
                    case .whileAnInterceptorWaits, .beforeTheCall: .respond()
                    default: hold
                    }
                }
            )
            let waits = CancellationTests.waiting(
                reached: point == .whileAnInterceptorWaits ? reached : nil,
                never: never
            )
            let mapper = ResponseErrorMapper { info in
                reached.open()
                do { try await never.wait() } catch { return error }
                return info.error
            }
            client = NetworkClient(
                transport: try moment.transport.transport(hasOneConnection: true),
                interceptors: moment.isPrompt ? [] : [waits],
                logging: .off,
                apiErrorMapper: point == .whileTheMapperRuns ? mapper : .default
            )
        }
    }

    private static func waiting(reached: Gate?, never: Gate) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            if let reached {
                reached.open()
                try await never.wait()
            }
            return try await next(request)
        }
    }

    private func request(_ scene: Scene) -> URLRequest {
        guard scene.point == .whileSending else { return URLRequest(url: scene.server.url("/")) }
        var request = URLRequest(url: scene.server.url("/"))
        request.method = .post
        request.httpBody = Data(repeating: 1, count: 16 << 20)
        return request
    }

    /// Starts a call, and waits until it has reached the point.
    private func start(_ scene: Scene) async throws -> Task<Void, any Error> {
        let request = request(scene)
        let client = scene.client
        switch scene.point {
        case .beforeTheCall:
            return Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await client.fetch(request: request)
            }
        case .whileConnecting:
            let deaf = try #require(scene.deaf)
            let call = Task { _ = try await client.fetch(request: URLRequest(url: deaf.url)) }
            try await withDeadline("an attempt to connect") {
                while deaf.waitingCount == 0 { await Task.yield() }
            }
            return call
        default:
            let first = Task { _ = try await client.fetch(request: request) }
            try await withDeadline("the point") { try await scene.reached.wait() }
            guard scene.point == .whileWaitingForAConnection else { return first }
            // The first one holds the only connection; it ends with the server.
            return Task { _ = try await client.fetch(request: request) }
        }
    }

    @Test(.spec(123), arguments: CancellationMoment.all)
    func cancellingATaskEndsItsCallPromptly(moment: CancellationMoment) async throws {
        let (scene, point) = (try Scene(moment), moment.point)
        let task = try await start(scene)
        task.cancel()
        await #expect(throws: CancellationError.self) {
            try await withDeadline("a call cancelled \(point)") { try await task.value }
        }
        if point == .beforeTheCall { expect(scene.server.connectionCount, 0) }
        if point != .whileWaitingForAConnection { try await waitForTheEnd(of: scene) }
        scene.server.stop()
    }

    /// Waits until the client has closed its connection, unless the response is complete: then it keeps it.
    ///
    /// A server that stops inside a head before that would end the process with URLSession on Linux.
    private func waitForTheEnd(of scene: Scene) async throws {
        guard scene.point != .whileTheMapperRuns else { return }
        try await withDeadline("the connection's end") {
            try await scene.server.waitForOpenConnections(0)
            while let deaf = scene.deaf, deaf.waitingCount > 0 { await Task.yield() }
        }
    }

    @Test(.spec(126), arguments: CancellationMoment.all.filter { $0.point != .beforeTheCall })
    func cancelAllEndsEveryCall(moment: CancellationMoment) async throws {
        let (scene, point) = (try Scene(moment), moment.point)
        let task = try await start(scene)
        while point == .whileWaitingForAConnection, scene.client.calls.count < 2 { await Task.yield() }
        scene.client.cancelAll()
        await #expect(throws: CancellationError.self) {
            try await withDeadline("a call cancelled \(point)") { try await task.value }
        }
        try await waitForTheEnd(of: scene)
        scene.server.stop()
    }

    @Test(.spec(126), arguments: [true, false])
    func cancelAllEndsSharedCallsAndCallsOfACustomTransport(isShared: Bool) async throws {
        let (reached, never) = (Gate(), Gate())
        let transport = ClosureTransport { _ in
            reached.open()
            try await never.wait()
            return (Data(), .made())
        }
        let client = NetworkClient(transport: transport, logging: .off)
        let request = URLRequest(url: url("http://h"))
        let calls = (0..<3).map { _ in
            Task { try await client.fetch(request: isShared ? request.withInstanceCaching() : request) }
        }
        try await reached.wait()
        while client.calls.count < 3 { await Task.yield() }
        client.cancelAll()
        for call in calls {
            await #expect(throws: CancellationError.self) {
                try await withDeadline("a cancelled call") { try await call.value }
            }
        }
        expect(client.calls.count, 0)
    }

    /// The ways to make a call with a custom transport.
    enum CallKind: CaseIterable {
        case plain
        case intercepted
        case shared
        case streamed
    }

    private func call(_ client: NetworkClient, _ kind: CallKind, _ url: URL) async throws {
        let request = URLRequest(url: url)
        switch kind {
        case .plain, .intercepted: try await client.fetch(request: request)
        case .shared: try await client.fetch(request: request.withInstanceCaching())
        case .streamed: _ = try await client.stream(request)
        }
    }

    @Test(.spec(90, 126, 170), arguments: CallKind.allCases, [true, false])
    func cancelAllEndsCallsOfATransportThatUsesURLSession(kind: CallKind, isByTheTask: Bool) async throws {
        let (reached, never) = (Gate(), Gate())
        let server = try LoopbackServer { _ in [.open(reached), .wait(never, orPeerClose: true), .close] }
        let configuration = URLSessionConfiguration.ephemeral
        // On Linux a cache makes cancellation crash.
        configuration.urlCache = nil
        let session = URLSession(configuration: configuration)
        let transport = ClosureTransport { request in
            let (data, response) = try await session.data(for: request)
            return (data, try #require(response as? HTTPURLResponse))
        }
        let log = RecordingStream()
        let client = NetworkClient(
            transport: transport,
            interceptors: kind == .intercepted ? [Self.waiting(reached: nil, never: never)] : [],
            logging: .default(logLevel: .status, logStream: log)
        )
        let call = Task { try await self.call(client, kind, server.url) }
        try await reached.wait()
        if isByTheTask { call.cancel() } else { client.cancelAll() }
        await #expect(throws: CancellationError.self) {
            try await withDeadline("a cancelled call") { try await call.value }
        }
        expect(log.messages.joined(), lacks: "secure connection")
    }

    @Test(.spec(126, 170), arguments: CallKind.allCases)
    func cancelAllEndsCallsWhateverErrorTheirTransportThrows(kind: CallKind) async throws {
        struct Failure: Error {}
        for error in [TransportError(.connectionLost), URLError(.networkConnectionLost), Failure()] as [any Error] {
            let (reached, never) = (Gate(), Gate())
            let transport = ClosureTransport { _ in
                reached.open()
                do { try await never.wait() } catch { throw error }
                throw error
            }
            let interceptors = kind == .intercepted ? [Self.waiting(reached: nil, never: never)] : []
            let client = NetworkClient(transport: transport, interceptors: interceptors, logging: .off)
            let call = Task { try await self.call(client, kind, url("http://h")) }
            try await reached.wait()
            client.cancelAll()
            await #expect(throws: CancellationError.self) {
                try await withDeadline("a cancelled call") { try await call.value }
            }
        }
    }

    @Test(arguments: TransportUnderTest.all)
    func cancelAllDoesNotCancelTheCallersTask(transport: TransportUnderTest) async throws {
        let (reached, never) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            request.path == "/held" ? [.open(reached), .wait(never, orPeerClose: true), .close] : .respond()
        }
        let client = try transport.client()
        let task = Task {
            await #expect(throws: CancellationError.self) {
                try await client.fetch(request: URLRequest(url: server.url("/held")))
            }
            #expect(!Task.isCancelled)
            return try await client.fetch(request: URLRequest(url: server.url("/"))).statusCode
        }
        try await reached.wait()
        client.cancelAll()
        expect(try await task.value, 200)
    }

    @Test(.spec(126)) func aCallMayCallCancelAll() async throws {
        let holder = Locked<NetworkClient?>(nil)
        let quit = ClosureInterceptor { request, next in
            holder.withLock { $0 }?.cancelAll()
            return try await next(request)
        }
        let transport = ClosureTransport(json: "1")
        let client = NetworkClient(transport: transport, interceptors: [quit], logging: .off)
        holder.withLock { $0 = client }
        await #expect(throws: CancellationError.self) {
            try await client.fetch(request: URLRequest(url: url("http://h")))
        }
        holder.withLock { $0 = nil }
    }

    @Test(.spec(123), arguments: TransportUnderTest.all)
    func aCancelledCallClosesItsConnection(transport: TransportUnderTest) async throws {
        var fastest = Double.infinity
        for _ in 0..<10 {
            let (arrived, closed) = (Gate(), Gate())
            let server = try LoopbackServer { _ in
                [.respond(length: .stated(2), body: "1"), .open(arrived), .awaitPeerClose(then: closed)]
            }
            let client = try transport.client()
            let call = Task { try await client.fetch(request: URLRequest(url: server.url)) }
            try await arrived.wait()
            let start = DispatchTime.now().uptimeNanoseconds
            call.cancel()
            await #expect(throws: CancellationError.self) {
                try await withDeadline("a cancelled call") { try await call.value }
            }
            fastest = min(fastest, Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
            try await withDeadline("the connection's end") { try await closed.wait() }
        }
        // Each takes less than that on an idle machine.
        #expect(fastest < 0.2)
    }

    @Test(arguments: TransportUnderTest.all)
    func aCallThatIsCancelledAsItCompletesEndsOnce(transport: TransportUnderTest) async throws {
        let last = Locked(Gate())
        let server = try LoopbackServer(recording: .countsOnly) { _ in
            [.respond(length: .stated(2), body: "4"), .send("2"), .open(last.withLock { $0 })]
        }
        let client = try transport.client()
        var ends: Set<Outcome> = []
        for turns in 0..<100 {
            let gate = Gate()
            last.withLock { $0 = gate }
            let call = Task { () -> NetworkClient.Response<Data> in
                try await client.fetch(request: URLRequest(url: server.url))
            }
            try await withDeadline { try await gate.wait() }
            for _ in 0..<turns % 10 { await Task.yield() }
            call.cancel()
            ends.insert(await Outcome { try await call.value })
        }
        #expect(ends.isSubset(of: [.answered(200, "42"), .cancelled]))
        expect(client.calls.count, 0)
        expect(await client.outcome(of: URLRequest(url: server.url)), .answered(200, "42"))
    }

    @Test(arguments: TransportUnderTest.all)
    func callsMayBeCancelledAtRandomMoments(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(recording: .countsOnly) { request in
            switch request.path {
            case "/redirect": .redirect(to: "/json")
            case "/chunked": .chunked(["[1", ",2]"])
            case "/error": .respond(status: 404, body: "no")
            case "/broken": [.respond(length: .stated(10), body: "123"), .close]
            case "/large": .respond(body: String(repeating: "x", count: 20_000))
            default: .json("[1,2]")
            }
        }
        let client = try transport.client()
        let paths = ["/json", "/redirect", "/chunked", "/error", "/broken", "/large"]
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<16 {
                group.addTask {
                    for index in 0..<75 {
                        var request = URLRequest(url: server.url(paths[(worker + index) % paths.count]))
                        if index.isMultiple(of: 3) { request = request.withInstanceCaching() }
                        if index.isMultiple(of: 7) {
                            request.method = .post
                            request.httpBody = Data([1, 2, 3])
                        }
                        let call = Task { [request] in try? await client.fetch(request: request) }
                        for _ in 0..<Int.random(in: 0..<40) { await Task.yield() }
                        if Bool.random() { call.cancel() }
                        _ = await call.value
                    }
                }
            }
        }
        expect(client.calls.count, 0)
        expect(client.sharing.exchangeCount, 0)
        if let session = client.transport as? URLSessionTransport {
            try await withDeadline("the end of all exchanges") {
                while session.delegate.exchangeCount > 0 { await Task.yield() }
            }
        }
        expect(try await client.fetch(request: URLRequest(url: server.url)).httpResponse.statusCode, 200)
    }
}
