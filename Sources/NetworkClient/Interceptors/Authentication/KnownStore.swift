/// What a session knows of its store.
///
/// Versions are the numbers of the session's tokens. The store is current if it has the present version and nothing is
/// being written: otherwise what it has must not be used.
struct KnownStore: Sendable {
    /// The version that the store has.
    var version = 0
    /// The mark of the store when it had ``token``; nil if it is not known.
    var mark: UInt64?
    /// Whether the next write replaces whatever the store has.
    var overwrites = false

    /// The token that the store had last, nil inside if it had none: another one there comes from elsewhere; nil before
    /// the first read and the first write that succeed.
    private var token: AccessToken??
    private var writesBegun = 0
    private var writesEnded = 0

    func isCurrent(_ present: Int) -> Bool { version == present && writesBegun == writesEnded }

    func isBehind(_ present: Int) -> Bool { version != present && writesBegun == writesEnded }

    /// Whether others have changed the store, as its mark shows.
    func hasChanged(_ mark: UInt64?, _ present: Int) -> Bool {
        guard let mark, isCurrent(present) else { return false }
        return mark != self.mark
    }

    func beginReading(_ mark: UInt64?) -> TokenRefresh.Reading {
        TokenRefresh.Reading(writes: writesBegun, mark: mark)
    }

    /// Ends a read; returns false if what was found is out of date.
    mutating func endReading(_ reading: TokenRefresh.Reading, found: AccessToken?, _ present: Int) -> Bool {
        guard reading.writes == writesBegun, isCurrent(present) else { return false }
        mark = reading.mark
        token = .some(found)
        return true
    }

    /// Begins a write.
    ///
    /// Only the first one after a sign-in or a sign-out replaces whatever the store has, and those that follow while it
    /// is not known what that is: by the time of a later one, another person may have signed in elsewhere.
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

    /// Ends a write that met another token than the expected one, which is to be read.
    mutating func endRefusedWrite(_ present: Int) {
        writesEnded += 1
        version = present
        mark = nil
    }
}
