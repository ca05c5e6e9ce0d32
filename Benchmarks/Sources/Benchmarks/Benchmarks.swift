import BenchmarkSuite
import Foundation

/// The program; code in a `main.swift` would run on the main actor, which makes every call slower.
@main
struct Benchmarks {
    static func main() async {
        exit(await Suite.run(Array(CommandLine.arguments.dropFirst())))
    }
}
