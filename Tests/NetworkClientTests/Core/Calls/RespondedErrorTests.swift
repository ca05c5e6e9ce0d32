import Foundation
import NetworkClient
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of any error, decoded by one name.
struct RespondedErrorTests {
    private struct Problem: Codable, Equatable {
        let message: String
    }

    private struct Code: Decodable, Equatable {
        let errorCode: Int
    }

    private static let snakeCase = DefaultDecoder(keyDecodingStrategy: .convertFromSnakeCase)

    /// The error of an interceptor, written outside.
    private struct Rejection: RespondedError {
        let response: HTTPURLResponse?
        let data: Data?
    }

    private struct RejectingInterceptor: InterceptorProtocol {
        func process(
            _ request: URLRequest,
            next: NetworkClient.Next
        ) async throws -> NetworkClient.ChainResult {
            let (_, response) = try await next(request)
            throw Rejection(response: response, data: Data(#"{"message":"rejected"}"#.utf8))
        }
    }

    private let transport = StubTransport()

    private func error(
        of interceptors: [any InterceptorProtocol] = [],
        decoder: (any DecoderProtocol)? = nil
    ) async throws -> any RespondedError {
        let client = NetworkClient(
            transport: transport,
            interceptors: interceptors,
            decoder: decoder ?? .default,
            configuration: .init(baseURL: url("https://a.example"))
        )
        do {
            _ = try await client.fetch(.get(path: "items"), as: [Int].self)
        } catch let error as any RespondedError {
            return error
        }
        throw TransportError(.other)
    }

    @Test(.spec(85), arguments: [#"{"data":{"message":"a"}}"#, #"{"message":"a"}"#])
    func theBodyOfARefusedStatusIsDecodedWithOrWithoutTheEnvelopeOfTheCall(body: String) async throws {
        transport.on(.any, .json(text: body, status: 400))
        let error = try await error(decoder: DefaultDecoder().unwrapping("data"))
        expect(try error.decoded(as: Problem.self), Problem(message: "a"))
        #expect(throws: DecodingError.self) { try error.decoded(as: [Int].self) }
    }

    @Test func theBodyThatCouldNotBeDecodedIsDecodedAsAnotherTypeByTheDecoderOfTheCall() async throws {
        transport.on(.any, .json(text: #"{"error_code":1}"#))
        expect(try await error(decoder: Self.snakeCase).decoded(as: Code.self), Code(errorCode: 1))
    }

    @Test func theBodyOfARefusedTokenIsDecodedByTheDecoderOfTheCall() async throws {
        let problem = StubTransport.Response.data(
            Data(#"{"error_code":1,"title":"who?"}"#.utf8),
            type: .problemJSON,
            status: 401
        )
        transport.on(.any, problem)
        let session = TokenSession(store: InMemoryCredentialStore(AccessToken("a"))) { _ in throw URLError(.timedOut) }
        let error = try await error(of: [.authentication(.bearer(session))], decoder: Self.snakeCase)
        expect((error as? AuthenticationError)?.reason, .refreshFailed)
        expect(try error.decoded(as: Code.self), Code(errorCode: 1))
        expect(error.problemDetails?.title, "who?")
    }

    @Test func theDataOfAFailedEventIsNotOfTheMediaTypeOfItsStream() async throws {
        transport.on(.any, .events([ServerSentEvent(type: "error", data: #""overloaded""#)]))
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url("https://a.example")))
        let error = await #expect(throws: EventStreamError.self) {
            for try await _ in try client.events(.get(path: "feed")).values(of: Problem.self) {}
        }
        expect(try error?.decoded(as: String.self), "overloaded")
    }

    @Test func anErrorWithoutABodyCannotBeDecoded() async throws {
        transport.on(.any, .failure(.connectionLost))
        let error = try await error()
        #expect { try error.decoded(as: Problem.self) } throws: { "\($0)".contains("The error has no body.") }
        expect(error.problemDetails == nil, true)
    }

    @Test func theErrorOfAStrangersInterceptorIsDecodedAndReportedWithItsResponse() async throws {
        transport.on(.any, .status(422))
        let reports = Recorder<CallReport>()
        let client = NetworkClient(
            transport: transport,
            interceptors: [RejectingInterceptor()],
            configuration: .init(baseURL: url("https://a.example"), acceptedStatuses: .all, observer: reports.record)
        )
        let error = await #expect(throws: Rejection.self) { try await client.fetch(.get(path: "items")) }
        expect(try error?.decoded(as: Problem.self), Problem(message: "rejected"))
        expect(reports.values.map(\.response?.statusCode), [422])
    }

    @Test func bytesThatWereFetchedAreDecodedLater() async throws {
        transport.on(.any, .json(Problem(message: "a")))
        let client = NetworkClient(transport: transport, configuration: .init(baseURL: url("https://a.example")))
        let response = try await client.fetch(.get(path: "items"), as: Data.self)
        expect(try response.decoded(as: Problem.self), Problem(message: "a"))
    }
}
