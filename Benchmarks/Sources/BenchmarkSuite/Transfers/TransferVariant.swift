import Foundation
import NetworkClient

/// One way of making transfers.
struct TransferVariant: Sendable {
    enum Way: Sendable {
        /// A client in a process of this package.
        case client(@Sendable () async throws -> TransferClient)

        /// A program with these arguments, which writes the server's response to an upload, if any, and then a line
        /// with the number of bytes received, and the seconds.
        case command(@Sendable (TransferKind, TransferTarget) -> [String])
    }

    let name: String
    let way: Way

    init(_ name: String, _ way: Way) {
        self.name = name
        self.way = way
    }

    /// Creates a variant from a closure that makes a client, which transfers one large file in a separate process.
    init(_ name: String, client: @escaping @Sendable () async throws -> TransferClient) {
        self.init(name, .client(client))
    }
}

extension TransferVariant {
    /// The reference for ratios: the system's curl.
    static let curl = TransferVariant(
        "curl",
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

    static let session = TransferVariant("URLSession") {
        let transfers = SessionTransfers()
        return TransferClient(transfer: transfers.transfer) { transfers.session.invalidateAndCancel() }
    }

    static let sessionTransport = TransferVariant("NetworkClient, URLSessionTransport") {
        let transport = URLSessionTransport(session: URLSession(configuration: .ephemeral))
        let transfers = LibraryTransfers(client: NetworkClient(transport: transport, logging: .off))
        return TransferClient(transfer: transfers.transfer) { transport.shutDown() }
    }

    #if os(Linux)
    static let curlTransport = TransferVariant("NetworkClient, CurlTransport") {
        let transport = try CurlTransport()
        let transfers = LibraryTransfers(client: NetworkClient(transport: transport, logging: .off))
        return TransferClient(transfer: transfers.transfer) { transport.shutDown() }
    }
    #endif
}

/// A client that makes transfers.
struct TransferClient: Sendable {
    /// Makes one transfer, and returns the number of bytes received, or that the server has counted.
    let transfer: @Sendable (TransferKind, TransferTarget) async throws -> Int
    /// Closes the client.
    let end: @Sendable () async throws -> Void
}

/// The kinds of transfers of a large file.
enum TransferKind: String, CaseIterable, Sendable {
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

/// The source and the destination of a transfer.
struct TransferTarget: Sendable {
    /// The URL of a download with GET, or of an upload with PUT or POST.
    let url: URL

    /// The file to send, or the destination of a download; unused by a slow consumer.
    let file: URL

    /// The size of the file.
    let bytes: Int

    init(_ kind: TransferKind, port: UInt16, file: URL, bytes: Int) throws {
        let path = kind.isSent ? "count" : "bytes?count=\(bytes)"
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { throw URLError(.badURL) }
        self.url = url
        self.file = file
        self.bytes = bytes
    }

    /// Throws if the number of bytes is wrong; the framing of a form is under 1,000 bytes.
    func check(_ count: Int, _ kind: TransferKind) throws {
        let isRight = kind == .multipart ? (1..<1_000).contains(count - bytes) : count == bytes
        guard isRight else { throw UsageError("\(count) bytes instead of \(bytes)") }
    }

    /// The length of the received file.
    func receivedBytes() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        guard let size = attributes[.size] as? NSNumber else { throw CocoaError(.fileReadUnknown) }
        return size.intValue
    }
}

/// The pace of a consumer that works on each chunk.
struct Pace: Sendable {
    static let megabytesPerSecond = 200

    private let start = Clocks.elapsed

    /// The number of bytes consumed.
    private(set) var bytes = 0

    /// Consumes a chunk, and returns the nanoseconds that the work on all chunks so far still takes.
    ///
    /// Returns 0 for less than 1 ms, since shorter sleeps are inaccurate.
    mutating func take(_ count: Int) -> UInt64 {
        bytes += count
        let due = start + UInt64(bytes) * 1_000 / UInt64(Self.megabytesPerSecond)
        let now = Clocks.elapsed
        return due > now + 1_000_000 ? due - now : 0
    }
}
