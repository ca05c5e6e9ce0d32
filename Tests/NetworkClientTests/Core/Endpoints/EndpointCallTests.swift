import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

private struct Unusable: Error, Equatable {}

/// An endpoint whose request and value are made by closures.
private struct ScriptedEndpoint<Value: Sendable>: Endpoint {
    typealias Response = Int

    var make: @Sendable (URLRequest.PathBuilder) throws -> URLRequest = { try $0.get(path: "/numbers").build() }
    var options = CallOptions()
    let finish: @Sendable (NetworkClient.Response<Int>) async throws -> Value

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest { try make(builder) }

    func value(from response: NetworkClient.Response<Int>) async throws -> Value { try await finish(response) }
}

/// The call of an endpoint is one call, from its request to its value.
struct EndpointCallTests {
    private let transport = StubTransport()
    private let reports = Recorder<CallReport>()

    private func client(
        interceptors: [any InterceptorProtocol] = [],
        logging: any NetworkLogger = .off
    ) -> NetworkClient {
        NetworkClient(
            transport: transport,
            interceptors: interceptors,
            logging: logging,
            configuration: .init(baseURL: url("https://api.example.com/v1")) { [reports] in reports.record($0) }
        )
    }

    @Test(.spec(92)) func aCallIsReportedOnceWithTheRequestOfItsEndpoint() async throws {
        transport.on(.any, .text("7"))
        let response = try await client().send(ScriptedEndpoint { "\($0.item) of \($0.statusCode)" })
        expect(response.item, "7 of 200")
        let report = try #require(reports.values.first)
        expect(reports.count, 1)
        expect(report.request.url?.absoluteString, "https://api.example.com/v1/numbers")
        #expect(report.error == nil && report.response?.statusCode == 200 && report.journey.attempts == 1)
    }

    @Test(.spec(92)) func aRequestThatCannotBeMadeIsReportedOnceAndNothingIsSent() async throws {
        let endpoint = ScriptedEndpoint(make: { _ in throw Unusable() }, finish: { $0.item })
        let client = client()
        await #expect(throws: Unusable()) { try await client.send(endpoint) }
        await #expect(throws: Unusable()) { try await client.stream(endpoint) }
        await #expect(throws: Unusable()) { try await client.upload(endpoint).value }
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("f")
        await #expect(throws: Unusable()) { try await client.download(endpoint, to: file).value }
        expect(reports.values.map { $0.error is Unusable }, [true, true, true, true])
        expect(reports.values.map(\.request.url), [nil, nil, nil, nil])
        #expect(transport.requests.isEmpty)
    }

    @Test(.spec(153, 287)) func aRequestThatCannotBeMadeIsLoggedOnceAndNamesNoOther() async throws {
        let stream = RecordingStream()
        let client = client(logging: .default(logLevel: .status, logStream: stream))
        let endpoint = ScriptedEndpoint(make: { try $0.get(path: "/a/\("..")").build() }, finish: { $0.item })
        await #expect(throws: RequestPathError.self) { try await client.send(endpoint) }
        let message = try #require(stream.messages.first)
        expect(stream.messages.count, 1)
        for part in ["a request that cannot be built failed after ", " (not sent): "] {
            expect(message, contains: part)
        }
        expect(message, lacks: "GET")
    }

    @Test func aBodyThatCannotBeEncodedIsAnErrorOfTheClient() async throws {
        let endpoint = ScriptedEndpoint(
            make: { try $0.post(path: "/a").bodyJson(of: ["n": Double.infinity]).build() },
            finish: { $0.item }
        )
        let error = await #expect(throws: NetworkClient.Error.self) { try await client().send(endpoint) }
        guard case .encodingError(.json(let path, _)) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        expect(path, "n")
    }

    @Test(.spec(92)) func aValueThatCannotBeMadeFailsTheCallWithoutAnotherAttempt() async throws {
        transport.on(.any, .text("7"))
        let endpoint = ScriptedEndpoint { _ -> String in throw Unusable() }
        await #expect(throws: Unusable()) { try await client(interceptors: [.retry()]).send(endpoint) }
        expect(reports.values.map { $0.error is Unusable }, [true])
        expect(reports.values.first?.response?.statusCode, 200)
        expect(transport.requests.count, 1)
    }

    @Test(.spec(92)) func aResponseThatCannotBeDecodedIsReportedOnce() async throws {
        transport.on(.any, .text("seven"))
        await #expect(throws: NetworkClient.Error.self) { try await client().send(ScriptedEndpoint { $0.item }) }
        expect(reports.count, 1)
    }

    @Test(.spec(92), arguments: [false, true])
    func cancellingTheTaskEndsTheWaitOfAnEndpointForItsValue(hasInterceptor: Bool) async throws {
        transport.on(.any, .text("7"))
        let (reached, never) = (Gate(), Gate())
        let endpoint = ScriptedEndpoint { response in
            reached.open()
            try await never.wait()
            return response.item
        }
        let client = client(interceptors: hasInterceptor ? [IdempotencyKeyInterceptor()] : [])
        let call = Task { try await client.fetch(endpoint).item }
        try await reached.wait()
        call.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        expect(reports.values.map(\.isCancelled), [true])
    }

    @Test(.spec(126)) func cancelAllEndsTheWaitOfAnEndpointForAValueOfAnotherType() async throws {
        transport.on(.any, .text("7"))
        let (reached, never) = (Gate(), Gate())
        let endpoint = ScriptedEndpoint { response in
            reached.open()
            // Another error than that of the cancellation.
            do { try await never.wait() } catch { throw Unusable() }
            return "\(response.item)"
        }
        let client = client()
        let call = Task { try await client.fetch(endpoint).item }
        try await reached.wait()
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        expect(reports.values.map(\.isCancelled), [true])
        expect(client.calls.count, 0)
    }

    @Test(.spec(126)) func cancelAllFailsACallWhoseEndpointMakesAValueOfTheSameTypeWhenTheValueIsMade() async throws {
        transport.on(.any, .text("7"))
        let (reached, goes) = (Gate(), Gate())
        let endpoint = ScriptedEndpoint { response in
            reached.open()
            try await goes.wait()
            return response.item
        }
        let client = client()
        let call = Task { try await client.fetch(endpoint).item }
        try await reached.wait()
        client.cancelAll()
        goes.open()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
    }

    @Test(.spec(126)) func cancelAllBeforeTheResponseEndsTheCallOfAnEndpoint() async throws {
        transport.on(.any, .never)
        let client = client()
        let call = Task { try await client.fetch(ScriptedEndpoint { $0.item }).item }
        try await transport.waitForRequests(count: 1)
        client.cancelAll()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await call.value } }
        transport.on(.any, .text("7"))
        expect(try await client.fetch(ScriptedEndpoint { $0.item }).item, 7)
    }

    // MARK: - Transfers

    private struct FileEndpoint: Endpoint {
        typealias Response = String
        typealias Value = Int
        let body: Data

        func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
            try builder.put(path: "/file").bodyData(body).build()
        }

        func value(from response: NetworkClient.Response<String>) -> Int { response.item.count }
    }

    @Test(.spec(130, 131), arguments: TransportUnderTest.all)
    func anUploadOfAnEndpointReportsItsProgressAndMakesItsValue(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(routes: [
            "/v1/file": .respond(headers: ["Content-Type": "text/plain"], body: "four")
        ])
        let client = try transport.client(configuration: .init(baseURL: server.url("/v1")))
        let upload = client.upload(FileEndpoint(body: Data(count: 100_000)))
        var last: TransferProgress?
        for await progress in upload.progress { last = progress }
        expect(last?.completed, 100_000)
        expect(try await upload.value.item, 4)
    }

    @Test(.spec(127, 138), arguments: TransportUnderTest.all)
    func theBodyOfAnEndpointCanBeStreamedOrDownloaded(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer(routes: ["/v1/file": .respond(body: "four")])
        let client = try transport.client(
            configuration: .init(baseURL: server.url("/v1")) { [reports] in reports.record($0) }
        )
        let endpoint = FileEndpoint(body: Data())
        expect(try await client.stream(endpoint).item.data(), Data("four".utf8))
        let directory = try TemporaryDirectory()
        let file = directory.url.appendingPathComponent("f")
        let download = client.download(endpoint, to: file)
        expect(try await download.value.item, file)
        expect(try Data(contentsOf: file), Data("four".utf8))
        expect(reports.values.map { $0.error == nil }, [true, true])
    }
}
