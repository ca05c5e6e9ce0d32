package import Foundation

/// A request as it came over the wire.
package struct RecordedRequest: Sendable {
    /// Everything up to and with the empty line.
    package let headBytes: [UInt8]
    package let method: String
    /// What stands between method and version: path and query, not decoded.
    package let target: String
    package let version: String
    /// In the order, and spelled, as received.
    package let headers: WireFields
    package let framing: BodyFraming
    /// Which connection of the server brought it, the first being 0.
    package let connection: Int
    /// Which request of that connection it is, the first being 0.
    package let indexOnConnection: Int

    /// The content, out of its chunks; empty when only the head has been read, or the server keeps no bodies.
    package internal(set) var body = Data()
    /// The body as sent, with chunk sizes and trailers if it was chunked.
    package internal(set) var rawBody = Data()
    /// The length of the content, counted even where it is not kept.
    package internal(set) var bodyLength = 0
    package internal(set) var trailers = WireFields()
    /// Whether the body was read to its end.
    package internal(set) var isComplete = false

    init(head: RequestHead, connection: Int, indexOnConnection: Int) {
        headBytes = head.bytes
        method = head.method
        target = head.target
        version = head.version
        headers = head.headers
        framing = head.framing
        self.connection = connection
        self.indexOnConnection = indexOnConnection
    }

    /// The first value of a header field, whatever the case of its name.
    package func value(forHeader name: String) -> String? {
        headers[name]
    }

    package var headText: String {
        String(decoding: headBytes, as: UTF8.self)
    }

    package var bodyText: String {
        String(decoding: body, as: UTF8.self)
    }

    /// The target up to the question mark.
    package var path: String {
        String(target.prefix { $0 != "?" })
    }

    /// The target after the question mark, nil if it has none.
    package var query: String? {
        target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
    }
}
