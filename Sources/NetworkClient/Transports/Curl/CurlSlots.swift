#if os(Linux)

/// The slots of a transport's exchanges: how many run at the same time with each host and in all, and which of them
/// makes a connection that the others can use.
struct CurlSlots: Sendable {
    private let hosts: ConnectionLimiter
    private let all: ConnectionLimiter
    /// Nil if libcurl has no HTTP/2, or does not report connections.
    let handshakes: Handshakes?

    init(_ configuration: CurlTransport.Configuration) {
        hosts = ConnectionLimiter(limit: configuration.connectionsPerHost)
        all = ConnectionLimiter(limit: configuration.connections)
        handshakes = CurlLibrary.hasHTTP2 && CurlLibrary.reportsConnections ? Handshakes() : nil
    }

    /// Takes a slot, which is usually free; returns false if the exchange has to wait, or may have to.
    ///
    /// Apart from ``enter(_:until:_:_:)``, since an asynchronous function needs a frame even if it does not wait.
    func enterAtOnce(_ transfer: CurlTransfer) -> Bool {
        guard handshakes == nil || transfer.origin.scheme == "http", hosts.tryToEnter(transfer.origin) else {
            return false
        }
        if all.tryToEnter(nil) { return true }
        hosts.leave(transfer.origin)
        return false
    }

    /// Waits for a free slot, and for the connection that other exchanges of the origin can use.
    nonisolated(nonsending) func enter(
        _ transfer: inout CurlTransfer,
        until limit: TimeLimit?,
        _ request: URLRequest,
        _ options: TransportOptions
    ) async throws {
        let origin = transfer.origin
        try await hosts.enter(origin, for: request, options, until: limit)
        do {
            try await all.enter(nil, for: request, options, until: limit)
        } catch {
            hosts.leave(origin)
            throw error
        }
        do {
            transfer.handshake = try await handshakes?.enter(transfer, options, until: limit)
        } catch {
            leave(transfer)
            throw error is TimeLimit.Passed ? options.timeout(of: request, waitingIn: .turn) : error
        }
    }

    /// Gives back the slots of an exchange that has ended.
    func leave(_ transfer: CurlTransfer) {
        if let part = transfer.handshake { handshakes?.leave(transfer.origin, part) }
        all.leave(nil)
        hosts.leave(transfer.origin)
    }
}
#endif
