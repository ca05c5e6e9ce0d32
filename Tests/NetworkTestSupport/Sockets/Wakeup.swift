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
