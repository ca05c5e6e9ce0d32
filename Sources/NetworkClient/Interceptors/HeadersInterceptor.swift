/// Adds header fields to every request, as defaults or as replacements of the request's fields.
///
/// ```swift
/// let client = NetworkClient(interceptors: [
///     .headers([.language(value: "el"), .custom(name: "X-App-Version", value: "1.2")])
/// ])
/// ```
public struct HeadersInterceptor: InterceptorProtocol {
    /// The treatment of a field that the request has already.
    public enum Mode: Sendable {
        /// The request's field is kept: the interceptor's fields are defaults.
        case keeping

        /// The request's field is replaced.
        case replacing

        /// The value is appended to the request's field, as in `v1,v2`. A field that can have one value only, such as
        /// `Authorization`, is replaced.
        case adding
    }

    private let mode: Mode
    /// Whether the fields are known when the interceptor is created, so that no closure has to be awaited.
    public let runsInCallersTask: Bool
    private let fields: @Sendable () async throws -> [HeaderField]

    init(_ fields: [HeaderField], mode: Mode = .keeping) {
        self.mode = mode
        self.fields = { fields }
        runsInCallersTask = true
    }

    /// Creates an interceptor that calls a closure for the fields of each attempt to send a request.
    ///
    /// - Parameters:
    ///   - mode: The treatment of a field that the request has already.
    ///   - fields: Returns the fields; an error of the closure reaches the caller, and the request is not sent.
    public init(mode: Mode = .keeping, fields: @escaping @Sendable () async throws -> [HeaderField]) {
        self.mode = mode
        self.fields = fields
        runsInCallersTask = false
    }

    /// Adds the fields and passes the request on; rethrows the errors of the closure and of `next`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        var request = request
        for field in try await fields() {
            switch mode {
            case .keeping: if request.value(forHTTPHeaderField: field.name) == nil { request.set(header: field) }
            case .replacing: request.set(header: field)
            case .adding: request.add(header: field)
            }
        }
        return try await next(request)
    }
}

extension InterceptorProtocol where Self == HeadersInterceptor {
    // Without this, `[.headers]` (no parentheses) gets "failed to produce diagnostic".
    // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
    @available(*, unavailable, message: "write the fields: .headers([\"X-Name\": value])")
    public static var headers: HeadersInterceptor { fatalError() }

    /// An interceptor that adds fixed header fields to every request.
    public static func headers(
        _ fields: [HeaderField],
        mode: HeadersInterceptor.Mode = .keeping
    ) -> HeadersInterceptor {
        HeadersInterceptor(fields, mode: mode)
    }

    /// An interceptor that adds fixed header fields with any names to every request; a value that is nil adds none.
    public static func headers(
        _ fields: [String: String?],
        mode: HeadersInterceptor.Mode = .keeping
    ) -> HeadersInterceptor {
        HeadersInterceptor(HeaderField.fields(fields), mode: mode)
    }

    /// An interceptor that adds the fields of a block, which is run once, immediately.
    ///
    /// Two fields with one name in the block become one, `v1,v2`, or the last one if the field can have one value only.
    /// For fields that change from request to request use ``HeadersInterceptor/init(mode:fields:)``.
    public static func headers(
        mode: HeadersInterceptor.Mode = .keeping,
        @HeaderFieldsBuilder _ fields: () throws -> [HeaderField]
    ) rethrows -> HeadersInterceptor {
        HeadersInterceptor(HeaderField.joined(try fields()), mode: mode)
    }
}
