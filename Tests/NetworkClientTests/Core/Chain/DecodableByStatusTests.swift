import Foundation
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

private struct Created: Codable, Equatable, Sendable {
    var id: Int
}

private struct Problem: Codable, Equatable, Sendable {
    var reason: String
}

private enum SignUp: DecodableByStatus, Equatable {
    case created(Created)
    case invalid(Problem)
    case unavailable(String)
    case known

    static let statusCases: [StatusCase<SignUp>] = [
        .on([200, 201], created), .on(422, invalid), .on(503, unavailable), .on(204, .known),
    ]
}

private struct SignUpEndpoint: Endpoint {
    typealias Response = SignUp

    func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
        try builder.post(path: "/users").noBody().build()
    }
}

struct DecodableByStatusTests {
    private let transport = StubTransport()
    private let request = URLRequest(url: url("https://api.example.com/users"))

    @Test(.spec(81), arguments: TransportUnderTest.all)
    func theStatusDecidesTheTypeOfTheResponse(transport: TransportUnderTest) async throws {
        let server = try LoopbackServer { request in
            switch request.target {
            case "/201": .respond(status: 201, headers: ["Content-Type": "application/json"], body: #"{"id":1}"#)
            case "/204": .respond(status: 204)
            case "/503": .respond(status: 503, headers: ["Content-Type": "text/plain"], body: "later")
            default: .respond(status: 422, headers: ["Content-Type": "application/json"], body: #"{"reason":"short"}"#)
            }
        }
        let expected: [(String, SignUp)] = [
            ("201", .created(Created(id: 1))), ("422", .invalid(Problem(reason: "short"))),
            ("503", .unavailable("later")), ("204", .known),
        ]
        for decoder in [.default, .default.handlingOptionalResponses] as [any DecoderProtocol] {
            let client = try transport.client(decoder: decoder)
            for (path, value) in expected {
                let request = URLRequest(url: server.url.appendingPathComponent(path))
                let response: NetworkClient.Response<SignUp> = try await client.fetch(request: request)
                expect(response.item, value)
                expect(response.statusCode, Int(path))
            }
        }
    }

    @Test(.spec(81, 148)) func anEndpointMayHaveATypePerStatus() async throws {
        transport.on(.post("/users"), .json(Problem(reason: "short"), status: 422))
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url("https://api.example.com")))
        expect(try await client.fetch(SignUpEndpoint()).item, .invalid(Problem(reason: "short")))
        expect(try await client.send(SignUpEndpoint()).statusCode, 422)
        expect(try await client.upload(SignUpEndpoint()).value.item, .invalid(Problem(reason: "short")))
    }

    @Test(.spec(81)) func aTypePerStatusMayBeOptional() async throws {
        transport.on(.any, .json(Problem(reason: "short"), status: 422), .status(205), .status(201), .status(418))
        let client = NetworkClient(transport: transport, decoder: .default.handlingOptionalResponses)
        let response: NetworkClient.Response<SignUp?> = try await client.fetch(request: request)
        expect(response.item, .invalid(Problem(reason: "short")))
        for _ in ["a status without a case", "an empty body"] {
            expect(try await client.fetch(request: request, as: SignUp?.self).item, nil)
        }
        await #expect(throws: NetworkClient.Error.self) {
            try await client.fetch(request: request) as NetworkClient.Response<SignUp?>
        }
    }

    @Test(.spec(81)) func anUploadMayHaveATypePerStatus() async throws {
        transport.on(.any, .json(Problem(reason: "short"), status: 422))
        let client = NetworkClient(transport: transport)
        let upload = client.upload(request.decoded(as: SignUp.self))
        expect(try await upload.value.item, .invalid(Problem(reason: "short")))
    }

    @Test(.spec(81, 88)) func aStatusWithoutACaseIsAnErrorAsUsual() async throws {
        transport.on(.any, .status(404))
        let client = NetworkClient(transport: transport)
        let error = await #expect(throws: NetworkClient.Error.self) {
            let _: NetworkClient.Response<SignUp> = try await client.fetch(request: request)
        }
        expect(error?.statusCode, 404)
    }

    @Test(.spec(81, 88)) func theStatusesOfTheOptionsTakePrecedence() async throws {
        let client = NetworkClient(transport: transport)
        transport.on(.any, .json(Problem(reason: "short"), status: 422))
        let options = CallOptions(acceptedStatuses: [200, 203])
        let error = await #expect(throws: NetworkClient.Error.self) {
            let _: NetworkClient.Response<SignUp> = try await client.fetch(request: request, options: options)
        }
        expect(error?.statusCode, 422)
        transport.on(.any, .json(Created(id: 1), status: 203))
        let other = await #expect(throws: NetworkClient.Error.self) {
            let _: NetworkClient.Response<SignUp> = try await client.fetch(request: request, options: options)
        }
        expect(other?.response?.statusCode, 203)
        #expect(
            other.map { "\($0)" } == """
                The response 203 of 'https://api.example.com/users' cannot be decoded: the body has the status 203, \
                for which SignUp has no case.
                """
        )
    }

    @Test(.spec(81, 83, 189)) func theErrorOfABodyHasItsPathAndTheResponse() async throws {
        transport.on(.any, .json(text: #"{"reason":5}"#, status: 422))
        let client = NetworkClient(transport: transport)
        let error = await #expect(throws: NetworkClient.Error.self) {
            let _: NetworkClient.Response<SignUp> = try await client.fetch(request: request)
        }
        expect(error?.response?.statusCode, 422)
        expect(error?.data, Data(#"{"reason":5}"#.utf8))
        let end = "cannot be decoded: the value at 'reason' is not of the type expected, String."
        expect(error.map { "\($0)" }?.hasSuffix(end), true)
    }

    @Test(.spec(81, 86, 92, 104)) func anAcceptedStatusIsNeitherRetriedNorMappedNorReportedAsAFailure() async throws {
        let reports = Locked<[CallReport]>([])
        let client = NetworkClient(
            transport: transport,
            interceptors: [.retry()],
            apiErrorMapper: ResponseErrorMapper { _ in Unexpected() },
            configuration: .init(time: TestClock(advancesItself: true)) { report in
                reports.withLock { $0.append(report) }
            }
        )
        transport.on(.any, .text("later", status: 503))
        let get = URLRequest(url: url("https://api.example.com/users"))
        let response: NetworkClient.Response<SignUp> = try await client.fetch(request: get)
        expect(response.item, .unavailable("later"))
        expect(transport.requests.count, 1)
        expect(reports.withLock { $0.map { $0.error == nil } }, [true])
    }

    private struct Unexpected: Error {}

    @Test(.spec(78, 81)) func theBodyOfAnErrorMayLackTheEnvelopeOfOtherBodies() async throws {
        transport.on(.get("/created"), .json(["data": Created(id: 1)]))
        transport.on(.get("/invalid"), .json(Problem(reason: "short"), status: 422))
        let client = NetworkClient(
            transport: transport,
            decoder: .default.unwrapping("data"),
            configuration: .init(baseURL: url("https://api.example.com"))
        )
        let created: NetworkClient.Response<SignUp> = try await client.fetch(
            request: client.request.get(path: "/created").build()
        )
        let invalid: NetworkClient.Response<SignUp> = try await client.fetch(
            request: client.request.get(path: "/invalid").build()
        )
        expect([created.item, invalid.item], [.created(Created(id: 1)), .invalid(Problem(reason: "short"))])
    }

    @Test(.spec(81, 115)) func aSharedExchangeServesTypesPerStatusAndOthers() async throws {
        let gate = Gate()
        transport.on(.any) { _ in
            try await gate.wait()
            return .json(Problem(reason: "short"), status: 422)
        }
        let client = NetworkClient(transport: transport)
        let shared = request.withInstanceCaching()
        let first = Task { () -> NetworkClient.Response<SignUp> in try await client.fetch(request: shared) }
        try await transport.waitForRequests(count: 1)
        let second = Task { () -> NetworkClient.Response<Problem> in try await client.fetch(request: shared) }
        while client.sharing.waiterCount < 2 { await Task.yield() }
        gate.open()
        expect(try await first.value.item, .invalid(Problem(reason: "short")))
        let error = await #expect(throws: NetworkClient.Error.self) { try await second.value }
        let problem: Problem? = error?.getError()
        expect(problem, Problem(reason: "short"))
        expect(transport.requests.count, 1)
    }

    @Test(.spec(81)) func aTypePerStatusCannotBeAPartOfAnotherType() async throws {
        transport.on(.any, .json([1]))
        let error = await #expect(throws: NetworkClient.Error.self) {
            let _: NetworkClient.Response<[SignUp]> = try await NetworkClient(transport: transport)
                .fetch(request: request)
        }
        expect(error.map { "\($0)" }?.contains("depends on the status"), true)
    }
}
