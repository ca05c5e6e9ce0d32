import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// A transport that the compliance suite runs on; another one is another line of ``all``.
///
/// A test takes it as an argument, `@Test(arguments: TransportUnderTest.all)`. What a transport cannot do is one of its
/// limitations: a test that it would not survive runs on ``all(without:)``, any other expects what comes instead.
struct TransportUnderTest: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let limitations: Set<Limitation>
    private let make: @Sendable (_ hasOneConnection: Bool) throws -> any Transport

    /// Creates an entry from a name, limitations, and a closure that makes a transport, with one connection per host
    /// if asked.
    private init(
        _ name: String,
        limitedBy limitations: Set<Limitation> = [],
        _ make: @escaping @Sendable (_ hasOneConnection: Bool) throws -> any Transport
    ) {
        testDescription = name
        self.limitations = limitations
        self.make = make
    }

    static let all: [TransportUnderTest] = {
        var all = [
            TransportUnderTest("URLSessionTransport", limitedBy: Limitation.ofURLSession) { hasOneConnection in
                let configuration = URLSessionConfiguration.ephemeral
                configuration.httpCookieStorage = nil
                configuration.httpMaximumConnectionsPerHost = 1
                guard hasOneConnection else { return URLSessionTransport() }
                return URLSessionTransport(session: URLSession(configuration: configuration))
            }
        ]
        #if os(Linux)
        all.append(
            TransportUnderTest("CurlTransport", limitedBy: Limitation.ofCurl) { hasOneConnection in
                // So patient, since a hundred tests at once may keep one waiting.
                try CurlTransport(
                    configuration: .init(connectTimeout: 60, connectionsPerHost: hasOneConnection ? 1 : 128)
                )
            }
        )
        #endif
        return all
    }()

    /// The transports without a limitation, which a test needs to run.
    static func all(without limitation: Limitation...) -> [TransportUnderTest] {
        all.filter { $0.limitations.isDisjoint(with: limitation) }
    }

    func has(_ limitation: Limitation) -> Bool {
        limitations.contains(limitation)
    }

    /// A transport with connections of its own.
    func transport(hasOneConnection: Bool = false) throws -> any Transport {
        try make(hasOneConnection)
    }

    /// Returns a client with a new transport and without a log.
    func client(
        interceptors: [any InterceptorProtocol] = [],
        decoder: any DecoderProtocol = .default,
        apiErrorMapper: ResponseErrorMapper = .default,
        configuration: NetworkClient.Configuration = NetworkClient.Configuration()
    ) throws -> NetworkClient {
        NetworkClient(
            transport: try transport(),
            interceptors: interceptors,
            decoder: decoder,
            logging: .off,
            apiErrorMapper: apiErrorMapper,
            configuration: configuration
        )
    }

    /// Returns a server, and a client that has a connection to it.
    ///
    /// For tests that let a server wait for seconds: while a response is awaited on a new connection, URLSession takes
    /// a whole core on Linux.
    func connected(
        configuration: NetworkClient.Configuration = NetworkClient.Configuration(),
        script: @escaping @Sendable () -> Script
    ) async throws -> (client: NetworkClient, server: LoopbackServer) {
        let server = try LoopbackServer { $0.path == "/connecting" ? .respond() : script() }
        let client = try client(configuration: configuration)
        let request = URLRequest(url: server.url("/connecting"))
        try await client.fetch(request: request, options: CallOptions(idleTimeout: 60))
        return (client, server)
    }
}
