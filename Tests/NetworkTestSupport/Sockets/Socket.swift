import Foundation
import NetworkClient

/// Owns one descriptor of a stream socket and closes it once.
///
/// One thread reads, writes and closes; only ``shutDown()`` may be called from others, to wake that thread.
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

    /// A socket that accepts, on a port of the system's choice if none is given.
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

    /// A socket that has a port and refuses whoever connects to it.
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

    /// Which of the sockets have something to read, an end or an error included; nil waits as long as it takes.
    package static func waitReadable(_ sockets: [Socket], milliseconds: Int32? = nil) -> [Bool] {
        SystemSockets.waitReadable(sockets.map(\.descriptor), milliseconds: milliseconds ?? -1)
    }

    package func port() throws -> UInt16 {
        try SystemSockets.port(of: descriptor)
    }

    /// Nil while nobody has come.
    package func acceptNext() throws -> Socket? {
        guard let accepted = try SystemSockets.acceptFrom(descriptor) else { return nil }
        // Inherited from the listening socket on some platforms.
        SystemSockets.setBlocking(true, accepted)
        return Socket(descriptor: accepted)
    }

    /// The next bytes, empty when the peer has sent its last.
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

    /// Ends both directions, which wakes a thread that reads or writes; the descriptor stays until it is closed.
    package func shutDown() {
        whileOpen { SystemSockets.stop(writingOnly: false, descriptor) }
    }

    /// Sends a FIN and goes on reading.
    package func shutDownWriting() {
        whileOpen { SystemSockets.stop(writingOnly: true, descriptor) }
    }

    /// Closes; the system sends a FIN, or a RST if bytes that arrived were not read.
    package func closeNow() {
        close { SystemSockets.release(descriptor) }
    }

    /// Closes with a RST.
    package func reset() {
        close {
            SystemSockets.dropOnClose(descriptor)
            SystemSockets.release(descriptor)
        }
    }

    /// Under the lock, since a closed descriptor's number may be somebody else's a moment later.
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
    /// From now on neither receiving nor sending waits.
    func stopBlocking() {
        SystemSockets.setBlocking(false, descriptor)
    }

    /// The bytes that are there, nil if there are none yet; empty when the peer has sent its last.
    func receiveNow() throws -> [UInt8]? {
        do {
            return try receive()
        } catch let error as SocketError where error.isNotReady {
            return nil
        }
    }

    /// How many of the bytes the system has taken.
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

/// Ends, from any thread, a wait that watches a socket at the same time.
final class Wakeup: Sendable {
    /// What the waiting thread watches beside its own socket: readable once ``signal()`` was called.
    let signalled: Socket
    private let signaller: Socket

    init() throws {
        (signalled, signaller) = try Socket.pair()
    }

    func signal() {
        signaller.shutDown()
    }

    /// Gives both descriptors back at once, since whoever signals may hold on to this for a moment.
    func closeNow() {
        signalled.closeNow()
        signaller.closeNow()
    }
}

/// A call of the system that failed, and its error number.
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
