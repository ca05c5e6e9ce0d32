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

    /// Sends binary messages of a size, closes the socket, and waits for its end.
    static func flood(_ request: RecordedRequest, count: Int, size: Int) -> Script {
        .webSocket(request) { peer in
            let frame = WebSocketPeer.frame(2, [UInt8](repeating: 7, count: size))
            for _ in 0..<count { try peer.send(frame) }
            try peer.send(close: 1000)
            peer.awaitEnd()
        }
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
