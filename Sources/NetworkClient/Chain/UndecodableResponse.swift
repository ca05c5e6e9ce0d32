public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// The response whose body could not be decoded: the `underlyingError` in the context of the `DecodingError` of
/// ``NetworkClient/Error/decodingError(type:)``.
///
/// ``NetworkClient/Error/response``, ``NetworkClient/Error/data`` and ``NetworkClient/Error/underlyingError`` read it.
public struct UndecodableResponse: Error, Sendable {
    /// The status and the header fields.
    public let response: HTTPURLResponse

    /// The first mebibyte of the body.
    public let data: Data

    /// The underlying error of the decoding error, from the parser or an initialiser; nil if there was none.
    public let underlyingError: (any Error)?

    private static let maximumLength = 1 << 20

    /// Returns the error with the response in its context.
    static func adding(_ response: HTTPURLResponse, _ data: Data, to error: DecodingError) -> DecodingError {
        func adding(to context: DecodingError.Context) -> DecodingError.Context {
            let response = UndecodableResponse(
                response: response,
                data: data.count > maximumLength ? Data(data.prefix(maximumLength)) : data,
                underlyingError: context.underlyingError
            )
            return DecodingError.Context(
                codingPath: context.codingPath,
                debugDescription: context.debugDescription,
                underlyingError: response
            )
        }
        switch error {
        case .typeMismatch(let type, let context): return .typeMismatch(type, adding(to: context))
        case .valueNotFound(let type, let context): return .valueNotFound(type, adding(to: context))
        case .keyNotFound(let key, let context): return .keyNotFound(key, adding(to: context))
        case .dataCorrupted(let context): return .dataCorrupted(adding(to: context))
        @unknown default: return error
        }
    }
}

extension UndecodableResponse: CustomStringConvertible, CustomReflectable {
    /// The status and the URL, without query, header fields or body.
    public var description: String {
        let place = response.url.map { " of '\(TransportError.place(of: $0))'" } ?? ""
        return "UndecodableResponse (\(response.statusCode)\(place))"
    }

    /// A mirror without children, so that `dump` shows no body.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DecodingError {
    /// The context of the error; nil for a case that this version does not know.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }
}

extension TransportResponse {
    /// Decodes a complete body; the error of a body that cannot be decoded has the response in its context.
    func decoded<D: Decodable>(by decoder: any DecoderProtocol) throws -> D {
        // Compares the types first, since a cast that fails costs more than the rest of this function.
        let isEmpty = D.self == EmptyResponse.self || D.self == EmptyResponse?.self
        if isEmpty, let empty = EmptyResponse() as? D { return empty }
        do {
            // The default decoder reads the head without an HTTPURLResponse, which is expensive to create.
            if let decoder = decoder as? DefaultDecoder {
                return try decoder.decode(data: body.data, contentType: head.value(of: "Content-Type"))
            }
            return try decoder.decode(data: body.data, response: response)
        } catch let error as DecodingError {
            let error = UndecodableResponse.adding(response, body.data, to: error)
            throw NetworkClient.Error.decodingError(type: error)
        }
    }
}
