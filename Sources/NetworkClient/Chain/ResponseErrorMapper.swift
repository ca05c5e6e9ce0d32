public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Replaces the errors of a server by custom errors.
///
/// The mapper is outermost: interceptors see ``NetworkClient/Error/apiError(response:data:)``, and the caller sees the
/// error that the mapper returns. Other failures (no network, a body that cannot be decoded) do not pass through it,
/// nor do errors that an interceptor throws, such as the `apiError` of a call that it made with another client.
///
/// ```swift
/// struct SignInRequired: Error {}
///
/// let mapper = ResponseErrorMapper { info in
///     guard info.response.statusCode == 401 else { return info.error }
///     return SignInRequired()
/// }
/// ```
public struct ResponseErrorMapper: Sendable {
    /// A response that was not accepted.
    public struct Info: Sendable {
        /// The library's error, whose `getError()` decodes the body.
        public let error: NetworkClient.Error

        /// The status and the header fields.
        public let response: HTTPURLResponse

        /// The body of the response.
        public let data: Data

        /// Creates the description of a response that was not accepted.
        public init(response: HTTPURLResponse, data: Data) {
            error = .apiError(response: response, data: data)
            self.response = response
            self.data = data
        }
    }

    private let transform: (@Sendable (Info) async -> any Error)?

    /// Creates a mapper from a closure.
    ///
    /// - Parameter map: Returns the error for the caller; `info.error` leaves it unchanged.
    public init(_ map: @escaping @Sendable (Info) async -> any Error) {
        transform = map
    }

    /// A mapper that leaves every error unchanged.
    public static let `default` = ResponseErrorMapper()

    private init() {
        transform = nil
    }

    /// Whether the mapper may suspend.
    var mayWait: Bool { transform != nil }

    func map(_ info: Info) async -> any Error {
        await transform?(info) ?? info.error
    }
}
