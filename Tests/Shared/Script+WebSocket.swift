import NetworkTestSupport

@testable import NetworkClient

extension Script {
    /// Accepts the opening of a WebSocket, and talks over it on the connection's thread, which then ends.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - headers: Further fields of the response.
    ///   - first: Bytes that come with the head.
    ///   - talk: Talks to the client.
    /// - Returns: The script.
    static func webSocket(
        _ request: RecordedRequest,
        headers: WireFields = [:],
        first: [UInt8] = [],
        _ talk: @escaping @Sendable (WebSocketPeer) throws -> Void
    ) -> Script {
        [.send(head(for: request, headers)), .send(first), .talk { try talk(WebSocketPeer($0)) }]
    }

    /// Returns the head of the response that accepts the opening.
    static func head(for request: RecordedRequest, _ headers: WireFields = [:]) -> String {
        let accept = WebSocketHandshake.accept(for: request.headers["Sec-WebSocket-Key"] ?? "")
        let lines = headers.map { "\($0)\r\n" }.joined()
        return """
            HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Accept: \(accept)\r\n\(lines)\r\n
            """
    }

    /// Sends each message back until the client closes the socket, and closes it with the same frame.
    static func echo(_ request: RecordedRequest, headers: WireFields = [:]) -> Script {
        .webSocket(request, headers: headers) { peer in
            while let frame = try peer.next() {
                guard frame.opcode != 10 else { continue }
                try peer.send(WebSocketPeer.frame(frame.opcode == 9 ? 10 : frame.opcode, frame.payload))
                if frame.opcode == 8 { break }
            }
        }
    }
}
