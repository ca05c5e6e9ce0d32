import NetworkUtilities

/// A place that keeps the token of a ``TokenSession``.
///
/// Ready-made: ``InMemoryCredentialStore`` and ``FileCredentialStore``. To write one, for example for a Keychain,
/// implement the three functions; an ``AccessToken`` is `Codable`.
///
/// A session loads the token until it has one, and again before each refresh, since another process may have refreshed
/// it.
public protocol CredentialStore: Sendable {
    /// Returns the token; nil if there is none.
    func load() async throws -> AccessToken?

    /// Stores a token in place of the present one.
    ///
    /// If it throws after a refresh, the session uses the new token and reports no error, since the server may have
    /// invalidated the old one.
    func save(_ token: AccessToken) async throws

    /// Removes the token; removing a missing one is not an error.
    func remove() async throws
}

/// A store that keeps the token until the process ends.
///
/// Copies are the same store.
public struct InMemoryCredentialStore: CredentialStore {
    private let token: Locked<AccessToken?>

    /// Creates a store.
    public init(_ token: AccessToken? = nil) {
        self.token = Locked(token)
    }

    /// Returns the token; nil if there is none.
    public func load() -> AccessToken? { token.withLock { $0 } }

    /// Stores a token in place of the present one.
    public func save(_ token: AccessToken) { self.token.withLock { $0 = token } }

    /// Removes the token.
    public func remove() { token.withLock { $0 = nil } }
}

extension InMemoryCredentialStore: CustomReflectable {
    /// A mirror without the token.
    public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
