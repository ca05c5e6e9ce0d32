#if os(Linux)
import CCurl

/// The TLS sessions of an engine, with which further connections need no full handshake; they outlive its multi handle.
///
/// With a session, the server's certificate is not checked again, and the client shows none. So the sessions are kept
/// for an hour at most, and not after the files of the authorities or of the client's certificate have changed.
final class CurlSessions: Sendable {
    private struct State {
        var store: UInt
        /// The stores that transfers may still refer to.
        var former: [UInt] = []
        var begin = MonotonicClock.now
        var stamps: [UInt64]
        var isStale = false
        var hasChangedFiles = false
    }

    private let files: [String]
    /// In nanoseconds.
    private let longestTime: UInt64
    private let state: Locked<State>

    /// Creates an empty store; nil if libcurl has no memory.
    init?(_ configuration: CurlTransport.Configuration) {
        guard let store = ccurl_share_init() else { return nil }
        let (security, certificate) = (configuration.security, configuration.security.clientCertificate)
        let roots = security.trustRoots?.path ?? configuration.systemTrust.file ?? SystemTrust.usualFile
        files = [roots, certificate?.certificate.path, certificate?.key?.path].compactMap(\.self)
        longestTime = configuration.sessionTime
        state = Locked(State(store: UInt(bitPattern: store), stamps: files.map { ccurl_file_stamp($0) }))
    }

    /// Lets a transfer use the sessions, or new ones; only with the turn, since libcurl calls no lock for the store.
    func enter(_ handle: CurlHandle) {
        let (store, hasChangedFiles) = state.withLock { state in
            if state.isStale, let fresh = ccurl_share_init() {
                state.former.append(state.store)
                (state.store, state.begin, state.isStale) = (UInt(bitPattern: fresh), MonotonicClock.now, false)
            }
            if !state.former.isEmpty { Self.free(&state.former) }
            return (state.store, state.hasChangedFiles)
        }
        handle.setSessions(OpaquePointer(bitPattern: store))
        if hasChangedFiles { handle.readsTrustAgain() }
    }

    /// Checks whether a connection that is about to be made may use the sessions.
    func areCurrent() -> Bool {
        state.withLock { state in
            guard !state.isStale else { return false }
            let stamps = files.map { ccurl_file_stamp($0) }
            if stamps != state.stamps { (state.stamps, state.hasChangedFiles, state.isStale) = (stamps, true, true) }
            if MonotonicClock.now - state.begin >= longestTime { state.isStale = true }
            return !state.isStale
        }
    }

    /// Frees the stores, once no transfer refers to them; only with the turn.
    func free() {
        state.withLock { state in
            state.former.append(state.store)
            Self.free(&state.former)
        }
    }

    private static func free(_ stores: inout [UInt]) {
        stores.removeAll { ccurl_share_cleanup(OpaquePointer(bitPattern: $0)) == 0 }
    }
}
#endif
