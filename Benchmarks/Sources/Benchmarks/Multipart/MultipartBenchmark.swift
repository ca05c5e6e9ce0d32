import BenchmarkHarness
import Foundation

/// Measures how fast a multipart body with a large file is read, and how much memory that takes.
struct MultipartBenchmark: Benchmark {
    let name = "multipart"
    let summary = "Reading a multipart body with one large file from the page cache, 256 KiB at a time."

    func run(_ options: Options, _ report: Report) async throws {
        let bytes = try options.number("mebibytes", quick: 64, full: 1_024) << 20
        let rounds = try options.number("rounds", quick: 5, full: 9)
        // One-time costs of the first use aren't a cost of a large file.
        try await measure(1 << 20, isSparse: false) { pass in _ = try (pass.body(), pass.read()) }
        var table = Table("file", "body", "read(2)", "memcpy", "body to read(2)", "body to memcpy", "growth")
        var results: [Result] = []
        for isSparse in [false, true] where isSparse || BodyFile.fits(bytes) {
            try await measure(bytes, isSparse: isSparse) { pass in
                let growth = try Self.growth(pass, report)
                let speeds = try await Self.speeds(pass, rounds: rounds)
                results.append(Result(name: isSparse ? "sparse" : "written", speeds: speeds, growth: growth))
            }
        }
        for result in results { table.add(result.cells) }
        report.note(
            "\(bytes >> 20) MiB, \(rounds) interleaved passes; GB/s, medians. A sparse file is one page of zeroes."
        )
        report.table(table)
        report.note("")
        for result in results { result.report(to: report) }
    }

    private func measure(_ bytes: Int, isSparse: Bool, _ operation: (BodyPass) async throws -> Void) async throws {
        let file = try BodyFile(bytes: bytes, isSparse: isSparse)
        defer { file.remove() }
        try await operation(BodyPass(file))
    }

    /// Returns by how much the resident memory peaked during one pass, including making the request.
    private static func growth(_ pass: BodyPass, _ report: Report) throws -> Int? {
        // First fills the page cache, which belongs to the system and not to the process.
        _ = try pass.read()
        ProcessFacts.trim()
        ProcessFacts.resetPeak()
        let before = ProcessFacts.now().peakResidentBytes
        let length = try pass.body()
        let after = ProcessFacts.now().peakResidentBytes
        let framing = length - pass.file.bytes
        report.require((1..<1_000).contains(framing), "the body is the file and its framing", "\(length) bytes")
        guard let before, let after else { return nil }
        return max(0, after - before)
    }

    private static func speeds(_ pass: BodyPass, rounds: Int) async throws -> [Double] {
        let measured = try await Comparison(rounds: rounds, operations: 1).measure([
            Variant("body") { count in for _ in 0..<count { _ = try pass.body() } },
            Variant("read(2)") { count in for _ in 0..<count { _ = try pass.read() } },
            Variant("memcpy") { count in for _ in 0..<count { pass.copy() } },
        ])
        return measured.map { Double(pass.file.bytes) / $0.median }
    }
}

extension MultipartBenchmark {
    /// The results for one file.
    private struct Result {
        let name: String

        /// GB/s of the body, of `read(2)` and of `memcpy`.
        let speeds: [Double]
        let growth: Int?

        var cells: [String] {
            let ratios = [speeds[0] / speeds[1], speeds[0] / speeds[2]]
            return [name] + (speeds + ratios).map { Figures.number($0, digits: 2) } + [Figures.megabytes(growth)]
        }

        func report(to report: Report) {
            report.goal(speeds[0] >= 1, "\(name): at least 1 GB/s", Figures.number(speeds[0], digits: 2) + " GB/s")
            let found = Figures.megabytes(growth)
            report.goal(growth.map { $0 < 2 << 20 }, "\(name): memory grows by less than 2 MiB", found)
            guard let growth else { return }
            report.require(growth < 32 << 20, "\(name): memory grows by less than 32 MiB", found)
        }
    }
}
