extension StubTransport {
    /// A response, or a failure, of a ``StubTransport``.
    ///
    /// ```swift
    /// let transport = StubTransport()
    /// transport.on(.get("/slow"), .json(text: "[]").delayed(by: 2))
    /// let file = StubTransport.Response.data(Data(count: 1_000))
    /// transport.on(.get("/file"), file.breakingOff(after: 400), file)
    /// transport.on(.get("/down"), .failure(.connectionRefused))
    /// let location = HeaderField.custom(name: "Location", value: "/new")
    /// transport.on(.get("/old"), .status(302).setting(header: location))
    /// ```
    ///
    /// The response states `Content-Length`, unless the body is given in chunks.
    public struct Response: Sendable {
        typealias Computation = @Sendable (Request) async throws -> Response

        /// The status code, 100…999.
        public let status: Int
        let chunks: [Data]
        /// The seconds between two chunks.
        let interval: TimeInterval
        /// Creates the error of an exchange without a response.
        let failure: (@Sendable (URLRequest) -> any Error)?
        private let computation: Computation?
        /// What the server does with an open WebSocket; nil for any other response.
        let talk: (@Sendable (StubPeer) async throws -> Void)?
        private let statesLength: Bool
        private var fields: [HeaderField]
        private var trailerFields: [HeaderField] = []
        /// Seconds to wait before the head.
        private(set) var delay: TimeInterval = 0
        /// The number of bytes after which the body breaks off, and the reason, or nil for silence; nil for a complete
        /// body.
        private(set) var end: (count: Int, reason: TransportError.Reason?)?

        private init(
            status: Int = 200,
            type: MediaType? = nil,
            chunks: [Data] = [],
            interval: TimeInterval = 0,
            statesLength: Bool = true,
            computation: Computation? = nil,
            talk: (@Sendable (StubPeer) async throws -> Void)? = nil,
            failure: (@Sendable (URLRequest) -> any Error)? = nil
        ) {
            self.status = status
            self.chunks = chunks
            self.interval = interval
            self.statesLength = statesLength
            (self.computation, self.talk) = (computation, talk)
            self.failure = failure
            fields = type.map { [HeaderField.content(type: $0)] } ?? []
        }

        /// Whether a response with this status has a body (RFC 9110 §6.4.1).
        var mayHaveBody: Bool { status >= 200 && ![204, 304].contains(status) }

        /// The header fields, including the length of the body if a server would state it.
        var allFields: ResponseFields {
            var all = Self.received(fields)
            if statesLength, mayHaveBody, !fields.contains(where: { HeaderField.isSameName($0.name, "Content-Length") })
            {
                all.append(.init(name: "Content-Length", value: "\(chunks.reduce(0) { $0 + $1.count })"))
            }
            return ResponseFields(all)
        }

        /// The trailer fields; nil if there are none.
        var trailers: ResponseFields? { trailerFields.isEmpty ? nil : ResponseFields(Self.received(trailerFields)) }

        private static func received(_ fields: [HeaderField]) -> [ResponseFields.Field] {
            fields.compactMap { field in field.value.map { ResponseFields.Field(name: field.name, value: $0) } }
        }

        /// The response that accepts a WebSocket.
        static func opening(
            _ talk: @escaping @Sendable (StubPeer) async throws -> Void,
            subprotocol: String?
        ) -> Response {
            var response = Response(status: 101, statesLength: false, talk: talk)
            if let subprotocol {
                response.fields.append(.custom(name: "Sec-WebSocket-Protocol", value: subprotocol))
            }
            return response
        }

        static func computed(_ computation: @escaping Computation) -> Response { Response(computation: computation) }

        /// Runs the closure of a computed response; in a separate task, if `cancelAll()` could not cancel it otherwise.
        nonisolated(nonsending) func resolved(for request: Request) async throws -> Response {
            guard let computation else { return self }
            guard CallScope.current != nil else { return try await computation(request) }
            let task = Task { try await computation(request) }
            return try await CallScope.withCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }
}

extension StubTransport.Response {
    /// A response with an empty body.
    public static func status(_ status: Int) -> Self { Self(status: status) }

    /// A JSON body from a value, encoded by `DefaultJsonEncoder`; if the value can't be encoded, the exchange fails.
    public static func json<Value: Encodable>(_ value: Value, status: Int = 200) -> Self {
        do {
            return .data(try DefaultJsonEncoder().encode(value), type: .json, status: status)
        } catch {
            return .failure(error)
        }
    }

    /// A JSON body that is sent verbatim.
    public static func json(text: String, status: Int = 200) -> Self {
        .data(Data(text.utf8), type: .json, status: status)
    }

    /// A text in UTF-8.
    public static func text(_ text: String, status: Int = 200) -> Self {
        .data(Data(text.utf8), type: MediaType("text/plain; charset=utf-8"), status: status)
    }

    /// A body of bytes; without a type, there is no `Content-Type`.
    public static func data(_ data: Data, type: MediaType? = nil, status: Int = 200) -> Self {
        Self(status: status, type: type, chunks: [data])
    }

    /// The content of a file, with the media type of its extension.
    ///
    /// - Throws: `BodySourceError`, which names the file, if it is missing, unreadable or not a regular file.
    public static func file(at url: URL, status: Int = 200) throws -> Self {
        let content = try FileBodySource(url: url).contents()
        return .data(content, type: MediaType(fileExtension: url.pathExtension), status: status)
    }

    /// A body of unknown length that arrives in chunks, `interval` seconds apart; empty chunks are skipped.
    public static func chunks(
        _ chunks: [Data],
        every seconds: TimeInterval = 0,
        type: MediaType? = nil,
        status: Int = 200
    ) -> Self {
        Self(status: status, type: type, chunks: chunks, interval: seconds, statesLength: false)
    }

    /// A failure of the transport instead of a response, such as `.connectionLost`.
    public static func failure(_ reason: TransportError.Reason) -> Self {
        Self(failure: { TransportError(reason, request: $0) })
    }

    /// A failure of the transport with its cause as a clause.
    static func failure(_ reason: TransportError.Reason, detail: String) -> Self {
        Self(failure: { TransportError(reason, request: $0, detail: detail) })
    }

    /// Any error instead of a response.
    public static func failure(_ error: any Error) -> Self {
        Self(failure: { _ in error })
    }

    /// No response at all: the exchange ends with a timeout or a cancellation.
    public static var never: Self { status(200).delayed(by: .infinity) }

    /// Returns a copy whose head, or failure, arrives after this many seconds on the clock of the transport.
    public func delayed(by seconds: TimeInterval) -> Self {
        var copy = self
        copy.delay = seconds
        return copy
    }

    /// Returns a copy whose body ends with an error after this many bytes; a response to HEAD is unchanged.
    public func breakingOff(after count: Int, with reason: TransportError.Reason = .connectionLost) -> Self {
        var copy = self
        copy.end = (count, reason)
        return copy
    }

    /// Returns a copy whose connection is lost after this many events, or chunks.
    public func cut(after count: Int) -> Self { breakingOff(after: length(of: count)) }

    /// Returns a copy that sends nothing more after this many events, or chunks, until a timeout or a cancellation.
    public func silent(after count: Int) -> Self {
        var copy = self
        copy.end = (length(of: count), nil)
        return copy
    }

    private func length(of count: Int) -> Int { chunks.prefix(max(0, count)).reduce(0) { $0 + $1.count } }

    /// Returns a copy with a header field that replaces fields of the same name; a field without a value removes them.
    public func setting(header: HeaderField) -> Self {
        var copy = self
        copy.fields.removeAll { HeaderField.isSameName($0.name, header.name) }
        copy.fields.append(header)
        return copy
    }

    /// Returns a copy with one more header field, such as a second `Set-Cookie`.
    public func adding(header: HeaderField) -> Self {
        var copy = self
        copy.fields.append(header)
        return copy
    }

    /// Returns a copy with one more trailer field (RFC 9110 §6.5), which comes after a complete body.
    ///
    /// A server can send trailers only after a body of unknown length, as in ``chunks(_:every:type:status:)``, or over
    /// HTTP/2; the stub sends them after each body.
    public func adding(trailer: HeaderField) -> Self {
        var copy = self
        copy.trailerFields.append(trailer)
        return copy
    }
}

extension StubTransport.Response: CustomStringConvertible, CustomReflectable {
    /// The status, or the word "failure" or "computed"; no header field and no body.
    public var description: String {
        if computation != nil { return "computed response" }
        return failure == nil ? "status \(status)" : "failure"
    }

    /// A mirror without children, since fields and body may be secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension StubTransport.Response {
    /// An event stream that ends after these events, `seconds` apart on the clock of the transport.
    ///
    /// ```swift
    /// let transport = StubTransport()
    /// transport.on(
    ///     .get("/feed"), .events([.init(data: "first"), .init(data: "second")], every: 1)
    /// )
    /// ```
    /// To script a stream that breaks off or goes silent, use ``cut(after:)`` or ``silent(after:)``.
    public static func events(_ events: [ServerSentEvent], every seconds: TimeInterval = 0, status: Int = 200) -> Self {
        let chunks = events.map { Data($0.lines.utf8) }
        return .chunks(chunks, every: seconds, type: .eventStream, status: status)
    }
}

extension ServerSentEvent {
    /// The event as a server sends it.
    fileprivate var lines: String {
        let data = data.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined()
        return (id.isEmpty ? "" : "id: \(id)\n") + (type == "message" ? "" : "event: \(type)\n") + data + "\n"
    }
}
