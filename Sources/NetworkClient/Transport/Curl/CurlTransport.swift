#if os(Linux)
import CCurl
import NetworkUtilities

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Moves requests with the system's libcurl, on few threads for all of them.
///
/// The default on Linux, where URLSession can be crashed by a server. libcurl is there where FoundationNetworking is,
/// which is itself a layer over it; nothing has to be installed. It keeps connections open and uses them again, speaks
/// HTTP/2 over TLS, and takes proxies from the environment (`http_proxy`, `https_proxy`, `no_proxy`). Certificates are
/// checked against the system's trust store. It keeps no cookies and no cache.
///
/// Compressed bodies are decoded as they are received: gzip and deflate, Brotli and Zstandard where the machine has
/// their libraries, which are those of libcurl. A body that breaks off, or has a coding that is not known, fails with
/// ``TransportError/Reason/malformedResponse``.
///
/// One thread moves the bytes of all exchanges, or up to four where there is that much to do and as many processors. A
/// body is read on it, or where its request begins, so a `BodySource` of your own must not wait for anything but a
/// disk; what has to be waited for is an asynchronous sequence, whose elements are sent as they come.
public final class CurlTransport: Transport, ScopedTransport {
    /// What holds for all exchanges.
    public let configuration: Configuration

    private let isShared: Bool
    let engines: CurlEngines
    private let handles: Locked<[CurlHandle]>
    let sockets: KeptSockets
    private let hosts: ConnectionLimiter<Origin>
    private let all: ConnectionLimiter<Everywhere>

    /// The one place of which the limit for all hosts is kept.
    private struct Everywhere: Hashable, Sendable {}

    /// Handles beyond these are freed after use.
    private static let mostIdleHandles = 256

    /// Makes a transport with a thread and connections of its own.
    ///
    /// - Parameter configuration: Limits, proxy, trust.
    /// - Throws: ``TransportError/Reason/unsupported`` if libcurl cannot be used, or not with that configuration.
    public convenience init(configuration: Configuration = Configuration()) throws {
        try self.init(configuration: configuration, isShared: false)
    }

    /// A shared one serves the whole process, so that nobody may shut it down.
    init(configuration: Configuration = Configuration(), isShared: Bool) throws {
        if let problem = CurlLibrary.problem { throw TransportError(.unsupported, detail: problem) }
        guard let handle = CurlHandle() else { throw TransportError(.unsupported, detail: "libcurl has no memory") }
        do {
            // Or else each request would fail for what it cannot help.
            try handle.begin(isPlain: true, configuration)
        } catch {
            let detail = "libcurl \(CurlLibrary.version) cannot be told what the configuration says"
            throw TransportError(.unsupported, detail: detail, underlying: error)
        }
        self.configuration = configuration
        self.isShared = isShared
        handles = Locked([handle])
        sockets = KeptSockets(configuration)
        engines = CurlEngines(configuration: configuration)
        hosts = ConnectionLimiter(limit: max(1, configuration.connectionsPerHost))
        all = ConnectionLimiter(limit: max(1, configuration.connections))
    }

    deinit {
        engines.close()
    }

    /// The name of this transport and the version of libcurl.
    public var description: String { "CurlTransport (libcurl \(CurlLibrary.version))" }

    /// Lets exchanges that are under way finish and refuses new ones, with ``TransportError/Reason/transportClosed``.
    ///
    /// Without effect on the transport of clients that were given none, which serves the whole process.
    public func shutDown() {
        guard !isShared else { return }
        engines.close()
    }

    /// Makes one exchange.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: The limits of the exchange.
    /// - Returns: The head and the body of the final answer.
    /// - Throws: ``TransportError``; `CancellationError` if the task was cancelled.
    public func send(_ request: URLRequest, options: TransportOptions) async throws -> TransportResponse {
        try CallScope.checkCancellation()
        var transfer = try CurlTransfer(request)
        let deadline = Deadline(options.totalTimeout)
        do {
            try await transfer.checkEmptySequence(within: options.totalTimeout)
            var options = options
            options.totalTimeout = try await enter(transfer.origin, until: deadline, request)
            if options.streamsBody { return try await stream(transfer, request, options) }
            defer { leave(transfer.origin) }
            return try await exchange(transfer, request, options)
        } catch is NoRoomInTime {
            throw TransportError(.timedOut, request: request)
        } catch {
            throw transfer.publicError(error)
        }
    }

    /// Waits for room, and returns the seconds that are left then.
    private nonisolated(nonsending) func enter(
        _ origin: Origin,
        until deadline: Deadline,
        _ request: URLRequest
    ) async throws -> TimeInterval? {
        try await hosts.enter(origin, within: deadline.remaining(request))
        do {
            try await all.enter(Everywhere(), within: deadline.remaining(request))
        } catch {
            hosts.leave(origin)
            throw error
        }
        do {
            return try deadline.remaining(request)
        } catch {
            leave(origin)
            throw error
        }
    }

    func leave(_ origin: Origin) {
        all.leave(Everywhere())
        hosts.leave(origin)
    }

    /// An answer that is handed over when it is complete.
    private nonisolated(nonsending) func exchange(
        _ transfer: CurlTransfer,
        _ request: URLRequest,
        _ options: TransportOptions
    ) async throws -> TransportResponse {
        let (handle, engine, index) = try takeHandleAndEngine(for: transfer.origin)
        defer { engines.giveBack(index) }
        let exchange = transfer.makeExchange(handle, engine, self, options, .whole(options))
        try transfer.describe(to: exchange, configuration)
        let answer = try await run(exchange, request)
        let metrics = handle.metrics
        giveBack(handle)
        let body = try ContentDecoder.decode(
            answer.body,
            names: answer.head.codings,
            limit: options.bodyLimit,
            wasCut: answer.isCut,
            isCutAtLimit: answer.head.status.map(options.cutsBody) ?? false
        ) {
            try CallScope.checkCancellation()
            if CurlClock.now >= exchange.end { throw CurlFailure.timedOut }
        }
        return TransportResponse(head: try transfer.head(of: answer, metrics), body: body)
    }

    nonisolated(nonsending) func run(
        _ exchange: CurlExchange,
        _ request: URLRequest
    ) async throws -> CurlAnswer {
        let answer = try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
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
            }
        } onCancel: {
            exchange.fail(CancellationError())
            exchange.engine.stop(exchange)
        }
        exchange.meetEnd()
        return answer
    }

    /// A handle and an engine for another exchange, which has to give back the engine by its index.
    func takeHandleAndEngine(for origin: Origin) throws(CurlFailure) -> (CurlHandle, CurlEngine, Int) {
        guard let handle = handles.withLock({ $0.popLast() }) ?? CurlHandle() else { throw .outOfMemory }
        let (engine, index) = try engines.take(for: origin)
        return (handle, engine, index)
    }

    /// Only after the engine has let go of it.
    func giveBack(_ handle: CurlHandle) {
        guard !CurlLibrary.spoilsHandles else { return }
        handles.withLock { handles in
            if handles.count < Self.mostIdleHandles { handles.append(handle) }
        }
    }
}
#endif
