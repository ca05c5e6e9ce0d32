#if canImport(FoundationNetworking)

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// All differences between URLSession on Linux and on Apple platforms.
///
/// In FoundationNetworking 6.3, a cache makes cancellation crash; a request times out while it waits for a connection;
/// a challenge for a Basic credential never ends; a `Data` body is not sent again from its start on a new connection; a
/// body stream is sent in chunks despite `Content-Length`, unless `Transfer-Encoding` is a single space; timeouts are
/// truncated to whole seconds, and trap beyond `Int`.
enum SessionPlatform {
    static func adjust(_ configuration: URLSessionConfiguration) {
        handleBrokenPipes
        configuration.urlCache = nil
        // Otherwise URLSession scans every header line for cookies, even without a cookie storage.
        if configuration.httpCookieStorage == nil { configuration.httpCookieAcceptPolicy = .never }
    }

    /// Keeps SIGPIPE from ending the process when a TLS server closes the connection.
    ///
    /// Before libcurl 7.87, OpenSSL writes to the socket itself, and raises the signal.
    ///
    /// FoundationNetworking calls libcurl on its own threads, where the signal can't be blocked. So the signal gets an
    /// empty handler if it has none; child processes do not inherit it.
    private static let handleBrokenPipes: Void = {
        #if os(Linux)
        guard CurlLibrary.problem != nil || CurlLibrary.isOlder(than: 7, 87) else { return }
        var action = sigaction()
        guard sigaction(SIGPIPE, nil, &action) == 0 else { return }
        #if canImport(Glibc)
        let handler = action.__sigaction_handler.sa_handler
        #else
        let handler = action.__sa_handler.sa_handler
        #endif
        if handler == nil { signal(SIGPIPE) { _ in } }
        #endif
    }()

    /// Spooling, since FoundationNetworking would send a request again when its suspended task is resumed.
    static let bufferMode = BodyBufferState.Mode.spooling

    private static let decodedCodings: Set<String> = ["gzip", "x-gzip", "deflate", "br", "zstd"]

    /// False: swift.org's toolchains are built without libcurl's WebSockets, and trap.
    static let opensSockets = false

    static func makeTask(
        with request: URLRequest,
        _ opening: WebSocketOpening?,
        in session: URLSession
    ) -> URLSessionTask { session.dataTask(with: request) }

    static func makeLimiter(for configuration: URLSessionConfiguration) -> ConnectionLimiter? {
        ConnectionLimiter(limit: max(1, configuration.httpMaximumConnectionsPerHost))
    }

    /// Returns a queue that calls the delegate, which never waits, inline: waking a thread for each of the three calls
    /// of a small exchange would cost a third of its time.
    static func makeDelegateQueue() -> OperationQueue? { InlineOperationQueue() }

    /// Refuses IPv6 literals: FoundationNetworking compares hosts as text, and takes such a literal for the wrong host.
    static func check(_ request: URLRequest) throws {
        // Checks the text first, since `host` parses the URL.
        guard let url = request.url, url.absoluteString.utf8.contains(where: Self.canBeginIPv6),
            url.host?.contains(":") == true
        else { return }
        throw TransportError(
            .unsupported,
            request: request,
            detail: "URLSession on Linux cannot reach an IPv6 address; use a name"
        )
    }

    /// Returns whether a byte is a bracket, or a percent sign that may encode one.
    private static func canBeginIPv6(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "[") || byte == UInt8(ascii: "%")
    }

    static func prepare(_ request: URLRequest, _ upload: SessionUpload?) -> URLRequest {
        var request = request
        if let url = request.url.flatMap(loweringScheme) { request.url = url }
        // The timer of the exchange is exact, and can't fire while a redirect is being declined.
        request.timeoutInterval = longTimeout
        guard let upload else { return request }
        var fields = request.allHTTPHeaderFields ?? [:]
        if request.value(forHTTPHeaderField: "Content-Type") == nil { fields["Content-Type"] = " " }
        if let length = upload.length {
            for name in fields.keys where HeaderField.isSameName(name, "Content-Length") { fields[name] = nil }
            fields["Content-Length"] = String(length)
            fields["Transfer-Encoding"] = " "
        }
        request.replaceAllFields(by: fields)
        request.httpBody = nil
        request.httpBodyStream = upload.makeStream()
        return request
    }

    static func respond(
        to challenge: URLAuthenticationChallenge,
        of task: URLSessionTask,
        in session: URLSession,
        exchange: SessionExchange?,
        delegate: (any URLSessionDelegate)?,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        exchange?.challenged()
    }

    /// Does not call the handler of a redirect whose exchange has ended: FoundationNetworking traps if the task was
    /// cancelled.
    static func declineLate(_ completionHandler: (URLRequest?) -> Void) {}

    /// Returns whether libcurl may send a request again, which it does if a kept connection turns out to be dead.
    ///
    /// The server may have processed the request by then. FoundationNetworking asks for a new stream only in this case.
    static func canSendAgain(_ request: URLRequest) -> Bool {
        request.method?.isIdempotent == true || request.value(forHTTPHeaderField: "Idempotency-Key") != nil
    }

    /// Returns a URL with its scheme in lower case, which FoundationNetworking needs; nil if it is in lower case
    /// already.
    private static func loweringScheme(_ url: URL) -> URL? {
        let text = url.absoluteString
        guard !text.hasPrefix("http:"), !text.hasPrefix("https:"), let scheme = url.scheme else { return nil }
        return URL(string: scheme.lowercased() + text.dropFirst(scheme.count))
    }
}

/// A queue that runs each block immediately, on the thread that adds it.
///
/// FoundationNetworking adds a block for each call of the delegate, on the only queue on which it does all its work.
private final class InlineOperationQueue: OperationQueue, @unchecked Sendable {
    override func addOperation(_ block: @escaping @Sendable () -> Void) {
        block()
    }
}

#else

/// All differences between URLSession on Linux and on Apple platforms.
enum SessionPlatform {
    static func adjust(_ configuration: URLSessionConfiguration) {}

    static let bufferMode = BodyBufferState.Mode.signalling

    private static let decodedCodings: Set<String> = ["gzip", "x-gzip", "deflate", "br"]

    static let opensSockets = true

    static func makeTask(
        with request: URLRequest,
        _ opening: WebSocketOpening?,
        in session: URLSession
    ) -> URLSessionTask {
        guard let opening else { return session.dataTask(with: request) }
        var request = request
        request.url = request.url?.withWebSocketScheme
        // It would end an idle socket, too; the timer of the exchange limits the opening.
        request.timeoutInterval = longTimeout
        for field in WebSocketHandshake.offer(opening.protocols) { request.set(header: field) }
        let task = session.webSocketTask(with: request)
        // One byte more than the channel's limit, so that the channel refuses what is barely too long.
        task.maximumMessageSize = min(max(0, opening.options.messageLimit), .max - 1) + 1
        return task
    }

    /// Returns no limiter, also none for WebSockets: URLSession has its own queue, and another limit would slow down
    /// HTTP/2.
    static func makeLimiter(for configuration: URLSessionConfiguration) -> ConnectionLimiter? { nil }

    static func makeDelegateQueue() -> OperationQueue? { nil }

    static func check(_ request: URLRequest) throws {}

    static func prepare(_ request: URLRequest, _ upload: SessionUpload?) -> URLRequest {
        var request = request
        request.timeoutInterval = min(max(1, request.timeoutInterval.rounded(.up)), longTimeout)
        guard let upload, request.httpBody == nil else { return request }
        if let length = upload.length {
            request.set(header: .custom(name: "Content-Length", value: String(length)))
        }
        request.httpBodyStream = upload.makeStream()
        return request
    }

    /// Passes a challenge to the delegate of the caller-provided session, as URLSession would.
    ///
    /// For challenges of a connection, the session's method takes precedence over the task's, so that its pinning
    /// applies here too.
    static func respond(
        to challenge: URLAuthenticationChallenge,
        of task: URLSessionTask,
        in session: URLSession,
        exchange: SessionExchange?,
        delegate: (any URLSessionDelegate)?,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let forTask = #selector((any URLSessionTaskDelegate).urlSession(_:task:didReceive:completionHandler:))
        let forSession = #selector((any URLSessionDelegate).urlSession(_:didReceive:completionHandler:))
        let concernsConnection = connectionMethods.contains(challenge.protectionSpace.authenticationMethod)
        if let delegate, concernsConnection, delegate.responds(to: forSession) {
            delegate.urlSession?(session, didReceive: challenge, completionHandler: completionHandler)
        } else if let delegate = delegate as? any URLSessionTaskDelegate, delegate.responds(to: forTask) {
            delegate.urlSession?(session, task: task, didReceive: challenge, completionHandler: completionHandler)
        } else {
            completionHandler(.performDefaultHandling, nil)
        }
    }

    /// Declines a redirect whose exchange has ended: URLSession expects every handler to be called.
    static func declineLate(_ completionHandler: (URLRequest?) -> Void) {
        completionHandler(nil)
    }

    /// Returns true: URLSession itself decides when to send a request again, and asks for a new stream for other
    /// reasons too.
    static func canSendAgain(_ request: URLRequest) -> Bool { true }

    private static let connectionMethods: Set<String> = [
        NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
        NSURLAuthenticationMethodNTLM, NSURLAuthenticationMethodNegotiate,
    ]
}

extension SessionDelegate {
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        exchange(of: task)?.collected(TransportMetrics(metrics))
        (other as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, didFinishCollecting: metrics)
    }
}

#endif

extension SessionPlatform {
    /// Returns a configuration without cache, cookies and stored credentials.
    static func makeConfiguration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        return configuration
    }

    /// Returns whether URLSession decodes a body with these content codings, which it does whatever the request is.
    static func decodes(_ codings: String) -> Bool {
        codings.split { ", \t".contains($0) }.allSatisfy { decodedCodings.contains($0.lowercased()) }
    }

    private static let longTimeout: TimeInterval = 365 * 86_400
}
