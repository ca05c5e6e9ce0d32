/// What a session knows about its store.
///
/// Versions are the numbers of the session's tokens. The store is current if it has the present version and nothing is
/// being written; otherwise its token must not be used.
struct KnownStore: Sendable {
    /// The version that the store has.
    var version = 0
    /// The store's ``CredentialStore/revision`` when it had ``token``; nil if it is not known.
    var mark: UInt64?
    /// Whether the next write replaces any token in the store.
    var overwrites = false

    /// The last known token of the store; an inner nil if the store had none.
    ///
    /// A different token in the store comes from elsewhere. The outer value is nil before the first successful read or
    /// write.
    private var token: AccessToken??
    private var writesBegun = 0
    private var writesEnded = 0

    func isCurrent(_ present: Int) -> Bool { version == present && writesBegun == writesEnded }

    func isBehind(_ present: Int) -> Bool { version != present && writesBegun == writesEnded }

    /// Returns whether others have changed the store: its revision differs from the known ``mark``.
    func hasChanged(_ mark: UInt64?, _ present: Int) -> Bool {
        guard let mark, isCurrent(present) else { return false }
        return mark != self.mark
    }

    func beginReading(_ mark: UInt64?) -> TokenRefresh.Reading {
        TokenRefresh.Reading(writes: writesBegun, mark: mark)
    }

    /// Ends a read; returns false if the session has written since it began.
    mutating func endReading(_ reading: TokenRefresh.Reading, found: AccessToken?, _ present: Int) -> Bool {
        guard reading.writes == writesBegun, isCurrent(present) else { return false }
        mark = reading.mark
        token = .some(found)
        return true
    }

    /// Begins a write.
    ///
    /// The first write after a sign-in or a sign-out replaces any token in the store, and so does each write after it
    /// as long as the content of the store is not known. Later writes don't: another person may have signed in
    /// elsewhere by then.
    mutating func beginWrite(_ token: AccessToken?, _ present: Int) -> TokenRefresh.Write {
        writesBegun += 1
        defer { overwrites = false }
        let (isUnknown, expected) = (self.token == nil, self.token ?? nil)
        return .init(token: token, expected: expected, overwrites: overwrites || isUnknown, version: present)
    }

    mutating func endWrite(_ write: TokenRefresh.Write, _ mark: UInt64?) {
        writesEnded += 1
        token = .some(write.token)
        version = write.version
        self.mark = mark
    }

    mutating func endFailedWrite() { writesEnded += 1 }

    /// Ends a write that found an unexpected token in the store, which has to be read.
    mutating func endRefusedWrite(_ present: Int) {
        writesEnded += 1
        version = present
        mark = nil
    }
}
