public import Foundation

/// What is requested, and by how many at once.
public struct RequestTarget: Sendable {
    /// The URL of a small JSON object.
    public let url: URL

    /// How many requests are under way at a time; a client is to keep as many connections.
    public let concurrency: Int

    let port: UInt16

    init(port: UInt16, concurrency: Int) throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)/small") else { throw URLError(.badURL) }
        self.url = url
        self.port = port
        self.concurrency = concurrency
    }
}
