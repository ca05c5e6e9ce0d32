/// The exclusive right of an object in the process to a path, until the claim is released.
final class PathClaim: Sendable {
    private static let claimed = Locked<Set<String>>([])
    private let path: String

    /// Claims a path; nil if another object has it.
    init?(_ path: String) {
        guard Self.claimed.withLock({ $0.insert(path).inserted }) else { return nil }
        self.path = path
    }

    deinit {
        Self.claimed.withLock { _ = $0.remove(path) }
    }
}
