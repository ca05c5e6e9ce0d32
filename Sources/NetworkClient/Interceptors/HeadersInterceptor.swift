public import NetworkUtilities

#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

/// Gives every request header fields: a client's defaults, or what an interceptor is to have the last word on.
///
/// ```swift
/// let client = NetworkClient(interceptors: [
///     .headers([.language(value: "el"), .custom(name: "X-App-Version", value: "1.2")])
/// ])
/// ```
public struct HeadersInterceptor: InterceptorProtocol {
    /// What happens to a field that the request has already.
    public enum Mode: Sendable {
        /// It stays: the fields are defaults.
        case keeping

        /// It is replaced.
        case replacing

        /// The value is added to it, as in `v1,v2`; it replaces a field that can have one value only, such as
        /// `Authorization`.
        case adding
    }

    private let mode: Mode
    private let isFixed: Bool
    private let fields: @Sendable () async throws -> [HeaderField]

    /// Takes fixed fields.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - mode: What happens to a field that the request has already.
    public init(_ fields: [HeaderField], mode: Mode = .keeping) {
        self.mode = mode
        self.fields = { fields }
        isFixed = true
    }

    /// Takes a closure that gives the fields of each request, and of each attempt to send it.
    ///
    /// - Parameters:
    ///   - mode: What happens to a field that the request has already.
    ///   - fields: Gives the fields; what it throws reaches the caller, and the request is not sent.
    public init(mode: Mode = .keeping, fields: @escaping @Sendable () async throws -> [HeaderField]) {
        self.mode = mode
        self.fields = fields
        isFixed = false
    }

    /// Gives the request its fields.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - next: The rest of the chain.
    /// - Returns: The answer.
    /// - Throws: What the closure and the rest of the chain throw.
    public func process(
        _ request: URLRequest,
        next: @Sendable (URLRequest) async throws -> NetworkClient.ChainResult
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

extension HeadersInterceptor: PromptInterceptor {
    var isPrompt: Bool { isFixed }
}

extension InterceptorProtocol where Self == HeadersInterceptor {
    /// Gives every request fixed header fields.
    ///
    /// - Parameters:
    ///   - fields: The fields.
    ///   - mode: What happens to a field that the request has already.
    /// - Returns: The interceptor.
    public static func headers(
        _ fields: [HeaderField],
        mode: HeadersInterceptor.Mode = .keeping
    ) -> HeadersInterceptor {
        HeadersInterceptor(fields, mode: mode)
    }

    /// Gives every request the fields of a block, which is run once, now.
    ///
    /// Two with one name in the block become one, `v1,v2`, or the last if the field can have one value only. For fields
    /// that change from request to request use ``HeadersInterceptor/init(mode:fields:)``.
    ///
    /// - Parameters:
    ///   - mode: What happens to a field that the request has already.
    ///   - fields: Gives the fields.
    /// - Returns: The interceptor.
    /// - Throws: What the block throws.
    public static func headers(
        mode: HeadersInterceptor.Mode = .keeping,
        @HeaderFieldsBuilder _ fields: () throws -> [HeaderField]
    ) rethrows -> HeadersInterceptor {
        HeadersInterceptor(HeaderField.joined(try fields()), mode: mode)
    }
}
