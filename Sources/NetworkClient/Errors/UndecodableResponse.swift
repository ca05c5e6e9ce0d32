public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The response whose body could not be decoded: the `underlyingError` in the context of the `DecodingError` that
/// ``NetworkClient/Error/decodingError(type:)`` has.
///
/// ``NetworkClient/Error/response``, ``NetworkClient/Error/data`` and ``NetworkClient/Error/underlyingError`` read it.
public struct UndecodableResponse: Error, Sendable {
    /// The status and the header fields.
    public let response: HTTPURLResponse

    /// The body, of which no more than the first mebibyte is kept.
    public let data: Data

    /// The underlying error of the decoding error: the parser's or an initialiser's, if there was one.
    public let underlyingError: (any Error)?

    private static let mostBytes = 1 << 20

    /// The same error with the response that it is about.
    static func adding(_ response: HTTPURLResponse, _ data: Data, to error: DecodingError) -> DecodingError {
        func naming(_ context: DecodingError.Context) -> DecodingError.Context {
            let response = UndecodableResponse(
                response: response,
                data: data.count > mostBytes ? Data(data.prefix(mostBytes)) : data,
                underlyingError: context.underlyingError
            )
            return DecodingError.Context(
                codingPath: context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: response
            )
        }
        switch error {
        case .typeMismatch(let type, let context): return .typeMismatch(type, naming(context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, naming(context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, naming(context))
        case .dataCorrupted(let context): return .dataCorrupted(naming(context))
        @unknown default: return error
        }
    }
}

extension UndecodableResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the place, without query, header fields or body.
    public var description: String {
        let place = response.url.map { " of '\(TransportError.place(of: $0))'" } ?? ""
        return "UndecodableResponse (\(response.statusCode)\(place))"
    }

    /// A mirror without children, so that `dump` shows no body.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DecodingError {
    /// The context of the error; nil for a kind that this version does not know.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}
