#if os(Linux)
import CCurl
import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request in libcurl's terms, and an answer of libcurl's as a response.
struct CurlTransfer {
    /// The URL as text.
    private let text: String
    /// What connections belong to.
    let origin: Origin

    private let request: URLRequest
    private let url: URL
    private let method: String
    private let fields: [String: String]
    private var body: CurlBody?

    init(_ request: URLRequest) throws {
        guard let url = request.url else { throw NetworkClient.Error.invalidUrl(originalUrl: "") }
        self.request = request
        self.url = url
        text = url.absoluteString
        origin = Origin(of: url)
        method = request.httpMethod ?? "GET"
        fields = request.allHTTPHeaderFields ?? [:]
        body = try CurlBody(of: request)
    }

    /// Whether the request may reach the server twice: its method says so, or a key by which the server knows it.
    private var isRepeatable: Bool {
        method == "GET" || HTTPMethod(rawValue: method)?.isIdempotent == true
            || fields.contains { HeaderField.isSameName($0.key, "Idempotency-Key") }
    }

    /// Asks a sequence that is to give nothing whether it does, before anything is sent.
    nonisolated(nonsending) mutating func checkEmptySequence(within total: TimeInterval?) async throws {
        guard let sequence = body?.emptySequence else { return }
        try await sequence.drain(for: request, within: total) { _ in }
        body = .empty
    }

    func makeExchange(
        _ handle: CurlHandle,
        _ engine: CurlEngine,
        _ transport: CurlTransport,
        _ options: TransportOptions,
        _ delivery: CurlExchangeState.Delivery,
        onEnd: (@Sendable (TransportMetrics?) -> Void)? = nil
    ) -> CurlExchange {
        CurlExchange(
            handle: handle,
            engine: engine,
            sockets: transport.sockets,
            body: body?.content,
            isRepeatable: isRepeatable,
            delivery: delivery,
            idleTimeout: CurlClock.nanoseconds(request.timeoutInterval),
            connectTimeout: CurlClock.nanoseconds(transport.configuration.connectTimeout),
            end: options.totalTimeout.map { CurlClock.now + CurlClock.nanoseconds($0) } ?? .max,
            onEnd: onEnd
        )
    }

    /// Sets what the transfer needs.
    ///
    /// - Throws: ``TransportError`` for a request that must not be sent; ``CurlFailure``.
    func describe(to exchange: CurlExchange, _ configuration: CurlTransport.Configuration) throws {
        let handle = exchange.handle
        let target = ExactTarget(text, mayBeForwarded: configuration.proxy.mayForward)
        let isPlain = method == "GET" && body == nil && exchange.buffer == nil && target == nil
        try handle.begin(isPlain: isPlain, configuration)
        try handle.setURL(text)
        if !isPlain || !handle.hasLines(of: fields) {
            try RequestValidation.checkHead(of: request)
            try handle.set(makeFields(), of: isPlain ? fields : nil)
        }
        exchange.connect(sendsBody: body != nil)
        guard !isPlain else { return }
        if let target { try handle.set(target, port: origin.port) }
        // Over one that was used before, libcurl might send the request a second time.
        if !CurlLibrary.tellsOfConnections, !isRepeatable { _ = handle.setFreshConnection() }
        if exchange.buffer != nil {
            try handle.set(CCURL_OPTION_BUFFER_SIZE, Self.bufferSize)
            // Only a connection under TLS can be one of HTTP/2.
            if origin.scheme == "https" { try handle.avoidBlockingOthers() }
        }
        if let body {
            try handle.set(CCURL_OPTION_UPLOAD, 1)
            let isLong = body.length.map { $0 > Self.longBody } ?? false
            if isLong { try handle.set(CCURL_OPTION_UPLOAD_BUFFER_SIZE, Self.uploadBufferSize) }
            try handle.set(CCURL_OPTION_UPLOAD_LENGTH, offset: body.length ?? -1)
        }
        if method == "HEAD" {
            try handle.set(CCURL_OPTION_NO_BODY, 1)
        } else {
            try handle.set(CCURL_OPTION_CUSTOM_REQUEST, method)
        }
    }

    private func makeFields() throws(CurlFailure) -> CurlFieldList {
        var list = CurlFieldList()
        var namesAgent = false
        var namesCodings = false
        // What a user says of the body's length was compared with the body, of which libcurl says the same.
        for (name, value) in fields where !HeaderField.isSameName(name, "Content-Length") {
            namesAgent = namesAgent || HeaderField.isSameName(name, "User-Agent")
            namesCodings = namesCodings || HeaderField.isSameName(name, "Accept-Encoding")
            // Without a value, libcurl takes the field for one that is to be left out, unless it ends in a semicolon.
            try list.append(value.isEmpty ? name + ";" : name + ": " + value)
        }
        if body != nil {
            // A server that does not know the expectation would keep the transfer waiting.
            try list.append("Expect:")
        } else if Self.methodsWithLength.contains(method) {
            try list.append("Content-Length: 0")
        }
        if !namesAgent { try list.append(Self.userAgent) }
        // Not by libcurl's option, which has it decode, and it does not tell whether the content was there to its end.
        if !namesCodings { try list.append(Self.acceptEncoding) }
        return list
    }

    /// A request for the same URL without fields and body, to say where something failed.
    var place: URLRequest { URLRequest(url: url) }

    /// A failure as callers of a transport get it.
    func publicError(_ error: any Error) -> any Error { Self.publicError(error, request) }

    static func publicError(_ error: any Error, _ request: URLRequest) -> any Error {
        switch error {
        case let failure as CurlFailure: TransportError(failure, request: request)
        case let failure as CurlUploadFailure: TransportError(unreadableBody: failure.underlying, request: request)
        default: error
        }
    }

    /// Foundation's form of a head.
    func head(of answer: CurlAnswer, _ metrics: TransportMetrics) throws -> ResponseHead {
        guard let head = ResponseHead(answer.head, url: url, metrics: metrics) else {
            throw TransportError(.malformedResponse, request: request)
        }
        return head
    }

    /// Bytes beyond which it pays to read more of a body at once.
    private static let longBody = 1 << 20

    /// What libcurl reads at once of such a body; a quarter of that otherwise.
    private static let uploadBufferSize = 1 << 18

    /// What libcurl receives at once, for bodies that may be long.
    private static let bufferSize = 1 << 17

    /// Methods that mean a body, so that a server waits for one unless it is told that there is none (RFC 9110 §8.6).
    private static let methodsWithLength: Set<String> = ["POST", "PUT", "PATCH"]

    private static let acceptEncoding = "Accept-Encoding: " + ContentCoding.accepted

    private static let userAgent =
        "User-Agent: \(product(ProcessInfo.processInfo.processName)) libcurl/\(CurlLibrary.version)"

    /// A product's name (RFC 9110 §10.1.5) made of a program's, which may be anything.
    static func product(_ name: String) -> String {
        let bytes = name.utf8.map { HTTPToken.isValid(String(UnicodeScalar($0))) ? $0 : UInt8(ascii: "_") }
        return bytes.isEmpty ? "program" : String(decoding: bytes, as: UTF8.self)
    }
}
#endif
