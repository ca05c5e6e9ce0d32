import BenchmarkHarness

/// The report on transfers.
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

/// The library's goals.
struct TransferGoals {
    private static let part = 0.9
    private static let mebibytes = 32

    let kinds: [MeasuredKind]

    func report(to report: Report) {
        for measured in kinds where measured.kind != .slow { reportSpeed(measured, to: report) }
        for measured in kinds {
            for name in [TransferVariant.curlTransportName, TransferVariant.sessionTransportName] {
                reportGrowth(measured, name, to: report)
            }
        }
    }

    /// Reports nothing if one of the two variants wasn't measured.
    private func reportSpeed(_ measured: MeasuredKind, to report: Report) {
        let (name, curl) = (TransferVariant.curlTransportName, TransferVariant.curl.name)
        guard let library = measured.figures(of: name), let other = measured.figures(of: curl) else { return }
        let ratio = library.speedRatio(to: other)
        report.goal(
            ratio >= Self.part,
            "\(measured.kind.rawValue): \(name): at least \(Self.part) × the MB/s of \(curl)",
            Figures.number(ratio, digits: 2)
        )
    }

    private func reportGrowth(_ measured: MeasuredKind, _ name: String, to report: Report) {
        guard let library = measured.figures(of: name) else { return }
        report.goal(
            library.growth.map { $0 < Self.mebibytes << 20 },
            "\(measured.kind.rawValue): \(name): memory grows by less than \(Self.mebibytes) MiB",
            Figures.megabytes(library.growth)
        )
    }
}
