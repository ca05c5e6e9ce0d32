import BenchmarkHarness
import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL
import NIOTLS

/// A server with TLS and one thread, which offers clients HTTP/2 and HTTP/1.1, or only one of the two.
///
///     SecureServer CERTIFICATE KEY PROTOCOL...
///
/// The protocols are the names that ALPN has for them, `h2` and `http/1.1`, the preferred one first. A request for
/// `/close` closes its connection after the response; all others leave it open. The program prints its port, a line of
/// counts for each line of its standard input, and ends at the end of its standard input.
@main
struct SecureServer {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 3 else { throw UsageError("usage: SecureServer CERTIFICATE KEY PROTOCOL...") }
        let counts = Locked(ServedCounts())
        let context = try makeContext(
            certificate: arguments[1],
            key: arguments[2],
            protocols: Array(arguments[3...])
        )
        let channel = try listen(context, counts)
        report("\(channel.localAddress?.port ?? 0)")
        while readLine() != nil {
            let now = counts.withLock { $0 }
            report("\(now.connections) \(now.requests1) \(now.requests2) \(Clocks.processor)")
        }
        exit(0)
    }

    private static func report(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    private static func makeContext(certificate: String, key: String, protocols: [String]) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
        )
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }

    private static func listen(_ context: NIOSSLContext, _ counts: Locked<ServedCounts>) throws -> any Channel {
        try ServerBootstrap(group: MultiThreadedEventLoopGroup(numberOfThreads: 1))
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try addHandlers(channel.pipeline.syncOperations, context, counts)
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .wait()
    }

    private static func addHandlers(
        _ pipeline: ChannelPipeline.SynchronousOperations,
        _ context: NIOSSLContext,
        _ counts: Locked<ServedCounts>
    ) throws {
        counts.withLock { $0.connections += 1 }
        try pipeline.addHandler(NIOSSLServerHandler(context: context))
        try pipeline.addHandler(
            ApplicationProtocolNegotiationHandler { (result, channel: any Channel) in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    if result == .negotiated("h2") {
                        try pipeline.addHandlers(NIOHTTP2Handler(mode: .server), HTTP2Responder(counts))
                    } else {
                        try pipeline.addHandler(HTTP1Responder(counts))
                    }
                }
            }
        )
    }
}

/// How many connections and requests the server has accepted.
struct ServedCounts: Sendable {
    /// The connections that were accepted.
    var connections = 0
    /// The requests over HTTP/1.1, which is also used with a client that doesn't know ALPN.
    var requests1 = 0
    /// The requests over HTTP/2.
    var requests2 = 0
}

/// The body of all responses, the same as that of `RequestServer`.
let smallBody = #"{"id":1,"name":"something"}"#
