/// Gives each POST and PATCH an `Idempotency-Key`, with which the server performs the operation only once, even if the
/// request is repeated (draft-ietf-httpapi-idempotency-key-header).
///
/// ```swift
/// let client = NetworkClient(interceptors: [
///     .idempotencyKey { $0.url?.host == "payments.example.com" }
/// ])
/// ```
///
/// The key is a random UUID in quotes, as the draft demands, and the same in all attempts of a call. A request that
/// already has a key keeps it: so you can repeat an operation in a later call, or send a key without quotes.
///
/// ``RetryInterceptor`` repeats requests with a key: put this interceptor before it, and use it only for servers that
/// honour the key. Identical calls do not share an exchange, since each call is a separate operation.
public struct IdempotencyKeyInterceptor: InterceptorProtocol {
    /// True.
    public var runsInCallersTask: Bool { true }

    private let hasKey: @Sendable (URLRequest) -> Bool
    private let random: @Sendable () -> UInt64

    init(
        where hasKey: @escaping @Sendable (URLRequest) -> Bool = { _ in true },
        random: @escaping @Sendable () -> UInt64 = TraceContext.random
    ) {
        self.hasKey = hasKey
        self.random = random
    }

    /// Adds the key and passes the request on; rethrows the errors of `next`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        guard request.httpMethod == "POST" || request.httpMethod == "PATCH",
            request.value(forHTTPHeaderField: "Idempotency-Key") == nil, hasKey(request)
        else { return try await next(request) }
        let keys = RequestContext.current.kept(for: Self.self) { Locked<[String: String]>([:]) }
        // Another interceptor may send a different operation in the same call, such as a sign-in.
        let operation = "\(request.httpMethod ?? "") \(request.url?.absoluteString ?? "")"
        let key = keys.withLock { keys in
            let key = keys[operation] ?? "\"\(UUID(from: random).uuidString.lowercased())\""
            keys[operation] = key
            return key
        }
        return try await next(request.setting(header: .idempotencyKey(key)))
    }
}

extension InterceptorProtocol where Self == IdempotencyKeyInterceptor {
    /// An interceptor that gives each POST and PATCH its own key.
    public static var idempotencyKey: IdempotencyKeyInterceptor { IdempotencyKeyInterceptor() }

    /// An interceptor that gives each POST and PATCH its own key.
    ///
    /// - Parameter hasKey: Returns whether a POST or PATCH gets a key; by default, all do.
    /// - Returns: The interceptor.
    public static func idempotencyKey(
        where hasKey: @escaping @Sendable (URLRequest) -> Bool = { _ in true }
    ) -> IdempotencyKeyInterceptor {
        IdempotencyKeyInterceptor(where: hasKey)
    }
}

extension UUID {
    /// Creates a random UUID (RFC 9562 §5.4) from a source of random numbers.
    init(from random: () -> UInt64) {
        let numbers = (random() & ~0xF000 | 0x4000, random() & ~(3 << 62) | 1 << 63)
        self = withUnsafeBytes(of: (numbers.0.bigEndian, numbers.1.bigEndian)) { bytes in
            UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        }
    }
}
