/// Several interceptors in one: the request passes them in their order, and the response in the reverse order.
///
/// ```swift
/// extension InterceptorProtocol where Self == InterceptorStack {
///     static var usual: Self {
///         InterceptorStack([.headers([.language(value: "el")]), .logging()])
///     }
/// }
///
/// let client = NetworkClient(interceptors: [.usual, .noOp])
/// ```
///
/// A client replaces the stack with its members, so that the stack itself costs nothing.
public struct InterceptorStack: InterceptorProtocol {
    /// The interceptors, in the order in which requests pass them.
    public let members: [any InterceptorProtocol]

    /// Creates a stack; stacks inside it are replaced by their members.
    public init(_ members: [any InterceptorProtocol]) {
        self.members = Self.flattened(members)
    }

    /// Whether this is true of all members.
    public var runsInCallersTask: Bool { members.allSatisfy(\.runsInCallersTask) }

    /// The names of all members.
    public var sensitiveHeaders: [String] { members.flatMap(\.sensitiveHeaders) }

    /// Replaces stacks with their members.
    static func flattened(_ interceptors: [any InterceptorProtocol]) -> [any InterceptorProtocol] {
        guard interceptors.contains(where: { $0 is InterceptorStack }) else { return interceptors }
        return interceptors.flatMap { ($0 as? InterceptorStack)?.members ?? [$0] }
    }

    /// Passes the request through the members, and then to `next`.
    public func process(
        _ request: URLRequest,
        next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        try await proceed(request, from: 0, next)
    }

    private func proceed(
        _ request: URLRequest,
        from index: Int,
        _ next: NetworkClient.Next
    ) async throws -> NetworkClient.ChainResult {
        guard index < members.count else { return try await next(request) }
        return try await members[index].process(request) { try await proceed($0, from: index + 1, next) }
    }
}
