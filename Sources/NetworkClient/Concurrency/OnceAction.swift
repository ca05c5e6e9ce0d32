/// Something that is to be done once, whoever comes first.
final class OnceAction: Sendable {
    private let action: Locked<(@Sendable () -> Void)?>

    init(_ action: @escaping @Sendable () -> Void) {
        self.action = Locked(action)
    }

    func perform() {
        let action = action.withLock { action in
            defer { action = nil }
            return action
        }
        action?()
    }
}
