#if os(Linux) || os(Android)
import CCurl
import NetworkUtilities

#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Moves requests with the system's libcurl, on one thread for all of them.
///
/// For Linux, where URLSession can be crashed by a server. libcurl is there where FoundationNetworking is, which is
/// itself a layer over it; nothing has to be installed. It keeps connections open and uses them again, speaks HTTP/2
/// over TLS, decodes compressed bodies as it receives them, and takes proxies from the environment (`http_proxy`,
/// `https_proxy`, `no_proxy`). Server certificates are checked against the system's trust store. It keeps no cookies
/// and no cache.
///
/// One thread moves the bytes of all exchanges; a body that is sent is read on it, so a `BodySource` of your own must
/// not wait for anything but a disk.
public final class CurlTransport: Transport {
    private let engine: CurlEngine
    private let handles = Locked<[CurlHandle]>([])

    /// Handles beyond these are freed after use.
    private static let mostIdleHandles = 256

    /// Makes a transport with a thread and connections of its own.
    ///
    /// - Throws: ``TransportError/Reason/unsupported`` if libcurl cannot be used, and why.
    public init() throws {
        if let problem = CurlLibrary.problem { throw TransportError(.unsupported, detail: problem) }
        guard let engine = CurlEngine() else { throw TransportError(.unsupported, detail: "libcurl has no memory") }
        self.engine = engine
    }

    deinit {
        engine.close()
    }

    /// The name of this transport and the version of libcurl.
    public var description: String { "CurlTransport (libcurl \(CurlLibrary.version))" }

    /// Lets exchanges that are under way finish and refuses new ones, with ``TransportError/Reason/transportClosed``.
    public func shutDown() {
        engine.close()
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
        let transfer = try CurlTransfer(request, options)
        do {
            let handle = try takeHandle()
            let exchange = transfer.makeExchange(handle)
            try transfer.describe(to: exchange)
            let answer = try await run(exchange, request)
            giveBack(handle)
            return try transfer.response(of: answer)
        } catch let failure as CurlFailure {
            throw TransportError(failure.reason, request: request, detail: failure.detail, underlying: failure)
        } catch let failure as CurlUploadFailure {
            throw TransportError(unreadableBody: failure.underlying, request: request)
        }
    }

    private func run(_ exchange: CurlExchange, _ request: URLRequest) async throws -> CurlAnswer {
        try await CallScope.withCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard exchange.begin(continuation) else { return }
                if !engine.start(exchange) { exchange.fail(TransportError(.transportClosed, request: request)) }
            }
        } onCancel: { [engine] in
            exchange.fail(CancellationError())
            engine.stop(exchange)
        }
    }

    private func takeHandle() throws(CurlFailure) -> CurlHandle {
        guard let handle = handles.withLock({ $0.popLast() }) ?? CurlHandle() else { throw .outOfMemory }
        handle.reset()
        return handle
    }

    /// Only after the engine has let go of it.
    private func giveBack(_ handle: CurlHandle) {
        handles.withLock { handles in
            if handles.count < Self.mostIdleHandles { handles.append(handle) }
        }
    }
}
#endif
