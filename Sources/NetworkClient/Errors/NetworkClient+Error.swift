public import Foundation
public import NetworkUtilities

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension NetworkClient {
    /// What can go wrong with a call, besides cancellation (`CancellationError`) and what interceptors throw.
    ///
    /// The text is one sentence that names what failed and on what; it never holds a body, a header field, a query, or
    /// a password.
    public enum Error: Swift.Error, Sendable {
        /// The server answered with a status that the call does not accept (by default any but 200…299).
        case apiError(response: HTTPURLResponse, data: Data)

        /// The body of an accepted answer is not what the caller asked for.
        case decodingError(type: DecodingError)

        /// The request names no place that can be reached by HTTP.
        case invalidUrl(originalUrl: String)

        /// What answered is not HTTP, as for a `file:` or `data:` URL.
        case invalidResponse

        /// The body of the request could not be made.
        case encodingError(type: BodyEncodingError)

        /// The exchange with the server failed, or could not begin; `type.reason` tells how.
        case requestError(type: TransportError)
    }
}

extension NetworkClient.Error {
    /// The status of the answer; nil unless this is ``apiError(response:data:)``.
    public var statusCode: Int? {
        guard case .apiError(let response, _) = self else { return nil }
        return response.statusCode
    }

    /// The response that failed the call: of ``apiError(response:data:)`` and ``decodingError(type:)``; nil otherwise.
    public var response: HTTPURLResponse? {
        if case .apiError(let response, _) = self { return response }
        return undecodable?.response
    }

    /// The body of that response; of ``decodingError(type:)`` no more than the first mebibyte.
    public var data: Data? {
        if case .apiError(_, let data) = self { return data }
        return undecodable?.data
    }

    /// The cause of the failure, if it has one: for ``decodingError(type:)`` the error of a parser or an initialiser,
    /// for ``requestError(type:)`` the error of the layer below.
    public var underlyingError: (any Swift.Error)? {
        switch self {
        case .requestError(let error): error.underlying
        case .decodingError(let error): undecodable.map(\.underlyingError) ?? error.context?.underlyingError
        default: nil
        }
    }

    private var undecodable: UndecodableResponse? {
        guard case .decodingError(let error) = self else { return nil }
        return error.context?.underlyingError as? UndecodableResponse
    }

    /// Decodes the body of the answer that was not accepted.
    ///
    /// - Parameter decoder: What decodes it; without one, the decoder of the call that failed.
    /// - Returns: The value; nil if there is no body of that form, or no answer at all.
    public func getError<T: Decodable>(using decoder: (any DecoderProtocol)? = nil) -> T? {
        guard case .apiError(let response, let data) = self else { return nil }
        let decoder = decoder ?? (response as? ReceivedResponse)?.decoder ?? DefaultDecoder()
        return try? decoder.decode(data: data, response: response)
    }
}

extension NetworkClient.Error: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, LocalizedError
{
    /// One sentence: what failed, and on what.
    public var description: String {
        switch self {
        case .apiError(let response, _):
            let place = response.url.map { " to '\(TransportError.place(of: $0))'" } ?? ""
            return "The server answered \(response.statusCode)\(place), which the call does not accept."
        case .decodingError(let error): return Self.sentence(for: error)
        case .invalidUrl(let url): return "The URL \(Self.shown(url).debugDescription) cannot be reached by HTTP."
        case .invalidResponse: return "What answered is not an HTTP server."
        case .encodingError(let error): return error.description
        case .requestError(let error): return error.description
        }
    }

    /// The same sentence.
    public var debugDescription: String { description }

    /// The same sentence.
    public var errorDescription: String? { description }

    /// A mirror without children, so that `dump` shows no body either.
    public var customMirror: Mirror { Mirror(self, children: []) }

    private static func sentence(for error: DecodingError) -> String {
        let undecodable = error.context?.underlyingError as? UndecodableResponse
        let text = DecodingErrorText(error, cause: undecodable?.underlyingError).description
        guard let response = undecodable?.response, let url = response.url else { return text }
        let reason = text.prefix(1).lowercased() + text.dropFirst()
        return "The answer \(response.statusCode) of '\(TransportError.place(of: url))' does not decode: \(reason)"
    }

    private static func shown(_ url: String) -> String {
        if let url = URL(string: url) { return TransportError.place(of: url) }
        // What is no URL has no parts that could be told apart, so a password may end anywhere before the last `@`.
        let start = url.lastIndex(of: "@").map(url.index(after:)) ?? url.startIndex
        return String(url[start...].prefix { $0 != "?" && $0 != "#" })
    }
}

extension NetworkClient.Error: SelfDescribingError {}

extension NetworkLogEvent.Stage {
    /// The outcome of a call that threw an error.
    ///
    /// A response whose status is not accepted is a response all the same.
    init(of error: any Swift.Error) {
        if case NetworkClient.Error.apiError(let response, let data) = error {
            self = .answered(response: response, data: data)
        } else {
            self = .failed(error)
        }
    }
}
