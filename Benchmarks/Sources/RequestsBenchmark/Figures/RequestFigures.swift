import BenchmarkHarness

/// What is reported of requests.
struct RequestFigures {
    let levels: [RequestLevel]

    func report(to report: Report) {
        report.note("Requests a second, all levels:")
        report.table(overview { Figures.number($0.rates.median, digits: 0) })
        report.note("Microseconds of processor time for a request, all threads of the client, all levels:")
        report.table(overview { Figures.number($0.processor.median / 1_000) })
        for level in levels {
            report.note("\(level.concurrency) at a time:")
            report.table(table(level))
        }
        report.note("")
    }

    private func overview(_ figure: (MeasuredRequests) -> String) -> Table {
        var table = Table(["at a time"] + levels.map { "\($0.concurrency)" })
        for name in levels.first?.measured.map(\.name) ?? [] {
            table.add([name] + levels.map { $0.figures(of: name).map(figure) ?? "n/a" })
        }
        return table
    }

    private func table(_ level: RequestLevel) -> Table {
        var table = Table(
            "variant",
            "requests a second",
            "ratio",
            "p50 µs",
            "p99 µs",
            "CPU µs a request",
            "ratio",
            "allocations"
        )
        for variant in level.measured {
            table.add(
                variant.name,
                quartiles(variant.rates),
                Figures.number(variant.rateRatio(to: level.measured[0]), digits: 2),
                Figures.number(variant.medianLatency / 1_000, digits: 0),
                Figures.number(variant.highLatency / 1_000, digits: 0),
                Figures.number(variant.processor.median / 1_000),
                Figures.number(variant.processorRatio(to: level.measured[0]), digits: 3),
                Figures.number(variant.allocations, digits: 0)
            )
        }
        return table
    }

    private func quartiles(_ values: [Double]) -> String {
        let figures = [0.5, 0.25, 0.75].map { Figures.number(values.quantile($0), digits: 0) }
        return "\(figures[0]) (\(figures[1])…\(figures[2]))"
    }
}
