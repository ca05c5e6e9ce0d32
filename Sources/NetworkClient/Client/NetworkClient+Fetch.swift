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
    ///   - progress: Told how far the body of the answer has come: in order, in steps of some kilobytes, where the
    ///     bytes move, so it must not wait for anything. A call with it is not shared with others.
    /// - Returns: The decoded value and the head of the answer.
    /// - Throws: ``NetworkClient/Error``; what the error mapper or an interceptor throws; `CancellationError` if the
    ///   task was cancelled or ``cancelAll()`` was called. A redirect and a 1xx answer are *not* errors.
    public func fetch<D: Decodable>(
        request: URLRequest,
        options: CallOptions = CallOptions(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> Response<D> {
        let (answer, settings) = try await perform(request, options, progress)
        return Response(item: try Self.decode(answer, with: settings.decoder), head: answer.head)
    }

    /// Sends a request whose answer needs no decoding; its body, if any, is dropped.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: What differs from the client's configuration for this call.
    ///   - progress: Told how far the body of the answer has come, as in the form that decodes.
    /// - Returns: The head of the answer.
    /// - Throws: As the form that decodes, but for decoding errors.
    @discardableResult
    public func fetch(
        request: URLRequest,
        options: CallOptions = CallOptions(),
        progress: (@Sendable (TransferProgress) -> Void)? = nil
    ) async throws -> Response<Void> {
        let (answer, _) = try await perform(request, options, progress)
        return Response(item: (), head: answer.head)
    }

    private nonisolated(nonsending) func perform(
        _ request: URLRequest,
        _ options: CallOptions,
        _ progress: (@Sendable (TransferProgress) -> Void)?
    ) async throws -> (TransportResponse, CallSettings) {
        guard let progress else { return try await perform(request, options) }
        let board = ProgressBoard(progress)
        defer { board.end() }
        let limit = options.bodyLimit ?? configuration.bodyLimit
        return try await perform(request, options, .taken(CollectedBody(board: board, limit: limit)))
    }

    static func decode<D: Decodable>(
        _ answer: TransportResponse,
        with decoder: any DecoderProtocol
    ) throws -> D {
        // Compared first, since a cast that fails costs more than the rest of this.
        let isEmpty = D.self == EmptyResponse.self || D.self == EmptyResponse?.self
        if isEmpty, let empty = EmptyResponse() as? D { return empty }
        do {
            // The library's own decoder can do without Foundation's form of the head.
            if let decoder = decoder as? DefaultDecoder {
                let head = answer.head
                return try decoder.decode(data: answer.body.data, contentType: head.value(of: "Content-Type"))
            }
            return try decoder.decode(data: answer.body.data, response: answer.response)
        } catch let error as DecodingError {
            let error = UndecodableResponse.adding(answer.response, answer.body.data, to: error)
            throw Error.decodingError(type: error)
        }
    }
}
