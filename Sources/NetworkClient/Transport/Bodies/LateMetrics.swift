/// What is known of a streamed exchange when it is over, for a head that was handed over before.
///
/// Which of the two comes first is not known.
final class LateMetrics: Sendable {
    private let state = Locked<(head: ResponseHead?, metrics: TransportMetrics?)>((nil, nil))

    func set(_ head: ResponseHead) {
        state.withLock { $0.head = head }
        update()
    }

    func set(_ metrics: TransportMetrics) {
        state.withLock { $0.metrics = metrics }
        update()
    }

    private func update() {
        let (head, metrics) = state.withLock { $0 }
        if let head, let metrics { head.update(metrics) }
    }
}
