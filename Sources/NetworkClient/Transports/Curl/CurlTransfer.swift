#if os(Linux)
import CCurl

/// Converts a request into libcurl's options, and libcurl's response into the library's.
///
/// The attempts to send the request share it.
final class CurlTransfer: Sendable {
    /// The URL as text.
    private let text: String
    /// The origin of the request, to which its connection belongs.
    let origin: Origin

    let request: URLRequest
    let url: URL
    private let method: String
    private let fields: [String: String]
    /// The body; nil if the request has none.
    let body: CurlUpload?
    /// Whether the transport asks for content codings, and decodes them.
    private let decodesCodings: Bool
    /// The handshake of the WebSocket that the transfer opens; nil for any other transfer.
    let handshake: WebSocketHandshake?

    /// Creates the transfer of a request, whose body was created from it.
    init(_ request: URLRequest, _ body: CurlUpload?, _ options: TransportOptions) throws {
        guard let url = request.url else { throw TransportError(.invalidURL, request: request) }
        self.request = request
        self.url = url
        text = url.absoluteString
        origin = Origin(of: url)
        method = request.httpMethod ?? "GET"
        fields = request.allHTTPHeaderFields ?? [:]
        self.body = body
        decodesCodings = options.decodesBody
        handshake = try options.opensSocket.map { try WebSocketHandshake(protocols: $0.protocols) }
    }

    /// Whether the request may reach the server twice, because of its method or an idempotency key.
    var isRepeatable: Bool {
        method == "GET" || HTTPMethod(rawValue: method)?.isIdempotent == true
            || fields.contains { HeaderField.isSameName($0.key, "Idempotency-Key") }
    }

    /// Whether a second exchange could send the same body.
    var canBeginAgain: Bool {
        if case .sequence = body?.content { false } else { true }
    }

    /// Sets the options and callbacks of the exchange's handle.
    ///
    /// - Throws: ``TransportError`` for a request that must not be sent; ``CurlFailure``.
    func describe(to exchange: CurlExchange, _ configuration: CurlTransport.Configuration) throws {
        let handle = exchange.handle
        let place = configuration.places?.connection(to: origin)
        // A proxy gets the other address in a `CONNECT`.
        let mayBeForwarded = configuration.proxy.mayForward && handshake == nil && place == nil
        let target = ExactTarget(text, mayBeForwarded: mayBeForwarded)
        let isPlain = method == "GET" && body == nil && target == nil && handshake == nil
        // Only a connection with TLS can use HTTP/2.
        let mayBlock = exchange.isStreamed && origin.scheme == "https"
        try handle.begin(isPlain: isPlain, isStreamed: exchange.isStreamed, mayBlockOthers: mayBlock, configuration)
        try handle.setURL(text)
        if configuration.places != nil { try handle.connect(to: place) }
        let plain = isPlain ? PlainFields(fields: fields, decodesCodings: decodesCodings) : nil
        if !handle.hasLines(of: plain) {
            try RequestValidation.checkHead(of: request)
            try handle.set(makeFields(), of: plain)
        }
        exchange.connect(sendsBody: body != nil || handshake != nil)
        guard !isPlain else { return }
        if handshake != nil { try describeSocket(to: handle) }
        if let target { try handle.set(target, port: origin.port) }
        // Over a kept connection, libcurl might send the request a second time.
        if !CurlLibrary.reportsConnections, !isRepeatable { _ = handle.setFreshConnection() }
        if let body {
            try handle.set(CURLOPT_UPLOAD, 1)
            let isLong = body.length.map { $0 > Self.longBody } ?? false
            if isLong { try handle.set(CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferSize) }
            try handle.set(CURLOPT_INFILESIZE_LARGE, body.length ?? -1)
        }
        if method == "HEAD" {
            try handle.set(CURLOPT_NOBODY, 1)
        } else {
            try handle.set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    /// Sets the options of a transfer that opens a WebSocket: one over HTTP/1.1 and a connection of its own, in which
    /// the frames take the place of the bodies, without framing by HTTP.
    private func describeSocket(to handle: CurlHandle) throws(CurlFailure) {
        try handle.set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
        try handle.set(CURLOPT_FRESH_CONNECT, 1)
        try handle.set(CURLOPT_FORBID_REUSE, 1)
        // A proxy would take part in the exchange otherwise.
        try handle.set(CURLOPT_HTTPPROXYTUNNEL, 1)
        try handle.set(CURLOPT_UPLOAD, 1)
        try handle.set(CURLOPT_INFILESIZE_LARGE, -1)
        try handle.set(CURLOPT_BUFFERSIZE, Self.socketBufferSize)
        try handle.set(CURLOPT_UPLOAD_BUFFERSIZE, Self.socketBufferSize)
    }

    /// What the header lines of a plain request depend on.
    struct PlainFields: Sendable {
        let fields: [String: String]
        let decodesCodings: Bool

        /// Compares bytes, since equal strings may encode an accent differently.
        func haveLines(of other: PlainFields?) -> Bool {
            guard let other, decodesCodings == other.decodesCodings, fields.count == other.fields.count else {
                return false
            }
            return other.fields.allSatisfy { fields[$0.key]?.utf8.elementsEqual($0.value.utf8) == true }
        }
    }

    private func makeFields() throws(CurlFailure) -> CurlFieldList {
        var list = CurlFieldList()
        var namesAgent = false
        var namesCodings = false
        // libcurl adds the length, which was checked to equal the request's.
        for (name, value) in fields where !HeaderField.isSameName(name, "Content-Length") {
            namesAgent = namesAgent || HeaderField.isSameName(name, "User-Agent")
            namesCodings = namesCodings || HeaderField.isSameName(name, "Accept-Encoding")
            // libcurl omits a field without a value, unless a semicolon replaces the colon.
            try list.append(value.isEmpty ? name + ";" : name + ": " + value)
        }
        if handshake != nil {
            // The frames are no body.
            try list.append("Transfer-Encoding:")
            try list.append("Expect:")
        } else if body != nil {
            // A server that does not support the expectation would delay the transfer.
            try list.append("Expect:")
        } else if Self.methodsWithLength.contains(method) {
            try list.append("Content-Length: 0")
        }
        if !namesAgent { try list.append(Self.userAgent) }
        // With its own option, libcurl would decode the body, and not report whether it was complete.
        if !namesCodings, decodesCodings, handshake == nil { try list.append(Self.acceptEncoding) }
        for field in handshake?.fields ?? [] { try list.append("\(field.name): \(field.value ?? "")") }
        return list
    }

    /// A request with only the URL, for errors that name the URL.
    var place: URLRequest { URLRequest(url: url) }

    /// Returns the error for callers of the transport.
    static func publicError(_ error: any Error, _ request: URLRequest) -> any Error {
        switch error {
        case let failure as CurlFailure: TransportError(failure, request: request)
        case let failure as CurlUpload.Failure: TransportError(unreadableBody: failure.underlying, request: request)
        default: error
        }
    }

    /// Whether the body of a response is decoded; one to HEAD has no body (RFC 9110 §9.3.2).
    var decodesBody: Bool { decodesCodings && method != "HEAD" }

    func head(of response: CurlResponse, _ metrics: TransportMetrics) throws -> ResponseHead {
        guard let head = ResponseHead(response.head, url: url, metrics: metrics) else {
            throw TransportError(.malformedResponse, request: request)
        }
        return head
    }

    /// The body length above which a larger upload buffer is faster.
    private static let longBody = 1 << 20

    /// The upload buffer for such a body; libcurl's default is a quarter of this size.
    private static let uploadBufferSize = 1 << 18

    /// The buffers of a WebSocket, which an idle one keeps; larger ones are slower.
    private static let socketBufferSize = 1 << 15

    /// Methods whose requests usually have a body; without one, they have to state its length (RFC 9110 §8.6).
    private static let methodsWithLength: Set<String> = ["POST", "PUT", "PATCH"]

    private static let acceptEncoding = "Accept-Encoding: " + ContentCoding.accepted

    private static let userAgent =
        "User-Agent: \(product(ProcessInfo.processInfo.processName)) libcurl/\(CurlLibrary.version)"

    /// Returns a product name (RFC 9110 §10.1.5) for any program name.
    static func product(_ name: String) -> String {
        let bytes = name.utf8.map { HTTPToken.isValid(String(UnicodeScalar($0))) ? $0 : UInt8(ascii: "_") }
        return bytes.isEmpty ? "program" : String(decoding: bytes, as: UTF8.self)
    }
}

/// The response from the engine, from which the caller's task creates the library's response.
struct CurlResponse: Sendable {
    var head: ResponseHeadLines
    /// The body, still with its content coding; empty if `stream` has it.
    var body = Data()
    /// The buffer of a streamed body that had not ended with its head.
    var stream: BodyBuffer?
    /// The WebSocket that the response has opened.
    var socket: WebSocketChannel?
    /// Whether the body was cut at a limit.
    var isCut = false
    /// Whether the body belongs to a redirect that the caller follows.
    var isRedirectBody = false
    /// The metrics up to the head of a streamed response; nil for a complete one.
    var metrics: TransportMetrics?
}

/// The body of a request, from which libcurl reads.
struct CurlUpload: Sendable {
    let content: Content
    /// The number of bytes; nil if it is unknown, so that the body is sent in chunks.
    let length: Int?

    enum Content: Sendable {
        case source(any BodySource)
        /// Bytes that may have to be awaited.
        case sequence(SequenceBodyReader)
    }

    /// The error for a body that could not be read to its end.
    struct Failure: Error {
        let underlying: any Error
    }

    /// Creates the body of a request; nil if the request has no body.
    ///
    /// - Throws: ``TransportError/Reason/bodyNotReplayable`` for a stream or a sequence that was sent before.
    init?(of request: URLRequest) throws {
        if let stream = request.httpBodyStream as? BodyInputStream {
            content = .source(stream.source)
            length = stream.source.length
        } else if let stream = request.httpBodyStream as? SequenceInputStream {
            guard let reader = stream.body.claim(length: request.statedLength) else {
                throw TransportError(.bodyNotReplayable, request: request)
            }
            content = .sequence(reader)
            length = reader.length
        } else if let stream = request.httpBodyStream {
            guard ClaimedStreams.claim(stream) else { throw TransportError(.bodyNotReplayable, request: request) }
            length = request.statedLength
            let body = SequenceBody(StreamChunks(stream, length: length ?? .max), length: nil)
            guard let reader = body.claim() else { throw TransportError(.bodyNotReplayable, request: request) }
            content = .sequence(reader)
        } else if let data = request.httpBody, !data.isEmpty {
            content = .source(DataBodySource(data))
            length = data.count
        } else {
            return nil
        }
    }

    private init(_ content: Content, length: Int) {
        self.content = content
        self.length = length
    }

    /// The sequence with a stated length of 0; nil for any other body.
    var emptySequence: SequenceBodyReader? {
        if case .sequence(let reader) = content, let length, length <= 0 { reader } else { nil }
    }

    /// A body without bytes.
    static let empty = CurlUpload(.source(DataBodySource(Data())), length: 0)
}

/// The header lines of a request, as a linked list for libcurl.
struct CurlFieldList: Sendable {
    private var address: UInt = 0

    var list: OpaquePointer? { OpaquePointer(bitPattern: address) }

    mutating func append(_ line: String) throws(CurlFailure) {
        guard let longer = line.withCString({ ccurl_slist_append(list, $0) }) else {
            free()
            throw .outOfMemory
        }
        address = UInt(bitPattern: longer)
    }

    /// Frees the list; no transfer may refer to it any more.
    mutating func free() {
        ccurl_slist_free_all(list)
        address = 0
    }
}
#endif
