#if os(Linux)
import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

@Suite(.needsHTTP2)
struct CurlTransportHTTP2Tests {
    private let client: NetworkClient

    init() throws {
        let configuration = CurlTransport.Configuration(security: .init(trustRoots: TLSFixtures.root))
        client = NetworkClient(transport: try CurlTransport(configuration: configuration), logging: .off)
    }

    private func get(_ server: HTTP2Server) async throws -> NetworkClient.Response<Int> {
        let request = URLRequest.get(url: server.url("/a")).build()
        return try await withDeadline { [client] in try await client.fetch(request: request) }
    }

    private func post(_ body: Data, to server: HTTP2Server) async throws -> NetworkClient.Response<Int> {
        let request = URLRequest.post(url: server.url("/a")).bodyData(body).build()
        return try await withDeadline { [client] in try await client.fetch(request: request) }
    }

    /// Returns the reason of a request's failure.
    private func reason(_ operation: () async throws -> NetworkClient.Response<Int>) async -> TransportError.Reason? {
        let error = await #expect(throws: NetworkClient.Error.self) { _ = try await operation() }
        guard case .requestError(let failure)? = error else { return nil }
        return failure.reason
    }

    @Test func http2IsUsedOverTLS() async throws {
        let server = try HTTP2Server { .respond(to: $0, body: ["12", "", "34"]) }
        let response = try await get(server)
        #expect(response.item == 1234)
        #expect(response.status == .ok)
        #expect(response.metrics?.httpVersion == "HTTP/2")
        #expect(response.metrics?.bodyBytesReceived == 4)
    }

    @Test(arguments: ["x-stream", "X-Stream", "X-STREAM"])
    func lowerCaseFieldsAreFoundInAnyLetterCase(name: String) async throws {
        let server = try HTTP2Server { .respond(to: $0) }
        let response = try await get(server)
        #expect(response.value(forHeaderKey: name) == "1")
        #expect(response.httpResponse.value(forHTTPHeaderField: name) == "1")
    }

    /// 200,000 bytes are more than the server lets it send at first.
    @Test(arguments: [0, 1, 16_384, 200_000])
    func bodiesAreSentWholeOverHTTP2(count: Int) async throws {
        let server = try HTTP2Server { .respond(to: $0) }
        let body = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
        let response = try await post(body, to: server)
        #expect(response.metrics?.httpVersion == "HTTP/2")
        #expect(server.requests.map(\.body) == [Array(body)])
    }

    /// HTTP/2 has no chunked transfer coding (RFC 9113 §8.2.2), which HTTP/1.1 would use.
    @Test func aBodyOfUnknownLengthIsSentOverHTTP2() async throws {
        let server = try HTTP2Server { .respond(to: $0) }
        var request = URLRequest(url: server.url("/a"))
        request.httpMethod = "POST"
        request.httpBodyStream = InputStream(data: Data(repeating: 7, count: 100_000))
        let sent = request
        let response: NetworkClient.Response<Int> = try await withDeadline { [client] in
            try await client.fetch(request: sent)
        }
        #expect(response.item == 1)
        #expect(server.requests.map(\.body) == [[UInt8](repeating: 7, count: 100_000)])
    }

    /// Each chunk is waited for, on one stream while the other streams of the connection go on.
    @Test(arguments: [nil, 60_000])
    func aSequenceIsSentOverHTTP2(length: Int?) async throws {
        let server = try HTTP2Server { .respond(to: $0) }
        let chunks = ScriptedChunks { [self] number in
            _ = try await get(server)
            return number < 3 ? Data(repeating: 7, count: 20_000) : nil
        }
        let request = URLRequest.post(url: server.url("/a")).bodyStream(chunks, length: length).build()
        let response: NetworkClient.Response<Int> = try await withDeadline { [client] in
            try await client.fetch(request: request)
        }
        #expect(response.item >= 1)
        #expect(server.requests.map(\.body).contains([UInt8](repeating: 7, count: 60_000)))
        #expect(server.requests.count == 5)
    }

    /// Up to 8.0 libcurl stops reading the whole connection once the buffer of a paused stream is full.
    @Test(.spec(174))
    func aBodyThatNobodyReadsDoesNotStopTheOtherCalls() async throws {
        let pieces = Array(repeating: String(repeating: "x", count: 16_000), count: 250)
        let isLong = AwaitableValue(false)
        let server = try HTTP2Server { isLong.current ? .respond(to: $0, body: pieces) : .respond(to: $0) }
        _ = try await get(server)
        isLong.update { $0 = true }
        let request = URLRequest.get(url: server.url("/long")).build()
        let body = try await withDeadline { [client] in try await client.stream(request) }.item
        isLong.update { $0 = false }
        var count = 0
        for try await chunk in body {
            count += chunk.count
            _ = try await get(server)
        }
        #expect(count == 4_000_000)
    }

    /// Up to 8.0, libcurl sends requests over a connection of HTTP/1.1 that is in use, if a later one has HTTP/2.
    @Test(.spec(174))
    func theConnectionOfABodyThatNobodyReadsIsNotUsedForOtherCalls() async throws {
        let pieces = Array(repeating: String(repeating: "x", count: 16_000), count: 250)
        let server = try HTTP2Server { $0.number == 0 ? .respond(to: $0, body: pieces) : .respond(to: $0) }
        let request = URLRequest.get(url: server.url("/long")).build()
        let body = try await withDeadline { [client] in try await client.stream(request) }.item
        for _ in 0..<3 { #expect(try await get(server).item == 1) }
        var count = 0
        for try await chunk in body { count += chunk.count }
        #expect(count == 4_000_000)
    }

    @Test func successiveRequestsUseOneHTTP2Connection() async throws {
        let server = try HTTP2Server { .respond(to: $0) }
        for number in 0..<3 {
            let response = try await get(server)
            #expect(response.metrics?.isConnectionReused == (number > 0))
        }
        #expect(server.connectionCount == 1)
        #expect(server.requests.map(\.stream) == [1, 3, 5])
    }

    /// The server responds to no request before it has received all of them.
    @Test func concurrentRequestsShareAnOpenHTTP2Connection() async throws {
        let gate = Gate()
        let server = try HTTP2Server { $0.number == 0 ? .respond(to: $0) : .respond(to: $0).held(until: gate) }
        _ = try await get(server)
        let streams = try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<8 {
                group.addTask { try await get(server).value(forHeaderKey: "x-stream") }
            }
            let requests = try await withDeadline { try await server.requests(9) }
            #expect(requests.allSatisfy { $0.connection == 0 })
            gate.open()
            return try await group.reduce(into: Set<String>()) { $0.formUnion($1.map { [$0] } ?? []) }
        }
        #expect(streams == Set(server.requests.dropFirst().map { "\($0.stream)" }))
        #expect(streams.count == 8)
        #expect(server.connectionCount == 1)
    }

    @Test(.spec(319), arguments: [["1"], []])
    func trailersOfHTTP2AreNoFields(body: [String]) async throws {
        let server = try HTTP2Server { .respond(to: $0, body: body, trailers: ["x-checksum": "7", "x-stream": "no"]) }
        let request = URLRequest.get(url: server.url("/a")).build()
        let response = try await withDeadline { [client] in try await client.fetch(request: request) }
        #expect(response.value(forHeaderKey: "x-stream") == "1")
        #expect(response.value(forHeaderKey: "x-checksum") == nil)
        #expect(Set(response.trailers.map { "\($0.name): \($0.value)" }) == ["x-checksum: 7", "x-stream: no"])
        #expect(response.metrics?.bodyBytesReceived == body.count)
        // A stream that libcurl has alone on its connection uses HTTP/1.1.
        guard !CurlLibrary.streamsAlone else { return }
        let stream = try await withDeadline { [client] in try await client.stream(request) }
        #expect(try await stream.item.data(limit: 10).count == body.count)
        #expect(stream.trailers["x-checksum"] == "7")
    }

    /// Only the stream ends, not the connection of the other streams.
    @Test(.spec(205)) func theBodyOfARedirectIsCutOnItsStream() async throws {
        let gate = Gate()
        let server = try HTTP2Server { request in
            switch request.number {
            case 0: .respond(to: request)
            case 1: .respond(to: request).held(until: gate)
            case 2: .endlessRedirect(request, to: "/b", page: "part")
            default: .respond(to: request)
            }
        }
        _ = try await get(server)
        let other = Task { try await get(server) }
        _ = try await withDeadline { try await server.requests(2) }
        let redirected = try await get(server)
        #expect(redirected.httpResponse.url == server.url("/b"))
        #expect(redirected.metrics?.isConnectionReused == true)
        gate.open()
        #expect(try await other.value.item == 1)
        #expect(server.connectionCount == 1)
    }

    /// A server that refuses streams sheds load (RFC 9113, section 8.7).
    @Test(
        .spec(211),
        .enabled(if: CurlLibrary.reportsConnections, "before 7.80 libcurl sends it again by itself"),
        arguments: [0, 2]
    )
    func aRefusedStreamIsSentAgainByTheRetryPolicyOnly(retries: Int) async throws {
        let server = try HTTP2Server { .reset($0) }
        let policy = RetryPolicy(retries: retries, backoff: Backoff(base: 0))
        let retrying = NetworkClient(transport: client.transport, interceptors: [.retry(policy)], logging: .off)
        let outcome = await retrying.outcome(of: URLRequest(url: server.url("/a")))
        #expect(outcome == .failed(.connectionLost))
        #expect(server.requests.count == 1 + retries)
    }

    /// libcurl does not tell a refused stream from a kept connection that the server leaves.
    @Test(.enabled(if: CurlLibrary.reportsConnections, "before 7.80 libcurl sends it again by itself"))
    func aStreamThatIsRefusedOnAKeptConnectionIsSentOnceMore() async throws {
        let server = try HTTP2Server { $0.number == 0 ? .respond(to: $0) : .reset($0) }
        #expect(try await get(server).item == 1)
        #expect(await reason { try await get(server) } == .connectionLost)
        #expect(server.requests.count == 3)
    }

    /// HTTP_1_1_REQUIRED: libcurl sends the request again with HTTP/1.1.
    @Test func aServerThatRequiresHTTP1GetsIt() async throws {
        let server = try HTTP2Server { $0.stream > 0 ? .reset($0, code: 13) : .respond(to: $0) }
        let response = try await get(server)
        #expect(response.item == 1)
        #expect(response.metrics?.httpVersion == "HTTP/1.1")
    }

    @Test(.enabled(if: CurlLibrary.reportsConnections, "before 7.80 libcurl sends again what a server did not process"))
    func aPOSTOnARefusedStreamIsSentOnlyOnce() async throws {
        let server = try HTTP2Server { $0.number == 0 ? .reset($0) : .respond(to: $0) }
        #expect(await reason { try await post(Data("1".utf8), to: server) } == .connectionLost)
        #expect(server.requests.count == 1)
    }

    /// PROTOCOL_ERROR, INTERNAL_ERROR, CANCEL: the server may have acted on the request.
    @Test(arguments: [1, 2, 8] as [UInt32])
    func aStreamThatTheServerResetsIsALostConnection(code: UInt32) async throws {
        let server = try HTTP2Server { $0.number == 0 ? .reset($0, code: code) : .respond(to: $0) }
        #expect(await reason { try await get(server) } == .connectionLost)
        #expect(try await get(server).item == 1)
    }

    /// A server may promise more than it has seen (RFC 9113, section 6.8).
    @Test(arguments: [1, 0x7FFF_FFFF] as [UInt32])
    func theResponseOfAServerThatLeavesItsConnectionIsReturned(last: UInt32) async throws {
        let server = try HTTP2Server { .goAway(lastStream: last, before: .respond(to: $0, body: ["1", "2"])) }
        #expect(try await get(server).item == 12)
        #expect(try await get(server).item == 12)
        #expect(server.requests.map(\.connection) == [0, 1])
    }

    /// libcurl 7.88 fails a request that the server has not processed, although it could send it again.
    @Test(arguments: [0, 1])
    func aRequestWaitsForNothingOverAConnectionThatTheServerLeaves(last: UInt32) async throws {
        let server = try HTTP2Server { request in
            request.number == 1 ? .goAway(lastStream: last) : .respond(to: request)
        }
        #expect(try await get(server).item == 1)
        #expect(try await get(server).item == 1)
        #expect(try await get(server).item == 1)
        #expect(server.requests.prefix(2).map(\.connection) == [0, 0])
        #expect(server.requests.dropFirst(2).allSatisfy { $0.connection == 1 })
    }

    /// The server states that it has seen the request, and closes the connection without a response.
    @Test func aServerThatIsGoneIsALostConnection() async throws {
        let server = try HTTP2Server { .goAway(lastStream: $0.stream) }
        #expect(await reason { try await get(server) } == .connectionLost)
    }

    /// libcurl 7.88 tells the server with the next request.
    ///
    /// That must not overtake the end of the stream; whether it would is a matter of moments, so several times.
    @Test(arguments: 0..<20)
    func cancellingOneStreamLeavesTheOthers(time: Int) async throws {
        let gate = Gate()
        let server = try HTTP2Server { request in
            let isHeld = (1...4).contains(request.number)
            return isHeld ? .respond(to: request).held(until: gate) : .respond(to: request)
        }
        _ = try await get(server)
        let cancelled = Task { try await get(server) }
        let stream = try await withDeadline { try await server.requests(2) }[1].stream
        let others = (0..<3).map { _ in Task { try await get(server) } }
        _ = try await withDeadline { try await server.requests(5) }
        // However slow the machine is, the connection has not been silent since the cancelled request began.
        _ = try await get(server)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await get(server).metrics?.isConnectionReused == true)
        #expect(server.resets == [stream])
        gate.open()
        for other in others {
            #expect(try await other.value.item == 1)
        }
        #expect(server.connectionCount == 1)
    }
}
#endif
