import Foundation
import NetworkClient

/// A stream socket that owns its descriptor and closes it once.
///
/// One thread reads, writes and closes; other threads may only call ``shutDown()``, which wakes that thread.
package final class Socket: Sendable {
    let descriptor: Int32
    private let isOpen = Locked(true)

    init(descriptor: Int32) {
        self.descriptor = descriptor
        SystemSockets.configure(descriptor)
    }

    deinit {
        closeNow()
    }

    /// Creates a listening socket, by default on a port that the system chooses.
    package static func listening(
        on loopback: Loopback,
        port: UInt16 = 0,
        queueLength: Int32 = 1024
    ) throws -> Socket {
        let socket = try bound(to: loopback, port: port)
        SystemSockets.setBlocking(false, socket.descriptor)
        try SystemSockets.startListening(socket.descriptor, queueLength: queueLength)
        return socket
    }

    /// Creates a socket that has a port and refuses connections.
    package static func bound(to loopback: Loopback, port: UInt16 = 0) throws -> Socket {
        let socket = Socket(descriptor: try SystemSockets.makeStream(loopback))
        try SystemSockets.bindTo(loopback, port: port, socket.descriptor)
        return socket
    }

    package static func connected(to port: UInt16, on loopback: Loopback = .ipv4) throws -> Socket {
        let socket = Socket(descriptor: try SystemSockets.makeStream(loopback))
        try SystemSockets.connectTo(loopback, port: port, socket.descriptor)
        return socket
    }

    package static func pair() throws -> (Socket, Socket) {
        let (one, other) = try SystemSockets.makePair()
        return (Socket(descriptor: one), Socket(descriptor: other))
    }

    /// Waits for sockets with bytes, an end or an error, and returns them; a nil timeout waits without a limit.
    package static func waitReadable(_ sockets: [Socket], milliseconds: Int32? = nil) -> [Bool] {
        SystemSockets.waitReadable(sockets.map(\.descriptor), milliseconds: milliseconds ?? -1)
    }

    package func port() throws -> UInt16 {
        try SystemSockets.port(of: descriptor)
    }

    /// Accepts a connection; nil if none is waiting.
    package func acceptNext() throws -> Socket? {
        guard let accepted = try SystemSockets.acceptFrom(descriptor) else { return nil }
        // Some platforms inherit this option from the listening socket.
        SystemSockets.setBlocking(true, accepted)
        return Socket(descriptor: accepted)
    }

    /// Waits for bytes and returns them; empty when the peer has closed its end.
    package func receive(upTo limit: Int = 32 * 1024) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = try SystemSockets.receive(descriptor, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    package func sendAll(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { all in
            var sent = 0
            while sent < all.count {
                sent += try SystemSockets.sendSome(descriptor, UnsafeRawBufferPointer(rebasing: all[sent...]))
            }
        }
    }

    package func setReceiveTimeout(seconds: Int) {
        SystemSockets.setReceiveTimeout(seconds: seconds, descriptor)
    }

    /// Ends both directions, which wakes a thread that reads or writes; the descriptor stays open.
    package func shutDown() {
        whileOpen { SystemSockets.stop(writingOnly: false, descriptor) }
    }

    /// Sends a FIN; reading is still possible.
    package func shutDownWriting() {
        whileOpen { SystemSockets.stop(writingOnly: true, descriptor) }
    }

    /// Closes the socket; the system sends a FIN, or a RST if received bytes weren't read.
    package func closeNow() {
        close { SystemSockets.release(descriptor) }
    }

    /// Closes the socket with a RST.
    package func reset() {
        close {
            SystemSockets.dropOnClose(descriptor)
            SystemSockets.release(descriptor)
        }
    }

    /// The descriptor, used under the lock: after a close, the system may reuse its number at once.
    private func whileOpen(_ action: () -> Void) {
        isOpen.withLock { isOpen in
            if isOpen { action() }
        }
    }

    private func close(_ action: () -> Void) {
        isOpen.withLock { isOpen in
            if isOpen { action() }
            isOpen = false
        }
    }
}

extension Socket {
    /// Makes receiving and sending nonblocking.
    func stopBlocking() {
        SystemSockets.setBlocking(false, descriptor)
    }

    /// Returns the received bytes; nil if there are none yet, empty when the peer has closed its end.
    func receiveNow() throws -> [UInt8]? {
        do {
            return try receive()
        } catch let error as SocketError where error.isNotReady {
            return nil
        }
    }

    /// Sends bytes, and returns how many the system has accepted.
    func sendNow(_ bytes: ArraySlice<UInt8>) throws -> Int {
        do {
            return try bytes.withUnsafeBytes { try SystemSockets.sendSome(descriptor, $0) }
        } catch let error as SocketError where error.isNotReady {
            return 0
        }
    }
}

extension SocketError {
    fileprivate var isNotReady: Bool {
        code == EAGAIN || code == EWOULDBLOCK
    }
}

/// Ends a wait for sockets from any thread.
final class Wakeup: Sendable {
    /// The descriptor for the waiting thread: readable after ``signal()``.
    let signalled: Socket
    private let signaller: Socket

    init() throws {
        (signalled, signaller) = try Socket.pair()
    }

    func signal() {
        signaller.shutDown()
    }

    /// Closes both descriptors, since a signalling thread may keep the object alive for a moment.
    func closeNow() {
        signalled.closeNow()
        signaller.closeNow()
    }
}

/// A failed system call and its error number.
package struct SocketError: Error, Equatable, CustomStringConvertible {
    package let call: String
    package let code: Int32

    package init(call: String, code: Int32) {
        self.call = call
        self.code = code
    }

    package var description: String {
        "\(call): \(String(cString: strerror(code)))"
    }
}
