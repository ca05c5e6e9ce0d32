/// Compresses the bodies of requests, for servers that decode them.
///
/// ```swift
/// let client = NetworkClient(interceptors: [
///     .compression(), .standardResilience,
/// ])
/// ```
///
/// A body is compressed once, before all attempts, and only if it gets smaller. Bytes in memory stay there; a file, or
/// another body that can be read again, is compressed into a temporary file without a name, in constant memory.
///
/// A request is left unchanged if its body has another media type or none, is shorter than the minimum, longer than 1
/// GiB, or a stream, or if a field such as `Content-Encoding` or `Content-Digest` says how it is coded.
///
/// If a server refuses a compressed request with 415, and its `Accept-Encoding` doesn't have the coding, the plain
/// request is passed on, also a POST, which the server cannot have performed (RFC 9110 §15.5.16). The exception is a
/// redirect that became a GET. From then on, and after any response to a compressed request whose `Accept-Encoding`
/// lacks the coding (RFC 7694), its origin gets plain bodies; the interceptor remembers up to 1,000 origins.
///
/// Place it before retries and everything that signs a body; a deadline before it includes compressing. Don't compress
/// a body that has a secret beside text that an attacker chooses: its length reveals parts of the secret.
public struct CompressionInterceptor: InterceptorProtocol {
    /// True: the wait for other long bodies ends with the call, too.
    public var runsInCallersTask: Bool { true }

    private let coding: RequestCoding
    private let minimumLength: Int
    private let types: [MediaType]
    private let makeEncoder: @Sendable (BodyEncoder.Format) -> BodyEncoder?
    private let makeFile: @Sendable () throws -> DiskFile
    /// The codings that each origin refuses.
    private let refused = OriginTable { Locked<Set<RequestCoding>>([]) }
    private let hasNotedFailure = Locked(false)

    init(
        _ coding: RequestCoding = .gzip,
        minimumLength: Int = 1_024,
        types: [MediaType] = RequestCoding.textTypes,
        makeEncoder: @escaping @Sendable (BodyEncoder.Format) -> BodyEncoder? = { BodyEncoder($0) },
        makeFile: @escaping @Sendable () throws -> DiskFile = { try StoredBody.makeFile() }
    ) {
        self.coding = coding
        self.minimumLength = minimumLength
        self.types = types
        self.makeEncoder = makeEncoder
        self.makeFile = makeFile
    }

    /// Compresses the body and passes the request on; passes it on unchanged if that is not possible, and after 415.
    ///
    /// - Throws: The errors of `next`, unchanged. ``NetworkClient/Error/requestError(type:)`` if the body can't be
    ///   read, or if a deadline passes while it is compressed; `CancellationError`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        let context = RequestContext.current
        let coding = context[CompressionKey.self] ?? coding
        guard let format = coding.format, let url = request.url, let source = source(of: request) else {
            return try await next(request)
        }
        let refused = refused.value(for: url)
        guard !refused.withLock({ $0.contains(coding) }),
            let coded = try await compressed(request, source, format, context)
        else { return try await next(request) }
        do {
            let result = try await next(coded)
            guard isRefusal(result.response, of: coding, refused, context) else { return result }
        } catch NetworkClient.Error.apiError(let response, let data) where context.isOfThisCall(response) {
            guard isRefusal(response, of: coding, refused, context) else {
                throw NetworkClient.Error.apiError(response: response, data: data)
            }
        }
        context.record(.decision, "CompressionInterceptor: sends the body plain, since \(coding) was refused with 415")
        context.recordRefusal()
        return try await context.sendingAgain { try await next(request) }
    }

    /// Returns the body of a request that should be compressed.
    private func source(of request: URLRequest) -> (any BodySource)? {
        guard let source = request.bodySource, source.length >= max(1, minimumLength), source.length <= Self.maxLength
        else { return nil }
        let fields = request.allHTTPHeaderFields ?? [:]
        let type = fields.first { HeaderField.isSameName($0.key, "Content-Type") }.map { MediaType($0.value) }
        let isCoded = fields.keys.contains { name in
            Self.fieldsOfCodedBodies.contains { HeaderField.isSameName($0, name) }
        }
        return type.map(isListed) == true && !isCoded ? source : nil
    }

    private func isListed(_ type: MediaType) -> Bool {
        let suffix = type.isJSON ? "json" : type.suffix
        let plain = suffix.map { MediaType("application/\($0)") }
        return types.contains { type.matches($0) || plain?.matches($0) == true }
    }

    /// Notes whether a response refuses the coding for later requests, and returns whether it refuses this request.
    private func isRefusal(
        _ response: HTTPURLResponse,
        of coding: RequestCoding,
        _ refused: Locked<Set<RequestCoding>>,
        _ context: RequestContext
    ) -> Bool {
        // A server that redirected to a GET has seen the body, and the response is another one's. The exchange of
        // another call does not tell what its redirects were.
        let (facts, isRedirected) = (context.facts, response.metrics?.redirects ?? 0 > 0)
        guard !facts.becameGet, !facts.isShared || !isRedirected else { return false }
        let accepted = response.value(forHTTPHeaderField: "Accept-Encoding").map(coding.isAccepted)
        // A server that accepts the coding refuses the media type.
        let isRefusal = response.statusCode == 415 && accepted != true
        guard isRefusal || accepted == false else { return false }
        // For the server that redirected, too: it may do so each time.
        for server in [refused] + (facts.redirectedURL.map { [self.refused.value(for: $0)] } ?? []) {
            server.withLock { _ = $0.insert(coding) }
        }
        return isRefusal
    }

    /// The maximum length of a body in bytes.
    private static let maxLength = 1 << 30

    private static let fieldsOfCodedBodies = [
        "Content-Encoding", "Content-Range", "Content-MD5", "Content-Digest", "Repr-Digest", "Digest",
        "X-Amz-Content-SHA256", "Transfer-Encoding",
    ]
}

extension CompressionInterceptor {
    /// Returns the request with a compressed body; nil if that is not shorter, or not possible on this machine.
    private nonisolated(nonsending) func compressed(
        _ request: URLRequest,
        _ source: any BodySource,
        _ format: BodyEncoder.Format,
        _ context: RequestContext
    ) async throws -> URLRequest? {
        // A body of one portion is done at once; of the longer ones, only a few have an encoder and a file at a time.
        let isLong = source.length > BodyEncoder.maxPortion
        if isLong { try await Self.longBodies.wait(nil, queueLimit: nil, for: request, in: context) }
        defer { if isLong { Self.longBodies.leave(nil) } }
        guard let encoder = makeEncoder(format) else {
            note("there is no library for \(format.rawValue)", request, context)
            return nil
        }
        var output: CompressedBody
        do {
            let file = request.httpBodyStream == nil ? nil : try makeFile()
            output = CompressedBody(in: file, limit: source.length)
            let isShorter = try await output.write(source, encoder) { try await check(request, context) }
            guard isShorter else { return nil }
        } catch let error as BodyUnreadable {
            try context.checkCancellation()
            throw NetworkClient.Error.requestError(
                type: TransportError(unreadableBody: error.underlying, request: request)
            )
        } catch let error where error is CancellationError || error is NetworkClient.Error {
            throw error
        } catch {
            let code = (error as? POSIXError).map { " (errno \($0.code.rawValue))" } ?? ""
            note("it could not be compressed into a temporary file\(code)", request, context)
            return nil
        }
        var coded = request
        output.fill(&coded)
        coded.set(header: .custom(name: "Content-Encoding", value: format.rawValue))
        if coded.value(forHTTPHeaderField: "Content-Length") != nil {
            coded.set(header: .custom(name: "Content-Length", value: nil))
        }
        return coded
    }

    /// The long bodies that the process compresses at the same time: one for each processor.
    private static let longBodies = ConnectionLimiter(limit: ProcessInfo.processInfo.activeProcessorCount)

    /// Throws if the call was cancelled, or if its deadline has passed.
    private nonisolated(nonsending) func check(_ request: URLRequest, _ context: RequestContext) async throws {
        try context.checkCancellation()
        try await context.waiting(for: .turn, request) { limit in
            if let limit, limit.remaining <= 0 { throw TimeLimit.Passed() }
        }
    }

    /// Adds the first failure to compress to the log, and each to the journey.
    private func note(_ failure: String, _ request: URLRequest, _ context: RequestContext) {
        let text = "CompressionInterceptor: sends the body plain, since \(failure)"
        context.record(.decision, text)
        let isFirst = hasNotedFailure.withLock { hasNoted in
            defer { hasNoted = true }
            return !hasNoted
        }
        if isFirst { context.log(.noted(text, type: .warning), of: request) }
    }
}

extension InterceptorProtocol where Self == CompressionInterceptor {
    /// An interceptor that compresses bodies of text from 1 KiB with gzip.
    public static var compression: CompressionInterceptor { CompressionInterceptor() }

    /// An interceptor that compresses the bodies of requests.
    ///
    /// - Parameters:
    ///   - coding: The coding for calls without ``CallOptions/compression``.
    ///   - minimumLength: The length in bytes of the shortest body that is compressed.
    ///   - types: The media types, or ranges such as `text/*`, of bodies that are compressed. `application/json` and
    ///     `application/xml` include the types with their suffix, such as `application/problem+json`.
    /// - Returns: The interceptor.
    public static func compression(
        _ coding: RequestCoding = .gzip,
        minimumLength: Int = 1_024,
        types: [MediaType] = RequestCoding.textTypes
    ) -> CompressionInterceptor {
        CompressionInterceptor(coding, minimumLength: minimumLength, types: types)
    }
}

private enum CompressionKey: CallOptionKey {
    static let defaultValue: RequestCoding? = nil

    static func isMet(_ value: RequestCoding?) -> Bool { value?.format == nil }
}

extension CallOptions {
    /// The coding of the request's body in this call, such as `.identity` for none; nil for the coding of
    /// ``CompressionInterceptor``, without which it has no effect, as the journey says then.
    public var compression: RequestCoding? {
        get { self[CompressionKey.self] }
        set { self[CompressionKey.self] = newValue }
    }
}
