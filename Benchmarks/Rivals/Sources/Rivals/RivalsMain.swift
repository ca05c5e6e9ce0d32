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
            RequestsBenchmark(pagesWith: [rival]),
            TransfersBenchmark(rivals: [.asyncHTTPClient]),
        ])
        exit(await program.run(Array(CommandLine.arguments.dropFirst())))
    }
}
