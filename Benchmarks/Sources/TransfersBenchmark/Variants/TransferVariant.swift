public import Foundation

/// One way of making transfers.
public struct TransferVariant: Sendable {
    enum Way: Sendable {
        /// A client in a process of this package.
        case client(@Sendable () async throws -> TransferClient)

        /// A program with these arguments.
        case command(@Sendable (TransferKind, TransferTarget) -> [String])
    }

    /// The name in the report.
    public let name: String

    let kinds: [TransferKind]
    let way: Way

    /// Creates a variant for some kinds of transfers, from a closure that makes a client.
    ///
    /// Each measured transfer has a new client, in a separate process.
    public init(
        _ name: String,
        _ kinds: [TransferKind] = TransferKind.allCases,
        client: @escaping @Sendable () async throws -> TransferClient
    ) {
        self.init(name, kinds, .client(client))
    }

    init(_ name: String, _ kinds: [TransferKind], _ way: Way) {
        self.name = name
        self.kinds = kinds
        self.way = way
    }
}

/// A client that makes transfers.
public struct TransferClient: Sendable {
    let transfer: @Sendable (TransferKind, TransferTarget) async throws -> Int
    let end: @Sendable () async throws -> Void

    /// Creates a client from its two operations.
    ///
    /// - Parameters:
    ///   - transfer: Makes one transfer, and returns the number of bytes received, or that the server has counted.
    ///   - end: Closes the client.
    public init(
        transfer: @escaping @Sendable (TransferKind, TransferTarget) async throws -> Int,
        end: @escaping @Sendable () async throws -> Void
    ) {
        self.transfer = transfer
        self.end = end
    }
}

/// The source and the destination of a transfer.
public struct TransferTarget: Sendable {
    /// The URL of a download with GET, or of an upload with PUT or POST.
    public let url: URL

    /// The file to send, or the destination of a download; unused by a slow consumer.
    public let file: URL

    /// The size of the file.
    public let bytes: Int

    init(_ kind: TransferKind, port: UInt16, file: URL, bytes: Int) throws {
        let path = kind.isSent ? "count" : "bytes?count=\(bytes)"
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { throw URLError(.badURL) }
        self.url = url
        self.file = file
        self.bytes = bytes
    }

    /// Returns whether the number of bytes is right; the framing of a form is under 1,000 bytes.
    func accepts(_ count: Int, _ kind: TransferKind) -> Bool {
        kind == .multipart ? (1..<1_000).contains(count - bytes) : count == bytes
    }
}

/// A transfer with the wrong result.
struct UnexpectedTransfer: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension URL {
    /// Returns the length of the file in bytes.
    public func fileLength() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        guard let size = attributes[.size] as? NSNumber else { throw CocoaError(.fileReadUnknown) }
        return size.intValue
    }
}
