package import Foundation
import NetworkClient

/// An HTTP proxy whose tunnels (RFC 9110 §9.3.6) lead to the loopback for all hosts.
///
/// It serves connections one after the other, and ends with its last reference.
package final class TunnelProxy: Sendable {
    package let url: URL
    private let wakeup: Wakeup
    private let heads = Locked<[String]>([])
    private let current = Locked<[Socket]>([])

    /// Starts to listen; `answer` is the response before the tunnel begins.
    package init(answer: String = "HTTP/1.1 200 Connection established\r\n\r\n") throws {
        let listener = try Socket.listening(on: .ipv4)
        url = try Loopback.ipv4.url(port: listener.port())
        wakeup = try Wakeup()
        let (wakeup, heads, current) = (wakeup, heads, current)
        Thread.detachNewThread {
            while Socket.waitReadable([listener, wakeup.signalled]) == [true, false],
                let client = try? listener.acceptNext()
            {
                try? Self.serve(client, Array(answer.utf8), heads, current)
                client.closeNow()
            }
            listener.closeNow()
            wakeup.closeNow()
        }
    }

    deinit {
        // Shutting a listening socket down wakes no thread on Apple platforms.
        wakeup.signal()
        for socket in current.withLock({ $0 }) { socket.shutDown() }
    }

    /// The first lines of the received requests.
    package var requestLines: [String] { heads.withLock { $0 } }

    private static func serve(
        _ client: Socket,
        _ answer: [UInt8],
        _ heads: Locked<[String]>,
        _ current: Locked<[Socket]>
    ) throws {
        var head: [UInt8] = []
        while !head.ends(with: "\r\n\r\n") {
            let bytes = try client.receive(upTo: 1)
            guard !bytes.isEmpty else { return }
            head += bytes
        }
        let line = String(decoding: head.prefix { $0 != 0x0D }, as: UTF8.self)
        heads.withLock { $0.append(line) }
        let place = line.split(separator: " ").dropFirst().first ?? ""
        guard let port = UInt16(place.split(separator: ":").last ?? "") else { return }
        let server = try Socket.connected(to: port)
        current.withLock { $0 = [client, server] }
        try client.sendAll(answer)
        try pump(client, server)
    }

    private static func pump(_ one: Socket, _ other: Socket) throws {
        while true {
            let readable = Socket.waitReadable([one, other])
            for (from, to, isReadable) in [(one, other, readable[0]), (other, one, readable[1])] where isReadable {
                let bytes = try from.receive()
                guard !bytes.isEmpty else { return }
                try to.sendAll(bytes)
            }
        }
    }
}

extension [UInt8] {
    fileprivate func ends(with text: String) -> Bool {
        suffix(text.utf8.count).elementsEqual(text.utf8)
    }
}
