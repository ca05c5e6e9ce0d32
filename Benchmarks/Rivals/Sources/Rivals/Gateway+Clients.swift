import AsyncHTTPClient
import BenchmarkSuite
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NetworkClient
import NetworkClientHTTPTypes

extension Gateway {
    /// Hummingbird and AsyncHTTPClient, with as many connections to the server as clients have to the gateway, which is
    /// faster than its default of 8.
    static let asyncHTTPClient = Gateway("AsyncHTTPClient 1.37.0") { server, connections, isListening in
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        try await serve(isListening) { request in
            var forwarded = HTTPClientRequest(url: "\(server.absoluteString)\(request.path ?? "/")")
            forwarded.method = HTTPMethod(rawValue: request.method.rawValue)
            for field in request.headerFields { forwarded.headers.add(name: field.name.rawName, value: field.value) }
            let response = try await client.execute(forwarded, timeout: .seconds(30))
            var fields = HTTPFields()
            fields.reserveCapacity(response.headers.count)
            for (name, value) in response.headers {
                if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
            }
            return Response(
                status: HTTPResponse.Status(code: Int(response.status.code)),
                headers: fields.endToEnd,
                body: .init(asyncSequence: response.body)
            )
        }
    }

    /// Hummingbird and this library, with its default transport.
    static let networkClient = Gateway("stream, CurlTransport") { server, _, isListening in
        try await serve(isListening, by: NetworkClient(logging: .off), to: server)
    }

    /// The same with the tasks of Hummingbird on the thread that receives the responses.
    static let executor = Gateway("stream, CurlTransport.executor") { server, _, isListening in
        let transport = try CurlTransport()
        try await withTaskExecutorPreference(transport.executor) {
            try await serve(isListening, by: NetworkClient(transport: transport, logging: .off), to: server)
        }
    }

    private static func serve(
        _ isListening: @escaping @Sendable (Int) -> Void,
        by client: NetworkClient,
        to server: URL
    ) async throws {
        let options = CallOptions(acceptedStatuses: .all, redirects: .never, decodesBody: false)
        try await serve(isListening) { request in
            let response = try await client.stream(URLRequest(request, baseURL: server), options: options)
            let head = try HTTPResponse(response)
            return Response(
                status: head.status,
                headers: head.headerFields.endToEnd,
                body: .init { writer in
                    for try await chunk in response.item { try await writer.write(ByteBuffer(data: chunk)) }
                    try await writer.finish(nil)
                }
            )
        }
    }

    /// Serves each GET, at any path, with the response of a closure, whose parameter has only end-to-end fields.
    private static func serve(
        _ isListening: @escaping @Sendable (Int) -> Void,
        respond: @escaping @Sendable (HTTPRequest) async throws -> Response
    ) async throws {
        let router = Router()
        router.get("**") { request, _ in
            var head = request.head
            head.headerFields = head.headerFields.endToEnd
            return try await respond(head)
        }
        var application = Application(
            router: router,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in
                if let port = channel.localAddress?.port { isListening(port) }
            }
        )
        application.logger.logLevel = .error
        try await application.run()
    }
}
