#if os(Linux)

/// The slots of a transport's exchanges: how many run at the same time with each host and in all, and which of them
/// makes a connection that the others can use.
struct CurlSlots: Sendable {
    private let hosts: ConnectionLimiter
    private let all: ConnectionLimiter
    /// The WebSockets that are being opened, one for each origin (RFC 6455 §4.1).
    private let openings = ConnectionLimiter(limit: 1)
    /// The WebSockets, which have no other slot while they are open: at most a quarter of the descriptors.
    private let sockets: ConnectionLimiter
    /// Nil without HTTP/2, and if libcurl does not report connections.
    let handshakes: Handshakes?
    private let connectTimeout: TimeInterval

    init(_ configuration: CurlTransport.Configuration) {
        hosts = ConnectionLimiter(limit: configuration.connectionsPerHost)
        all = ConnectionLimiter(limit: configuration.connections)
        sockets = ConnectionLimiter(limit: max(1, min(configuration.connections, CurlLibrary.descriptorLimit / 4)))
        connectTimeout = configuration.connectTimeout
        let mayShare = CurlLibrary.hasHTTP2 && configuration.versions != .http1
        handshakes = mayShare && CurlLibrary.reportsConnections ? Handshakes() : nil
    }

    /// Takes a slot, which is usually free; returns false if the exchange has to wait, or may have to.
    ///
    /// Apart from ``enter(_:until:_:)``, since an asynchronous function needs a frame even if it does not wait.
    func enterAtOnce(_ origin: Origin) -> Bool {
        guard handshakes == nil || origin.scheme == "http", hosts.tryToEnter(origin) else { return false }
        if all.tryToEnter(nil) { return true }
        hosts.leave(origin)
        return false
    }

    /// Waits for a free slot and, unless the exchange shares no connection, for one that others of the origin can use;
    /// returns the exchange's part in the handshake then.
    nonisolated(nonsending) func enter(
        _ transfer: CurlTransfer,
        sharesConnection: Bool,
        until limit: TimeLimit?,
        _ options: TransportOptions
    ) async throws -> Handshakes.Part? {
        let (origin, request) = (transfer.origin, transfer.request)
        try await hosts.enter(origin, for: request, options, until: limit)
        do {
            try await all.enter(nil, for: request, options, until: limit)
        } catch {
            hosts.leave(origin)
            throw error
        }
        do {
            guard sharesConnection, let handshakes else { return nil }
            return try await handshakes.enter(
                origin,
                within: min(request.timeoutInterval, connectTimeout),
                until: limit
            )
        } catch {
            leave(origin, nil)
            throw error is TimeLimit.Passed ? options.timeout(of: request, waitingIn: .turn) : error
        }
    }

    /// Waits for the turn to open a WebSocket, which ends with the operation, and for a slot, which the socket keeps.
    nonisolated(nonsending) func opening(
        _ transfer: CurlTransfer,
        until limit: TimeLimit?,
        _ options: TransportOptions,
        _ operation: nonisolated(nonsending) () async throws -> TransportResponse
    ) async throws -> TransportResponse {
        try await sockets.enter(nil, for: transfer.request, options, until: limit)
        do {
            try await openings.enter(transfer.origin, for: transfer.request, options, until: limit)
            defer { openings.leave(transfer.origin) }
            let response = try await operation()
            if response.body.socket == nil { leaveSocket() }
            return response
        } catch {
            leaveSocket()
            throw error
        }
    }

    /// Gives back the slot of a WebSocket that has ended.
    func leaveSocket() { sockets.leave(nil) }

    /// Gives back the slots of an exchange that has ended.
    func leave(_ origin: Origin, _ part: Handshakes.Part?) {
        if let part { handshakes?.leave(origin, part) }
        all.leave(nil)
        hosts.leave(origin)
    }
}
#endif
