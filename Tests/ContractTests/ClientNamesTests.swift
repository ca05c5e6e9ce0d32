import Foundation
import NetworkClient
import NetworkClientTesting
import NetworkTestSupport
import NetworkUtilities
import Testing

/// Every name of NetworkClient that users rely on, used as they use it.
struct ClientNamesTests {
    private struct Interceptor: NetworkClient.Interceptor {
        func process(
            _ request: URLRequest,
            next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
        ) async throws -> NetworkClient.ChainResult {
            let (data, response) = try await next(request)
            return (data: data, response: response)
        }
    }

    private struct Decoder: NetworkClient.Decoder {
        func decode<T: Decodable>(data: Data) throws -> T { try DefaultDecoder().decode(data: data) }
    }

    private struct Logger: NetworkClient.Logging {
        func log(_ message: String, for part: NetworkLoggingType, type: LogType) {}
    }

    private struct Stream: LogStream {
        func log(_ message: String, for type: LogType) {}
    }

    private struct Silence: LoggerFilter {
        func acceptLoggingLevel(for request: URLRequest) -> NetworkLoggingLevel { .off }
    }

    private struct Domain: Error {}

    /// Types of an app that have the names of the library's.
    private enum App {
        struct Cookie {}
        struct Endpoint {}
        struct NetworkClient {}

        struct Ping: NetworkClient::Endpoint {
            func request(from builder: URLRequest.PathBuilder) throws -> URLRequest {
                try builder.get(path: "/").build()
            }
        }

        static func cookie() throws -> NetworkClient::Cookie? { nil }
        static func client(_ transport: any NetworkClient::Transport) -> NetworkClient::NetworkClient {
            NetworkClient::NetworkClient(transport: transport)
        }
        static func either(_ value: NetworkClient::Either<Int, String>) -> Bool { value == .first(1) }
    }

    @Test func aTypeOfTheModuleCanBeWrittenWithItsModuleWhereAnotherTypeHasItsName() async throws {
        let client = App.client(NetworkClientTesting::ClosureTransport(json: "1"))
        let options = NetworkClient::CallOptions()
        let response: NetworkClient.Response<Int> = try await client.fetch(
            request: URLRequest(url: URL(http: "http://h")),
            options: options
        )
        expectAll((response.item, App.either(.first(1))), (1, true))
    }

    @Test func clients() async throws {
        let server = try CannedServer(["GET /": "[1]"])
        let mapper = ResponseErrorMapper { info in
            info.data.isEmpty ? info.error : info.response.statusCode == 404 ? Domain() : info.error as any Error
        }
        let clients = [
            NetworkClient(),
            NetworkClient(
                interceptors: [Interceptor(), NoOpAdapter(), LoggingInterceptor(logger: Logger())],
                decoder: Decoder(),
                logging: Logger(),
                session: URLSession(configuration: .ephemeral),
                apiErrorMapper: mapper
            ),
            NetworkClient(decoder: NullHandlingDecoder(DefaultDecoder()), logging: .off),
            NetworkClient(decoder: .default.handlingOptionalResponses, logging: .default),
        ]
        let request = URLRequest.get(url: server.url("/")).build()
        for client in clients {
            let empty: NetworkClient.Response<()> = try await client.fetch(request: request)
            expect(empty.httpResponse.statusCode, 200)
            let response: NetworkClient.Response<[Int]> = try await client.fetch(request: request)
            expect(response.item, [1])
            expect(response.allHeaders["Content-Type"], "application/json")
            expect(response.value(forHeaderKey: "content-type"), response["CONTENT-TYPE"])
        }
        let missing = URLRequest.get(url: server.url("/missing")).build()
        await #expect(throws: Domain.self) { try await clients[1].fetch(request: missing) }
    }

    @Test func errors() throws {
        let place = try #require(URL(string: "https://h/"))
        let head = HTTPURLResponse(url: place, statusCode: 404, httpVersion: nil, headerFields: nil)
        let response = try #require(head)
        let errors: [NetworkClient.Error] = [
            .apiError(response: response, data: Data("[1]".utf8)),
            .decodingError(type: .dataCorrupted(.init(codingPath: [], debugDescription: ""))),
            .invalidUrl(originalUrl: "x"), .invalidResponse, .encodingError(type: .json(path: "a", reason: "is wrong")),
            .requestError(type: TransportError(.timedOut)),
        ]
        expect(errors.map(\.statusCode), [404, nil, nil, nil, nil, nil])
        let payloads: [[Int]?] = errors.map { $0.getError(using: DefaultDecoder()) }
        expect(payloads, [[1], nil, nil, nil, nil, nil])
        let payload: [Int]? = errors[0].getError()
        expect(payload, [1])
        let info = ResponseErrorMapper.Info(response: response, data: Data())
        expect(info.error.statusCode, 404)
    }

    @Test func decoders() throws {
        let decoders: [any DecoderProtocol] = [
            DefaultDecoder(), DefaultDecoder(decoder: JSONDecoder()), NullHandlingDecoder(DefaultDecoder()), .default,
            .default.handlingOptionalResponses, Decoder().handlingOptionalResponses,
        ]
        for decoder in decoders {
            let numbers: [Int]? = try decoder.decode(data: Data("[1]".utf8))
            expect(numbers, [1])
        }
    }

    @Test func instanceCaching() throws {
        let request = URLRequest(url: try #require(URL(string: "https://h/")))
        let marked = [request.withInstanceCaching(), request.withInstanceCaching(customHash: "a")]
        for request in marked { #expect(request.clearingInstanceCaching().allHTTPHeaderFields?.isEmpty != false) }
    }

    @Test func logging() {
        let masks: [HeaderMasks] = [.authorization, .has(name: "X-A"), .contains(name: "x") { _ in "…" }]
        let loggers: [any NetworkLogger] = [
            .default, .off, DefaultLogger(), Logger(),
            DefaultLogger(
                tag: "Shop",
                logStream: Stream(),
                logFilter: Silence(),
                requestLevel: .full,
                responseLevel: [.status, .headers],
                headerMasks: masks
            ),
        ]
        expect(loggers.map(\.requestLevel), [.status, .off, .status, .status, .full])
        expect(loggers.map(\.responseLevel), [.status, .off, .status, .status, [.status, .headers]])
        let levels: [NetworkLoggingLevel] = [.off, .status, .headers, .body, .full]
        let types: [LogType] = [.info, .warning, .critical]
        expectAll((levels.count, types.count), (5, 3))
        let interceptors: [any NetworkClient.Interceptor] = [
            LoggingInterceptor(logger: DefaultLogger()), NoOpAdapter(),
        ]
        expect(interceptors.count, 2)
    }
}
