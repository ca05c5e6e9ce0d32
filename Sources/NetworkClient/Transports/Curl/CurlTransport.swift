#if os(Linux)

/// Sends requests with the system's libcurl, on a few threads for all of them.
///
/// It is the default on Linux, where a server can crash URLSession. Nothing has to be installed: FoundationNetworking
/// is a layer over libcurl, so libcurl is present. The transport keeps connections open and reuses them, uses HTTP/2
/// over TLS, and finds proxies in the environment (`http_proxy`, `https_proxy`, `no_proxy`). Certificates are checked
/// against the system's trust store. It keeps no cookies and no cache.
///
/// Compressed bodies are decoded as they are received: gzip and deflate, and Brotli and Zstandard if the machine has
/// the libraries that libcurl uses for them. A body that breaks off, or has an unknown coding, fails with
/// ``TransportError/Reason/malformedResponse``.
///
/// One thread moves the bytes of all exchanges; if there is enough work, several do: up to four, at most one for each
/// processor, and on larger machines half as many as processors, at most 16. A body is read on that thread, or on the
/// thread that starts its request, so a custom `BodySource` must not wait for anything except a disk. If bytes have to
/// be awaited, use an asynchronous sequence, whose elements are sent as they arrive.
public final class CurlTransport: Transport, ScopedTransport {
    /// The settings of all exchanges.
    public let configuration: Configuration

    /// The same settings without the directory of trusted certificates; nil if there is no difference.
    let fastConfiguration: Configuration?

    /// The origins that can only be verified with the directory.
    let originsForTrustDirectory = Locked(KnownOrigins())

    private let isShared: Bool
    let engines: CurlEngines
    private let handles: Locked<[CurlHandle]>
    let slots: CurlSlots
    let openSockets = Locked(OpenSockets())

    /// The maximum number of handles that are kept for later exchanges.
    private static let maxIdleHandles = 256

    /// Creates a transport with its own thread and connections.
    ///
    /// - Throws: ``TransportError/Reason/unsupported`` if libcurl can't be used, or not with this configuration;
    ///   ``TransportError/Reason/secureConnectionFailed`` if a pinned key or a file of the configuration is invalid.
    public convenience init(configuration: Configuration = Configuration()) throws {
        try self.init(configuration: configuration, isShared: false)
    }

    /// Creates a transport; a shared one serves the whole process and cannot be shut down.
    init(configuration: Configuration = Configuration(), isShared: Bool) throws {
        if let problem = CurlLibrary.problem { throw TransportError(.unsupported, detail: problem) }
        try configuration.security.check()
        let configuration = try configuration.checked()
        if configuration.security.clientCertificate?.isPKCS12 == true, !CurlLibrary.readsPKCS12 {
            let detail = "libcurl with GnuTLS cannot read PKCS#12; use ClientCertificate(certificate:key:password:)"
            throw TransportError(.unsupported, detail: detail)
        }
        guard let handle = CurlHandle() else { throw TransportError(.unsupported, detail: "libcurl has no memory") }
        do {
            // An invalid configuration would otherwise fail each request.
            try handle.begin(isPlain: true, configuration)
        } catch {
            let detail = "libcurl \(CurlLibrary.version) does not support an option of the configuration"
            throw TransportError(.unsupported, detail: detail, underlying: error)
        }
        self.configuration = configuration
        let trust = configuration.security.trustRoots == nil ? configuration.systemTrust.withoutDirectory : nil
        fastConfiguration = trust.map {
            var fast = configuration
            fast.systemTrust = $0
            return fast
        }
        self.isShared = isShared
        handles = Locked([handle])
        engines = CurlEngines(configuration: configuration)
        slots = CurlSlots(configuration)
    }

    deinit {
        engines.close()
    }

    /// The name of this transport, the version of libcurl, the newest version of HTTP that it can use, the number of
    /// its ``Configuration/addresses``, and scheme, host and port of its proxies.
    public var description: String {
        let addresses = configuration.addresses.count
        let facts = [
            "libcurl \(CurlLibrary.version)", configuration.versions.inWords,
            addresses == 0 ? nil : "\(addresses) address\(addresses == 1 ? "" : "es")", configuration.proxy.inWords,
        ].compactMap(\.self)
        return "CurlTransport (\(facts.joined(separator: ", ")))"
    }

    /// Lets the exchanges in flight finish, and refuses new ones with ``TransportError/Reason/transportClosed``; open
    /// WebSockets end with the same reason.
    ///
    /// Has no effect on the default transport, which serves the whole process.
    public func shutDown() {
        guard !isShared else { return }
        engines.close()
        for exchange in openSockets.withLock({ $0.close() }) { exchange.shut() }
    }

    /// Makes one exchange.
    ///
    /// - Throws: ``TransportError``; `CancellationError` if the task was cancelled.
    public func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        try CallScope.checkCancellation()
        var options = options
        // A transport that wraps this one may want whole bodies.
        if options.opensSocket != nil { options.streamsBody = true }
        let limit = options.totalLimit
        do {
            let body = try await body(of: request, options)
            let transfer = try CurlTransfer(request, body, options)
            return try await attempt(transfer, options, limit)
        } catch {
            throw CurlTransfer.publicError(error, request)
        }
    }

    /// Returns the body of a request.
    ///
    /// Checks that a sequence with a stated length of 0 is empty, since libcurl would not read it.
    private nonisolated(nonsending) func body(
        of request: URLRequest,
        _ options: TransportOptions
    ) async throws -> CurlUpload? {
        let body = try CurlUpload(of: request)
        guard let sequence = body?.emptySequence else { return body }
        try await sequence.drain(for: request, within: options) { _ in }
        return .empty
    }

    nonisolated(nonsending) func exchange(
        _ transfer: CurlTransfer,
        _ options: TransportOptions,
        _ limit: TimeLimit?,
        _ configuration: Configuration
    ) async throws -> TransportResponse {
        let isIn = slots.enterAtOnce(transfer.origin)
        // A stream may be alone on its connection.
        let sharesConnection =
            engines.mayShareConnections(to: transfer.origin) && !(options.streamsBody && CurlLibrary.streamsAlone)
            && transfer.handshake == nil
        let part =
            isIn ? nil : try await slots.enter(transfer, sharesConnection: sharesConnection, until: limit, options)
        let (exchange, rest): (CurlExchange, TransportOptions)
        do {
            rest = try options.remaining(until: limit, transfer.request)
            exchange = try makeExchange(transfer, part, rest)
        } catch {
            slots.leave(transfer.origin, part)
            throw error
        }
        return try await response(of: exchange, rest, configuration)
    }

    /// Takes a handle and an engine for an exchange.
    private func makeExchange(
        _ transfer: CurlTransfer,
        _ part: Handshakes.Part?,
        _ options: TransportOptions
    ) throws(CurlFailure) -> CurlExchange {
        guard let handle = handles.withLock({ $0.popLast() }) ?? CurlHandle() else { throw .outOfMemory }
        let place = try engines.take(for: transfer.origin, isStream: options.streamsBody)
        return CurlExchange(transfer, handle, place, part, of: self, options)
    }

    /// Gives back the engine and the slots of an exchange that has ended.
    func leave(_ exchange: CurlExchange) {
        if exchange.retiresConnection() {
            engines.moveOn(exchange.origin)
            slots.handshakes?.close(exchange.origin)
        }
        engines.giveBack(exchange.place.index, isStream: exchange.isStreamed)
        slots.leave(exchange.transfer.origin, exchange.part)
    }

    /// Returns the response when it is complete, or a streamed one when its head is received.
    private nonisolated(nonsending) func response(
        of exchange: CurlExchange,
        _ options: TransportOptions,
        _ configuration: Configuration
    ) async throws -> TransportResponse {
        let (transfer, handle) = (exchange.transfer, exchange.handle)
        var response: CurlResponse
        do {
            try transfer.describe(to: exchange, configuration)
            response = try await run(exchange)
        } catch {
            exchange.fail(error)
            leave(exchange)
            throw error
        }
        response.head.decodesBody = transfer.decodesBody
        if let buffer = response.stream { return try stream(buffer, of: response, exchange) }
        if let channel = response.socket { return try socket(channel, of: response, exchange) }
        if !options.streamsBody {
            engines.responded(transfer.origin, sharesConnection: handle.sharesConnection)
        }
        let metrics = exchange.metrics
        giveBack(handle)
        leave(exchange)
        let head = try transfer.head(of: response, metrics)
        // Complete, but read as a stream: what interceptors see must not depend on how a body arrives.
        guard !options.streamsBody else {
            head.beginsStream()
            return TransportResponse(head: head, body: .streamed(WholeBodyChannel(response.body, of: head)))
        }
        return TransportResponse(head: head, body: try response.decodedBody(options, until: exchange.end))
    }

    /// Returns a response whose body is read as it arrives.
    private func stream(
        _ buffer: BodyBuffer,
        of response: CurlResponse,
        _ exchange: CurlExchange
    ) throws -> TransportResponse {
        let head = Result {
            try exchange.transfer.head(of: response, response.metrics ?? TransportMetrics(total: 0))
        }
        (try? head.get())?.beginsStream()
        exchange.whenOver { [exchange] isReleased in
            if isReleased {
                if case .success(let head) = head { head.update(exchange.metrics, trailers: exchange.trailers) }
                self.giveBack(exchange.handle)
            }
            self.leave(exchange)
        }
        buffer.connect {
            exchange.engine.goOn(exchange)
        } onCancel: {
            exchange.fail(CancellationError())
            exchange.engine.stop(exchange)
        }
        // The channel outlives the exchange, so it keeps only the URL of the request, not its body, which may be large.
        let place = exchange.transfer.place
        let known = try head.get()
        let codings = response.head.codings
        let channel = CurlBodyChannel(buffer, of: known, codings: codings) { CurlTransfer.publicError($0, place) }
        return TransportResponse(head: known, body: .streamed(channel))
    }

    private nonisolated(nonsending) func run(_ exchange: CurlExchange) async throws -> CurlResponse {
        var isOverAtOnce = false
        let response = try await CallScope.withCancellationHandler {
            try await withUnsafeThrowingContinuation { continuation in
                guard exchange.begin(continuation) else { return }
                exchange.watch()
                if exchange.asksSequence {
                    exchange.beginBody { [weak exchange] in
                        if let exchange { exchange.engine.goOn(exchange) }
                    }
                }
                if !exchange.engine.start(exchange) {
                    exchange.fail(TransportError(.transportClosed, request: exchange.transfer.request))
                }
                isOverAtOnce = exchange.isOver
            }
        } onCancel: {
            exchange.fail(CancellationError())
            exchange.engine.stop(exchange)
        }
        exchange.meetEnd()
        // The task has not been suspended. If it sent one request after the other like this, tasks whose responses
        // arrived while it ran would have to wait until it has finished.
        if isOverAtOnce, engines.hasSeveralExchanges { await Task.yield() }
        return response
    }

    /// Keeps a handle for a later exchange; call it only after the engine has released the handle.
    func giveBack(_ handle: CurlHandle) {
        guard !CurlLibrary.spoilsHandles || handles.withLock({ $0.count < Self.maxIdleHandles }) else { return }
        guard let idle = CurlLibrary.spoilsHandles ? CurlHandle(replacing: handle) : handle else { return }
        handles.withLock { handles in
            if handles.count < Self.maxIdleHandles { handles.append(idle) }
        }
    }
}
#endif
