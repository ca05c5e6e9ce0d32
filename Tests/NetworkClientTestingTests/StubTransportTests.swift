import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient
@testable import NetworkClientTesting

/// Which stub responds with what, and what is recorded.
struct StubTransportTests {
    private struct User: Codable, Equatable {
        var id = 1
        var name = "a"
    }

    private let transport = StubTransport()
    private let base = url("https://api.example.com")

    private func client(_ transport: StubTransport? = nil) -> NetworkClient {
        NetworkClient(transport: transport ?? self.transport, configuration: .init(baseURL: base))
    }

    private func send(_ path: String, _ method: HTTPMethod = .get) async throws -> Int {
        var request = URLRequest(url: url(path))
        request.method = method
        let response = try await client().fetch(request: request, options: CallOptions(acceptedStatuses: .all))
        return response.httpResponse.statusCode
    }

    @Test func aStubRespondsWithTheJSONOfAValue() async throws {
        transport.on(.get("/users/1"), .json(User()))
        let response: NetworkClient.Response<User> = try await client().fetch(request: URLRequest(url: url("users/1")))
        expect(response.item, User())
        expect(response.httpResponse.statusCode, 200)
        expect(response["content-type"], "application/json")
        expect(response["content-length"], "19")
        expect(transport.requests.map(\.path), ["/users/1"])
        #expect(transport.complaints.isEmpty && transport.unmatchedRequests.isEmpty)
    }

    @Test func theLastResponseOfAStubIsRepeated() async throws {
        transport.on(.post("/users"), .status(503), .json(User(), status: 201))
        expect(try await send("users", .post), 503)
        expect(transport.complaints.map(\.description), ["the stub POST /users used 1 of its 2 responses"])
        for _ in 1...2 { expect(try await send("users", .post), 201) }
        expect(transport.complaints, [])
    }

    @Test func aStubThatStopsLeavesRequestsToEarlierStubs() async throws {
        transport.on(.any, .status(404))
        transport.on(.get("/a"), .status(201), .status(202), then: .stop)
        var statuses: [Int] = []
        for _ in 1...4 { statuses.append(try await send("a")) }
        expect(statuses, [201, 202, 404, 404])
    }

    @Test func theStubThatWasAddedLastTakesPrecedence() async throws {
        transport.on(.get("/a"), .status(200))
        transport.on(.get("/*"), .status(202))
        expect(try await send("a"), 202)
        transport.on(.get("/a"), .status(201))
        expect(try await send("a"), 201)
        expect(try await send("b"), 202)
        expect(transport.complaints.map(\.description), ["the stub GET /a was never used"])
    }

    @Test func aResponseMayBeComputedFromTheRequest() async throws {
        transport.on(.put("/users/*")) { request in
            var user: User = try request.decoded()
            user.name += request.queryItems.first?.value ?? ""
            return .json(user).setting(header: .custom(name: "X-Path", value: request.path))
        }
        let request = try URLRequest.put(url: url("https://h/users/7?suffix=b")).bodyJson(of: User(id: 7)).build()
        let response: NetworkClient.Response<User> = try await client().fetch(request: request)
        expect(response.item, User(id: 7, name: "ab"))
        expect(response["X-Path"], "/users/7")
    }

    @Test func theErrorOfAComputedResponseIsThatOfTheExchange() async throws {
        struct Broken: Error {}
        transport.on(.get("/a")) { _ in throw Broken() }
        transport.on(.get("/b"), .failure(Broken()))
        for path in ["a", "b"] { await #expect(throws: Broken.self) { try await send(path) } }
    }

    @Test func aValueWithoutJSONFailsTheExchange() async throws {
        transport.on(.get("/a"), .json([Double.infinity]))
        await #expect(throws: BodyEncodingError.self) { try await send("a") }
    }

    @Test func aRequestWithoutAStubFailsWithTheReasons() async throws {
        transport.on(.get("/users/1"), .status(200))
        transport.on(.post("/users").header("Accept", "a/b").header("X-A"), .status(200))
        transport.on(.get("/users/2"), .status(200), .status(200), then: .stop)
        transport.on(.get("/users/2").query("page", "2").query("q"), .status(200))
        for _ in 1...2 { expect(try await send("users/2?page=1"), 200) }
        let error = try await failure { try await send("users/2?page=1") }
        expect(error.reason, .notStubbed)
        let expected = """
            The request to 'https://api.example.com/users/2' failed: no stub matches GET /users/2?page=1:
              GET /users/1: the path is /users/2
              POST /users with field Accept: a/b, field X-A: the method is GET; the path is /users/2; \
            there is no field Accept; there is no field X-A
              GET /users/2: its 2 responses were used
              GET /users/2 with query page=2, query q: query page is 1; there is no query q.
            """
        expect(error.description, expected)
        expect(transport.unmatchedRequests.map(\.description), ["GET /users/2?page=1"])
    }

    @Test func aTransportWithoutStubsFailsAndSaysSo() async throws {
        let error = try await failure { try await send("a") }
        expect(
            error.description,
            "The request to 'https://api.example.com/a' failed: no stub matches GET /a:\n  there are no stubs."
        )
    }

    @Test func theResponseForOtherRequestsCanBeChosen() async throws {
        let transport = StubTransport(otherwise: .status(410))
        let error = await #expect(throws: NetworkClient.Error.self) {
            try await client(transport).fetch(request: URLRequest(url: base))
        }
        expect(error?.statusCode, 410)
        expect(transport.unmatchedRequests.count, 1)
        expect(transport.complaints, [])
    }

    @Test func complaintsNameUnmatchedRequestsAndUnusedStubsInOneList() async throws {
        transport.on(.get("/a"), .status(200), .status(200))
        transport.on(.post("/b")) { _ in .status(200) }
        _ = try await send("a")
        _ = try await failure { try await send("a", .put) }
        let expected = """
            [
            no stub matches PUT /a:
              GET /a: the method is PUT
              POST /b: the method is PUT; the path is /a, \

            the stub GET /a used 1 of its 2 responses, \

            the stub POST /b was never used, \

            PUT a: The request to 'https://api.example.com/a' failed: no stub matches PUT /a:
            """
        #expect("\(transport.complaints)".hasPrefix(expected))
    }

    @Test func aFailedCallAloneIsNotAFinding() {
        for number in 1...101 { transport.note(failedCall: "call \(number)") }
        expect(transport.complaints, [])
        expect(transport.failedCalls.map(\.description), (2...101).map { "call \($0)" })
    }

    @Test func theMessageForAPathWithoutThatOfTheBaseURLNamesTheMistake() async throws {
        transport.on(.get("/notes"), .status(200))
        transport.on(.get("/v2/v1/notes"), .status(200))
        transport.on(.get("/otes"), .status(200))
        transport.on(.get("/*"), .status(200))
        let error = try await failure { try await send("v1/notes") }
        let expected = """
            The request to 'https://api.example.com/v1/notes' failed: no stub matches GET /v1/notes:
              GET /notes: the path is /v1/notes: a pattern includes the path of the base URL
              GET /v2/v1/notes: the path is /v1/notes: the base URL may lack the beginning of the pattern's path
              GET /otes: the path is /v1/notes
              GET /*: the path is /v1/notes.
            """
        expect(error.description, expected)
    }

    @Test(.spec(94)) func theReasonsOfAFailureContainNoSecret() async throws {
        transport.on(.get("https://u:s3cret@h/a?token=s3cret"), .status(200))
        let body = Data("s3cret".utf8)
        transport.on(.any.query("api_key", "s3cret").header("Authorization", "s3cret").body(body), .status(200))
        transport.on(.any.json(["password": "s3cret"]).query("sig", nil), .status(200))
        transport.on(.get("https://h:port/a?token=s3cret"), .status(200))
        var request = URLRequest.post(
            url: url("https://u:s3cret@h/a;jsessionid=s3cret?token=s3cret&api_key=s3cretX&page=1")
        )
        .bodyData(Data("s3cret!".utf8)).build()
        request.set(header: .authorization(.bearer("s3cret")))
        let error = try await failure { try await client().fetch(request: request) }
        for text in ["\(error)", String(reflecting: error), "\(transport.requests)", "\(transport.complaints)"] {
            expect(text, lacks: "s3cret")
        }
        var dumped = ""
        dump(transport.requests, to: &dumped)
        expect(dumped, lacks: "s3cret")
        expect("\(error)", contains: "page=1")
    }

    @Test func requestsAreSelectedByAPattern() async throws {
        transport.on(.any, .status(200))
        for path in ["a?n=1", "b", "a?n=2"] { _ = try await send(path) }
        expect(transport.requests(matching: .get("/a")).map(\.queryItems.first?.value), ["1", "2"])
        #expect(transport.requests(matching: .post("/a")).isEmpty)
    }

    @Test func waitingForRequestsEndsWithTheLastOfThemOrACancellation() async throws {
        transport.on(.any, .status(200))
        let transport = transport
        let waiting = Task { try await transport.waitForRequests(count: 2) }
        for path in ["a", "b"] { _ = try await send(path) }
        let requests = try await withDeadline { try await waiting.value }
        expect(requests.prefix(2).map(\.path), ["/a", "/b"])
        let endless = Task { try await transport.waitForRequests(count: 3) }
        endless.cancel()
        await #expect(throws: CancellationError.self) { try await withDeadline { try await endless.value } }
    }

    @Test func waitingForRequestsOfAPatternDoesNotEndWithOthers() async throws {
        transport.on(.any, .status(200))
        let transport = transport
        let pattern = StubTransport.Pattern.get("/search").query("q", "ab")
        let waiting = Task { try await transport.waitForRequests(matching: pattern, count: 2) }
        for path in ["search?q=a", "search?q=ab&n=1", "other"] { _ = try await send(path) }
        expect(try await transport.waitForRequests(matching: pattern, count: 1).count, 1)
        _ = try await send("search?q=ab&n=2")
        let requests = try await withDeadline { try await waiting.value }
        expect(requests.map { $0.queryItems.last?.value }, ["1", "2"])
    }

    @Test func waitingForRequestsRunsNoConditionUnderALock() async throws {
        transport.on(.any, .status(200))
        let transport = transport
        let pattern = StubTransport.Pattern.any.satisfying("is the second") { _ in transport.requests.count == 2 }
        let waiting = Task { try await transport.waitForRequests(matching: pattern, count: 1) }
        for path in ["a", "b"] { _ = try await send(path) }
        _ = try await withDeadline { try await waiting.value }
    }

    @Test func aThousandConcurrentCallsAreAllRecorded() async throws {
        transport.on(.get("/a"), .status(503), .status(200))
        let client = client()
        let options = CallOptions(acceptedStatuses: .all)
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    let request = URLRequest(url: url("a"))
                    return try await client.fetch(request: request, options: options).httpResponse.statusCode
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        expect(statuses.filter { $0 == 503 }.count, 1)
        expect(statuses.filter { $0 == 200 }.count, 999)
        expect(transport.requests.count, 1_000)
    }

    private func failure(_ operation: () async throws -> Any) async throws -> TransportError {
        let error = await #expect(throws: NetworkClient.Error.self) { _ = try await operation() }
        guard case .requestError(let failure) = try #require(error) else { throw try #require(error) }
        return failure
    }
}
