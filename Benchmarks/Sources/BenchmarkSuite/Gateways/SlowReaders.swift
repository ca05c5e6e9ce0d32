#if os(Linux)
import Foundation

/// Clients that all request some bytes at once, and read them slowly.
struct SlowReaders: Sendable {
    let count: Int
    let bytes: Int

    /// What each client reads at a time, and its receive buffer; small, so that the bytes wait in the gateway.
    private static let step = 16 << 10
    /// The microseconds between two reads.
    private static let pause: UInt32 = 10_000

    /// How fast each client reads.
    var pace: String { "\(Self.step * 1_000_000 / Int(Self.pause) / 1_000) KB/s" }

    /// Makes the requests, and reads until each client has all bytes of its response.
    func read(port: UInt16) throws {
        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        for _ in 0..<count { sockets.append(try connect(port)) }
        var received = [Int](repeating: 0, count: count)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.step, alignment: 16)
        defer { buffer.deallocate() }
        let start = Clocks.elapsed
        // The head has some more bytes.
        while received.contains(where: { $0 <= bytes }) {
            guard Clocks.seconds(since: start) < 120 else { throw UsageError("the gateway stopped sending") }
            for index in sockets.indices where received[index] <= bytes {
                let done = recv(sockets[index], buffer.baseAddress, Self.step, Int32(MSG_DONTWAIT))
                if done == 0 { throw UsageError("the gateway closed a connection") }
                received[index] += max(0, done)
            }
            usleep(Self.pause)
        }
    }

    private func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var size = Int32(Self.step)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let status = withUnsafeBytes(of: &address) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) {
                Foundation.connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        let request = "GET /bytes?count=\(bytes) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        guard status == 0, send(descriptor, request, request.utf8.count, 0) == request.utf8.count else {
            throw UsageError("the gateway can't be reached")
        }
        return descriptor
    }
}
#endif
