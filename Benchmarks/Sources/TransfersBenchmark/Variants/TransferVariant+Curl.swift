import Foundation

extension TransferVariant {
    /// The reference for ratios: the system's curl.
    ///
    /// The last line of its output is the number of bytes received, and the seconds.
    static let curl = TransferVariant(
        "curl",
        TransferKind.allCases,
        .command { kind, target in
            let quiet = ["curl", "-q", "-s", "-S", "-f", "--max-time", "600", "-H", "Expect:"]
            let told = ["-w", "\\n%{size_download} %{time_total}"]
            let own =
                switch kind {
                case .down: ["-o", target.file.path]
                case .up: ["-T", target.file.path]
                case .multipart: ["-F", "file=@\(target.file.path)"]
                case .slow: ["-o", "/dev/null", "--limit-rate", "\(Pace.megabytesPerSecond * 1_000_000)"]
                }
            return quiet + told + own + [target.url.absoluteString]
        }
    )
}
