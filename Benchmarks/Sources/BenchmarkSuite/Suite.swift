/// All benchmarks.
public enum Suite {
    /// Runs the benchmarks that the command line, without the program's name, selects, and returns the exit status.
    public static func run(_ arguments: [String]) async -> Int32 {
        var benchmarks: [any Benchmark] = [
            DescribingBenchmark(), DecodingBenchmark(), ChainBenchmark(),
            RequestsBenchmark(isOfPages: false, rivals: []), RequestsBenchmark(isOfPages: true, rivals: []),
            VersionsBenchmark(), TransfersBenchmark(), EventsBenchmark(), SocketsBenchmark(rivals: []),
            SharingBenchmark(),
            StampedeBenchmark(), ResilienceBenchmark(),
            CompressionBenchmark(), CachingBenchmark(),
        ]
        benchmarks += TransportKind.available.map(SoakBenchmark.init)
        return await BenchmarkProgram(benchmarks: benchmarks).run(arguments)
    }

    /// Runs the benchmarks that compare the library with another one, and gateways.
    public static func run(
        _ arguments: [String],
        rival: RequestVariant,
        sockets: [SocketVariant],
        gateways: [Gateway]
    ) async -> Int32 {
        if let status = await Gateway.run(arguments, of: gateways) { return status }
        let benchmarks: [any Benchmark] = [
            RequestsBenchmark(isOfPages: false, rivals: [rival]), RequestsBenchmark(isOfPages: true, rivals: [rival]),
            SecureBenchmark(rivals: [rival]), SocketsBenchmark(rivals: sockets), GatewayBenchmark(gateways: gateways),
        ]
        return await BenchmarkProgram(benchmarks: benchmarks).run(arguments)
    }
}
