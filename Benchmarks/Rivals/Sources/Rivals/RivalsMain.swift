import BenchmarkHarness
import Foundation
import RequestsBenchmark
import TransfersBenchmark

/// The benchmarks that compare the library with others that take minutes to build.
@main
struct RivalsMain {
    static func main() async {
        let rival = RequestVariant.asyncHTTPClient
        let library = RequestVariant.curlTransportName
        let program = BenchmarkProgram([
            RequestsBenchmark(
                rivals: [rival],
                goals: [
                    .rate(of: library, isAtLeast: 1.5, times: rival.name, at: 1...1),
                    .rate(of: library, isAtLeast: 1.1, times: rival.name, at: 16...256),
                ]
            ),
            RequestsBenchmark(
                pagesWith: [rival],
                goals: [.rate(of: library, isAtLeast: 2.2, times: rival.name, at: 1...16)]
            ),
            SecureBenchmark(
                server: secureServer,
                rivals: [rival],
                goals: [.rate(of: library, isAtLeast: 1, times: rival.name, at: 1...256)]
            ),
            TransfersBenchmark(rivals: [.asyncHTTPClient]),
        ])
        exit(await program.run(Array(CommandLine.arguments.dropFirst())))
    }

    /// The server with TLS, whose certificate is one of the library's tests: valid until 2120, for 127.0.0.1.
    private static var secureServer: SecureServerProgram {
        let package = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = package.appendingPathComponent("Tests/NetworkTestSupport/TLS/Fixtures")
        return SecureServerProgram(
            "SecureServer",
            certificate: folder.appendingPathComponent("localhost.pem"),
            key: folder.appendingPathComponent("localhost.key"),
            trustRoots: folder.appendingPathComponent("root.pem")
        )
    }
}
