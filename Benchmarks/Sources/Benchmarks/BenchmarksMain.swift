import BenchmarkHarness
import Foundation
import RequestsBenchmark
import TransfersBenchmark

/// The program; code in a `main.swift` would run on the main actor, which makes every call slower.
@main
struct BenchmarksMain {
    static func main() async {
        let benchmarks: [any Benchmark] = [
            DescribingBenchmark(), EscapingBenchmark(), MultipartBenchmark(), DecodingBenchmark(),
            ChainBenchmark(), EndpointBenchmark(), RoutedEndpointBenchmark(),
            RequestsBenchmark(), RequestsBenchmark(pagesWith: [], goals: []), TransfersBenchmark(),
            WaitingBenchmark(), SharingBenchmark(),
            StampedeBenchmark(), ResilienceBenchmark(),
        ]
        let program = BenchmarkProgram(benchmarks + TransportKind.available.map(SoakBenchmark.init))
        exit(await program.run(Array(CommandLine.arguments.dropFirst())))
    }
}
