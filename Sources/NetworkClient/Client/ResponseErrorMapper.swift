public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Turns the server's errors into errors of your own.
///
/// It runs outermost: interceptors see ``NetworkClient/Error/apiError(response:data:)``, the caller sees what the
/// mapper returns. Other failures (no network, a body that does not decode) do not pass through it, nor do errors that
/// an interceptor throws, such as the `apiError` of a call that it made with another client.
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
    /// What a mapper is told of an answer that was not accepted.
    public struct Info: Sendable {
        /// The library's error, whose `getError()` decodes the body.
        public let error: NetworkClient.Error

        /// The head of the answer.
        public let response: HTTPURLResponse

        /// The body of the answer.
        public let data: Data

        /// Describes an answer that was not accepted.
        ///
        /// - Parameters:
        ///   - response: The head of the answer.
        ///   - data: The body of the answer.
        public init(response: HTTPURLResponse, data: Data) {
            error = .apiError(response: response, data: data)
            self.response = response
            self.data = data
        }
    }

    private let transform: (@Sendable (Info) async -> any Error)?

    /// Takes what maps an error.
    ///
    /// - Parameter map: Returns the error that the caller is to get; `info.error` leaves it as it is.
    public init(_ map: @escaping @Sendable (Info) async -> any Error) {
        transform = map
    }

    /// Leaves every error as it is.
    public static let `default` = ResponseErrorMapper()

    private init() {
        transform = nil
    }

    /// Whether it waits for nothing.
    var isPrompt: Bool { transform == nil }

    func map(_ info: Info) async -> any Error {
        await transform?(info) ?? info.error
    }
}
