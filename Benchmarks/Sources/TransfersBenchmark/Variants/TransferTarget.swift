public import Foundation

/// What is transferred, from where to where.
public struct TransferTarget: Sendable {
    /// What is requested with GET, or where a file is sent with PUT or POST.
    public let url: URL

    /// What is sent, or where it is to go; of no use to a slow consumer.
    public let file: URL

    /// How large it is.
    public let bytes: Int

    init(_ kind: TransferKind, port: UInt16, file: URL, bytes: Int) throws {
        let path = kind.isSent ? "count" : "bytes?count=\(bytes)"
        guard let url = URL(string: "http://127.0.0.1:\(port)/\(path)") else { throw URLError(.badURL) }
        self.url = url
        self.file = file
        self.bytes = bytes
    }

    /// What there is to be in the end; the framing of a form is short.
    func accepts(_ count: Int, _ kind: TransferKind) -> Bool {
        kind == .multipart ? (1..<1_000).contains(count - bytes) : count == bytes
    }
}
