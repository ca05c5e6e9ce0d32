import BenchmarkHarness

/// What the library is to reach.
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

    /// Nothing where one of the two was not measured.
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
