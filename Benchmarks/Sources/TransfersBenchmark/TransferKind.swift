/// The kinds of transfers of a large file.
public enum TransferKind: String, CaseIterable, Sendable {
    /// From the server to the disk.
    case down

    /// From the disk to the server, as the whole body.
    case up

    /// From the disk to the server, as the one part of a multipart form.
    case multipart

    /// From the server to a much slower consumer.
    case slow

    /// Whether the file goes to the server.
    var isSent: Bool { self == .up || self == .multipart }

    var title: String {
        switch self {
        case .down: "Down to disk"
        case .up: "Up from disk"
        case .multipart: "Up from disk as one part of a multipart form"
        case .slow: "Down to a consumer that takes \(Pace.megabytesPerSecond) MB/s"
        }
    }
}
