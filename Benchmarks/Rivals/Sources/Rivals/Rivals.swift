import AsyncHTTPClient
import BenchmarkSuite
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// The benchmarks that compare the library with others that take minutes to build.
@main
struct Rivals {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        exit(
            await Suite.run(
                arguments,
                rival: .asyncHTTPClient,
                sockets: [.nioWebSocket],
                gateways: [.asyncHTTPClient, .networkClient, .executor]
            )
        )
    }
}

extension RequestVariant {
    /// AsyncHTTPClient with as many connections as the other variants, which is faster than with its default of 8; with
    /// TLS with that default, and one connection for HTTP/2.
    static let asyncHTTPClient = RequestVariant("AsyncHTTPClient 1.37.0") { target in
        var configuration = HTTPClient.Configuration()
        if !target.isSecure {
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = target.concurrency
        }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let request = HTTPClientRequest(url: target.url.absoluteString)
        let decoder = JSONDecoder()
        return RequestClient {
            let response = try await client.execute(request, timeout: .seconds(30))
            guard response.status == .ok else { throw URLError(.badServerResponse) }
            let body = try await response.body.collect(upTo: 1_024 * 1_024)
            return try target.decode(Data(buffer: body, byteTransferStrategy: .noCopy), decoder)
        } end: {
            try await client.shutdown()
        }
    }
}
