/// Whether a call has reached a logging interceptor: one that was answered, or refused, by an interceptor has not.
final class CallWitness: Sendable {
    /// The witness of the call that runs in this task; nil if nobody wants to know.
    @TaskLocal static var current: CallWitness?

    private let wasSeen = Locked(false)

    /// Whether a logging interceptor has told its logger of the call.
    var hasSeen: Bool { wasSeen.withLock { $0 } }

    func see() {
        wasSeen.withLock { $0 = true }
    }
}
