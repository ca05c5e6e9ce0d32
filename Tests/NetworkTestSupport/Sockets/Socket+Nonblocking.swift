import Foundation

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
