import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// What `cancelAll()` ends: the code of a call, and not the tasks that user code starts inside it.
struct CallScopeTests {
    /// The places where user code runs inside a call.
    enum Place: CaseIterable {
        case logger
        case interceptor
        case bodySource
        case mapper
        case decoder
        case transport
    }

    /// Starts calls of another client in new tasks.
    private final class Spawner: Sendable {
        private let url: URL
        private let client: NetworkClient
        private let tasks = Locked<[Task<Int, any Error>]>([])

        init(_ url: URL, _ client: NetworkClient) {
            self.url = url
            self.client = client
        }

        func spawn() {
            let task = Task { try await client.fetch(request: URLRequest(url: url)).statusCode }
            tasks.withLock { $0.append(task) }
        }

        var statuses: [Int] {
            get async throws {
                var statuses: [Int] = []
                for task in tasks.withLock({ $0 }) { statuses.append(try await task.value) }
                return statuses
            }
        }
    }

    private struct Logger: NetworkLogger {
        let spawner: Spawner

        func log(_ message: String, for part: NetworkLoggingType, type: LogType) {}
        func log(_ event: NetworkLogEvent) { spawner.spawn() }
    }

    private func passing(_ spawner: Spawner? = nil) -> ClosureInterceptor {
        ClosureInterceptor { request, next in
            spawner?.spawn()
            return try await next(request)
        }
    }

    private struct Source: BodySource {
        let spawner: Spawner

        var length: Int { 1 }

        func open() throws -> any BodyReader {
            spawner.spawn()
            return DataBodySource(Data([1])).open()
        }
    }

    private struct SpawningDecoder: DecoderProtocol {
        let spawner: Spawner

        func decode<T: Decodable>(data: Data) throws -> T {
            spawner.spawn()
            return try DefaultDecoder().decode(data: data)
        }
    }

    private struct SpawningTransport: Transport {
        let wrapped: any Transport
        let spawner: Spawner

        var description: String { "SpawningTransport" }

        func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
            spawner.spawn()
            return try await wrapped.send(request, options: options)
        }
    }

    private func client(_ place: Place, _ transport: any Transport, _ spawner: Spawner) -> NetworkClient {
        let mapper = ResponseErrorMapper { info in
            spawner.spawn()
            return info.error
        }
        return NetworkClient(
            transport: place == .transport ? SpawningTransport(wrapped: transport, spawner: spawner) : transport,
            interceptors: place == .interceptor ? [passing(spawner)] : [],
            decoder: place == .decoder ? SpawningDecoder(spawner: spawner) : .default,
            logging: place == .logger ? Logger(spawner: spawner) : .off,
            apiErrorMapper: place == .mapper ? mapper : .default
        )
    }

    @Test(.spec(126), arguments: TransportUnderTest.all, Place.allCases)
    func cancelAllDoesNotEndTasksThatUserCodeStarted(transport: TransportUnderTest, place: Place) async throws {
        let (gate, never) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            switch request.path {
            case "/inner": [.wait(gate), .respond()]
            default:
                switch place {
                case .mapper: .respond(status: 404)
                case .decoder: .json("1")
                default: [.wait(never, orPeerClose: true), .close]
                }
            }
        }
        // With a custom interceptor, so that its calls run in tasks which inherit task-local values.
        let inner = try transport.client(interceptors: [passing()])
        let spawner = Spawner(server.url("/inner"), inner)
        let client = client(place, try transport.transport(), spawner)
        var request = URLRequest(url: server.url("/outer"))
        if place == .bodySource {
            request.method = .post
            request.httpBodyStream = BodyInputStream(source: Source(spawner: spawner))
        }
        let outer = Task { [request] () -> Int in
            let response: NetworkClient.Response<Int> = try await client.fetch(request: request)
            return response.item
        }
        try await withDeadline("the calls") {
            while !server.heads.contains(where: { $0.path == "/inner" }) { await Task.yield() }
            while !server.heads.contains(where: { $0.path == "/outer" }) { await Task.yield() }
        }
        client.cancelAll()
        if place != .mapper && place != .decoder {
            await #expect(throws: CancellationError.self) { try await withDeadline { try await outer.value } }
        }
        _ = try? await outer.value
        gate.open()
        let statuses = try await withDeadline("the inner calls") { try await spawner.statuses }
        #expect(!statuses.isEmpty)
        #expect(statuses.allSatisfy { $0 == 200 })
    }

    /// The task for the failure is started when the call has been cancelled.
    @Test(.spec(126), arguments: TransportUnderTest.all)
    func aLoggerCanReportACancelledCallThroughAnotherClient(transport: TransportUnderTest) async throws {
        let (reached, never) = (Gate(), Gate())
        let server = try LoopbackServer { request in
            guard request.path == "/outer" else { return .respond() }
            return [.open(reached), .wait(never, orPeerClose: true), .close]
        }
        let spawner = Spawner(server.url("/inner"), try transport.client(interceptors: [passing()]))
        let client = client(.logger, try transport.transport(), spawner)
        let outer = Task { try await client.fetch(request: URLRequest(url: server.url("/outer"))) }
        try await reached.wait()
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await outer.value } }
        let statuses = try await withDeadline("the inner calls") { try await spawner.statuses }
        #expect(statuses.count >= 2)
        #expect(statuses.allSatisfy { $0 == 200 })
    }

    @Test func aCallScopeIsNotCurrentAfterItsCall() async throws {
        let scope = CallScope()
        #expect(CallScope.current == nil)
        let inherited = try await scope.run {
            expect(CallScope.current != nil, true)
            let gate = Gate()
            let task = Task { () -> Bool in
                try await gate.wait()
                return CallScope.current != nil
            }
            #expect(await Task { CallScope.current == nil }.value)
            gate.open()
            return task
        }
        #expect(CallScope.current == nil)
        expect(try await inherited.value, false)
    }
}
