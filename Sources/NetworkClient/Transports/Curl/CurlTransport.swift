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
    private let fastConfiguration: Configuration?

    /// The origins that can only be verified with the directory.
    let originsForTrustDirectory = Locked(KnownOrigins())

    private let isShared: Bool
    let engines: CurlEngines
    private let handles: Locked<[CurlHandle]>
    let sockets: KeptSockets
    let slots: CurlSlots

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
        sockets = KeptSockets(configuration)
        engines = CurlEngines(configuration: configuration)
        slots = CurlSlots(configuration)
    }

    deinit {
        engines.close()
    }

    /// The name of this transport and the version of libcurl.
    public var description: String { "CurlTransport (libcurl \(CurlLibrary.version))" }

    /// Lets the exchanges in flight finish and refuses new ones with ``TransportError/Reason/transportClosed``.
    ///
    /// Has no effect on the default transport, which serves the whole process.
    public func shutDown() {
        guard !isShared else { return }
        engines.close()
    }

    /// Makes one exchange.
    ///
    /// - Throws: ``TransportError``; `CancellationError` if the task was cancelled.
    public func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        try CallScope.checkCancellation()
        try RequestValidation.checkCachePolicy(of: request)
        var transfer = try CurlTransfer(request, decodesCodings: options.decodesBody)
        let limit = options.totalLimit
        do {
            if transfer.body?.emptySequence != nil {
                try await transfer.checkEmptySequence(within: options.exchangeTimeout)
            }
            guard transfer.origin.scheme == "https", transfer.canBeginAgain, let fastConfiguration,
                !originsForTrustDirectory.withLock({ $0.contains(transfer.origin) })
            else { return try await attempt(transfer, request, options, limit, configuration) }
            do {
                return try await attempt(transfer, request, options, limit, fastConfiguration)
            } catch let failure as CurlFailure where failure.security == .untrustedCertificate {
                // The failed attempt sent nothing.
                let response = try await attempt(transfer, request, options, limit, configuration)
                originsForTrustDirectory.withLock { $0.insert(transfer.origin) }
                return response
            }
        } catch {
            throw transfer.publicError(error)
        }
    }

    private nonisolated(nonsending) func attempt(
        _ transfer: CurlTransfer,
        _ request: URLRequest,
        _ options: TransportOptions,
        _ limit: TimeLimit?,
        _ configuration: Configuration
    ) async throws -> TransportResponse {
        var transfer = transfer
        if !slots.enterAtOnce(transfer) { try await slots.enter(&transfer, until: limit, request, options) }
        let rest: TransportOptions
        do {
            rest = try options.remaining(until: limit, request)
        } catch {
            slots.leave(transfer)
            throw error
        }
        return try await exchange(transfer, request, rest, configuration)
    }

    /// Gives back the engine and the slots of an exchange that has ended.
    private func leave(_ transfer: CurlTransfer, _ place: CurlEngines.Place, _ options: TransportOptions) {
        engines.giveBack(place.index, isStream: options.streamsBody)
        slots.leave(transfer)
    }

    /// Returns the response when it is complete, or a streamed one when its head is received.
    private nonisolated(nonsending) func exchange(
        _ transfer: CurlTransfer,
        _ request: URLRequest,
        _ options: TransportOptions,
        _ configuration: Configuration
    ) async throws -> TransportResponse {
        let (handle, place) = try takeHandleAndEngine(for: transfer, isStream: options.streamsBody)
        let exchange = CurlExchange(transfer, handle, place, of: self, options)
        var response: CurlResponse
        do {
            try transfer.describe(to: exchange, configuration)
            response = try await run(exchange, request)
        } catch {
            exchange.fail(error)
            leave(transfer, place, options)
            throw error
        }
        response.head.decodesBody = transfer.decodesBody
        if let buffer = response.stream { return try stream(buffer, of: response, exchange, transfer, place, options) }
        if !options.streamsBody {
            engines.responded(transfer.origin, sharesConnection: handle.sharesConnection)
        }
        let metrics = handle.metrics
        giveBack(handle)
        leave(transfer, place, options)
        let head = try transfer.head(of: response, metrics)
        // Complete, but read as a stream: what interceptors see must not depend on how a body arrives.
        guard !options.streamsBody else {
            return TransportResponse(head: head, body: .streamed(WholeBodyChannel(response.body)))
        }
        return TransportResponse(head: head, body: try response.decodedBody(options, until: exchange.end))
    }

    /// Returns a response whose body is read as it arrives.
    private func stream(
        _ buffer: BodyBuffer,
        of response: CurlResponse,
        _ exchange: CurlExchange,
        _ transfer: CurlTransfer,
        _ place: CurlEngines.Place,
        _ options: TransportOptions
    ) throws -> TransportResponse {
        let head = Result { try transfer.head(of: response, response.metrics ?? TransportMetrics(total: 0)) }
        let handle = exchange.handle
        exchange.whenOver { isReleased in
            if isReleased {
                if case .success(let head) = head { head.update(handle.metrics) }
                self.giveBack(handle)
            }
            self.leave(transfer, place, options)
        }
        let channel = channel(buffer, of: response, exchange, transfer)
        return TransportResponse(head: try head.get(), body: .streamed(channel))
    }

    private func channel(
        _ buffer: BodyBuffer,
        of response: CurlResponse,
        _ exchange: CurlExchange,
        _ transfer: CurlTransfer
    ) -> CurlBodyChannel {
        buffer.connect {
            exchange.engine.goOn(exchange)
        } onCancel: {
            exchange.fail(CancellationError())
            exchange.engine.stop(exchange)
        }
        // The channel outlives the exchange, so it keeps only the URL of the request, not its body, which may be large.
        let place = transfer.place
        return CurlBodyChannel(buffer, codings: response.head.codings) { CurlTransfer.publicError($0, place) }
    }

    private nonisolated(nonsending) func run(
        _ exchange: CurlExchange,
        _ request: URLRequest
    ) async throws -> CurlResponse {
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
                    exchange.fail(TransportError(.transportClosed, request: request))
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

    /// Returns a handle and an engine for another exchange; the engine has to be given back by its index.
    ///
    /// If it throws, it has given back the exchange's slots.
    private func takeHandleAndEngine(
        for transfer: CurlTransfer,
        isStream: Bool
    ) throws(CurlFailure) -> (CurlHandle, CurlEngines.Place) {
        do throws(CurlFailure) {
            guard let handle = handles.withLock({ $0.popLast() }) ?? CurlHandle() else { throw .outOfMemory }
            return (handle, try engines.take(for: transfer.origin, isStream: isStream))
        } catch {
            slots.leave(transfer)
            throw error
        }
    }

    /// Keeps a handle for a later exchange; call it only after the engine has released the handle.
    private func giveBack(_ handle: CurlHandle) {
        guard !CurlLibrary.spoilsHandles || handles.withLock({ $0.count < Self.maxIdleHandles }) else { return }
        guard let idle = CurlLibrary.spoilsHandles ? CurlHandle(replacing: handle) : handle else { return }
        handles.withLock { handles in
            if handles.count < Self.maxIdleHandles { handles.append(idle) }
        }
    }
}
#endif
