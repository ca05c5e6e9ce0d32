import BenchmarkHarness

/// What is reported of transfers.
struct TransferFigures {
    let kinds: [MeasuredKind]

    func report(to report: Report) {
        for measured in kinds {
            report.note("\(measured.kind.title):")
            report.table(measured.kind == .slow ? growth(measured) : table(measured))
        }
        report.note("")
    }

    private func table(_ measured: MeasuredKind) -> Table {
        let curl = measured.figures(of: TransferVariant.curl.name)
        var table = Table("variant", "MB/s", "ratio to curl", "CPU s a GiB", "ratio to curl", "memory growth")
        for variant in measured.variants {
            table.add(
                variant.name,
                quartiles(variant.speeds),
                Figures.number(curl.map(variant.speedRatio), digits: 2),
                Figures.number(variant.processor.median, digits: 2),
                Figures.number(curl.map(variant.processorRatio), digits: 2),
                Figures.megabytes(variant.growth)
            )
        }
        return table
    }

    private func growth(_ measured: MeasuredKind) -> Table {
        var table = Table("variant", "memory growth")
        for variant in measured.variants { table.add(variant.name, Figures.megabytes(variant.growth)) }
        return table
    }

    private func quartiles(_ values: [Double]) -> String {
        let figures = [0.5, 0.25, 0.75].map { Figures.number(values.quantile($0), digits: 0) }
        return "\(figures[0]) (\(figures[1])…\(figures[2]))"
    }
}
