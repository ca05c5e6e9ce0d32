#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension NetworkClient {
    /// Sends a request and decodes the answer, off the caller's actor.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: What differs from the client's configuration for this call.
    /// - Returns: The decoded value and the head of the answer.
    /// - Throws: ``NetworkClient/Error``; what the error mapper or an interceptor throws; `CancellationError` if the
    ///   task was cancelled or ``cancelAll()`` was called. A redirect and a 1xx answer are *not* errors.
    public func fetch<D: Decodable>(
        request: URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> Response<D> {
        let (result, settings) = try await perform(request, options)
        return Response(item: try Self.decode(result, with: settings.decoder), httpResponse: result.response)
    }

    /// Sends a request whose answer needs no decoding; its body, if any, is dropped.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: What differs from the client's configuration for this call.
    /// - Returns: The head of the answer.
    /// - Throws: As the form that decodes, but for decoding errors.
    @discardableResult
    public func fetch(request: URLRequest, options: CallOptions = CallOptions()) async throws -> Response<Void> {
        let (result, _) = try await perform(request, options)
        return Response(item: (), httpResponse: result.response)
    }

    private static func decode<D: Decodable>(_ result: ChainResult, with decoder: any DecoderProtocol) throws -> D {
        if let empty = EmptyResponse() as? D { return empty }
        do {
            return try decoder.decode(data: result.data, response: result.response)
        } catch let error as DecodingError {
            throw Error.decodingError(type: UndecodableAnswer.name(result.response, in: error))
        }
    }
}
