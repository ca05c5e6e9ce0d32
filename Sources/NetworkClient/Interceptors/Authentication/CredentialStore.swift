/// A place that keeps the token of a ``TokenSession``.
///
/// Ready-made: ``InMemoryCredentialStore`` and ``FileCredentialStore``. To write one, for example for a Keychain,
/// implement `load`, `save` and `remove`, and encode the whole ``AccessToken``, which is `Codable`: the encoded form
/// also identifies the person.
///
/// A session loads the token when it has none, when ``revision`` is another one, and before each refresh. A token that
/// is gone ends the session, and another one takes the place of the session's: as that of the same person if a session
/// in another process has stored it after a refresh, otherwise as that of another person.
public protocol CredentialStore: Sendable {
    /// Returns the token; nil if there is none.
    func load() async throws -> AccessToken?

    /// Stores a token in place of the present one.
    ///
    /// If it throws after a refresh, the session uses the new token, since the server may have invalidated the old one,
    /// and tries again with each later request.
    func save(_ token: AccessToken) async throws

    /// Removes the token; removing a missing one is not an error.
    func remove() async throws

    /// A number that changes whenever the stored token does, also by other processes; nil, the default, if the store
    /// cannot tell: then a change is noticed before a refresh only.
    ///
    /// Read for every request, so it must not take long.
    var revision: UInt64? { get }

    /// Calls `body` while no other process or copy of the store is in its own; by default at once.
    ///
    /// A session loads, refreshes and stores the token in it. `body` uses the other functions of the store, which do
    /// not wait for the access, so that a sign-out does not have to wait for a refresh. A wait for the access ends with
    /// a `CancellationError` as soon as the task is cancelled.
    func withExclusiveAccess<Output: Sendable>(
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output

    /// Stores a token in place of another, or removes it for nil; returns false, and changes nothing, if the store has
    /// not the old token but another one or none.
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

    /// Loads the token, and stores the new one if the old one was there.
    public func replace(_ old: AccessToken?, with new: AccessToken?) async throws -> Bool {
        guard AccessToken.haveSameSecrets(try await load(), old) else { return false }
        if let new { try await save(new) } else { try await remove() }
        return true
    }
}

/// A store that keeps the token until the process ends.
///
/// Copies are the same store. Clients that use the same token share one ``TokenSession`` rather than the store: two
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

    /// Stores a token in place of the present one.
    public func save(_ token: AccessToken) { state.withLock { $0.set(token) } }

    /// Removes the token.
    public func remove() { state.withLock { $0.set(nil) } }

    /// How often the token was replaced or removed.
    public var revision: UInt64? { state.withLock { $0.revision } }

    /// Replaces the token; returns false if the store has not the old one.
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
