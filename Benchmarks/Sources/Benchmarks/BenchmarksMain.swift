import BenchmarkHarness
import Foundation

/// The program; code of a `main.swift` would belong to the main actor, which makes every call dearer.
@main
struct BenchmarksMain {
    static func main() async {
        let program = BenchmarkProgram([
            DescribingBenchmark(), EscapingBenchmark(), MultipartBenchmark(),
            ChainBenchmark(), SharingBenchmark(), StampedeBenchmark(), SoakBenchmark(),
        ])
        exit(await program.run(Array(CommandLine.arguments.dropFirst())))
    }
}
