/// A place that keeps the token of a ``TokenSession``.
///
/// Use ``InMemoryCredentialStore`` or ``FileCredentialStore``. To write a store, for example for a Keychain, implement
/// `load`, `save` and `remove`, and encode the whole ``AccessToken``, which is `Codable`: the encoded form also
/// identifies the person.
///
/// A session loads the token if it has none, if ``revision`` has changed, and before each refresh. If the token is
/// missing, the session ends. If there is another token, the session takes it over: for the same person if a session in
/// another process has stored it after a refresh, otherwise for another person.
public protocol CredentialStore: Sendable {
    /// Returns the token; nil if there is none.
    func load() async throws -> AccessToken?

    /// Stores a token, replacing the present one.
    ///
    /// If this throws after a refresh, the session uses the new token, since the server may have invalidated the old
    /// one, and tries to store it again with each later request.
    func save(_ token: AccessToken) async throws

    /// Removes the token; removing a missing one is not an error.
    func remove() async throws

    /// A number that changes whenever the stored token does, also if another process changes it.
    ///
    /// Nil, the default, means that the store cannot tell; a change is then noticed only before a refresh. Read for
    /// every request, so it must be fast.
    var revision: UInt64? { get }

    /// Calls `body` while no other process and no copy of the store is in this function; by default at once.
    ///
    /// A session loads, refreshes and stores the token in `body`. `body` uses the other functions of the store, which
    /// do not wait for this one, so that a sign-out does not have to wait for a refresh. If the task is cancelled
    /// while it waits for the access, this function throws a `CancellationError` at once.
    func withExclusiveAccess<Output: Sendable>(
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output

    /// Stores a token in place of another one, or removes it for nil.
    ///
    /// Returns false, and changes nothing, if the store does not have the old token.
    ///
    /// By default it loads the token to compare its secrets; implement it if that can be done in one step.
    func replace(_ old: AccessToken?, with new: AccessToken?) async throws -> Bool
}

extension CredentialStore {
    /// Nil: the store cannot tell whether its token has changed.
    public var revision: UInt64? { nil }

    /// Calls `body` at once.
    public func withExclusiveAccess<Output: Sendable>(
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        try await body()
    }

    /// Loads the token, and stores the new token if the store has the old one.
    public func replace(_ old: AccessToken?, with new: AccessToken?) async throws -> Bool {
        guard AccessToken.haveSameSecrets(try await load(), old) else { return false }
        if let new { try await save(new) } else { try await remove() }
        return true
    }
}

/// A store that keeps the token until the process ends.
///
/// Copies share one store. Clients with the same token should share one ``TokenSession`` rather than the store: two
/// sessions on one store may refresh at the same time.
public struct InMemoryCredentialStore: CredentialStore {
    private struct State {
        var token: AccessToken?
        var revision: UInt64 = 0

        mutating func set(_ token: AccessToken?) {
            self.token = token
            revision += 1
        }
    }

    private let state: Locked<State>

    /// Creates a store.
    public init(_ token: AccessToken? = nil) {
        state = Locked(State(token: token))
    }

    /// Returns the token; nil if there is none.
    public func load() -> AccessToken? { state.withLock { $0.token } }

    /// Stores a token, replacing the present one.
    public func save(_ token: AccessToken) { state.withLock { $0.set(token) } }

    /// Removes the token.
    public func remove() { state.withLock { $0.set(nil) } }

    /// The number of times that the token was stored or removed.
    public var revision: UInt64? { state.withLock { $0.revision } }

    /// Replaces the token; returns false if the store does not have the old one.
    public func replace(_ old: AccessToken?, with new: AccessToken?) -> Bool {
        state.withLock { state in
            guard AccessToken.haveSameSecrets(state.token, old) else { return false }
            state.set(new)
            return true
        }
    }
}

extension InMemoryCredentialStore: CustomReflectable {
    /// A mirror without the token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
