public import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension NetworkClient {
    /// Begins to send a request, says how far its body has come, and decodes the answer.
    ///
    /// A body from a file, a multipart form or a sequence is read while it is sent.
    ///
    /// - Parameters:
    ///   - request: The request with its body; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: What differs from the client's configuration for this call.
    /// - Returns: The transfer; its value is what `fetch` would return.
    public func upload<D: Decodable & Sendable>(
        request: URLRequest,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<D>> {
        upload(options, { request }, Self.decode)
    }

    /// Begins to send a request whose answer needs no decoding, and says how far its body has come.
    ///
    /// - Parameters:
    ///   - request: The request with its body; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: What differs from the client's configuration for this call.
    /// - Returns: The transfer; its value is the head of the answer.
    public func upload(request: URLRequest, options: CallOptions = CallOptions()) -> Transfer<Response<Void>> {
        upload(options, { request }) { _, _ in }
    }

    /// Begins to send a file as the body of a request, and decodes the answer.
    ///
    /// - Parameters:
    ///   - request: The request; a body that it has is replaced, its `Content-Type` stays.
    ///   - file: A regular file, which must not change while it is sent.
    ///   - options: What differs from the client's configuration for this call.
    /// - Returns: The transfer; its value throws `BodySourceError` if the file cannot be opened, and then nothing is
    ///   sent.
    public func upload<D: Decodable & Sendable>(
        request: URLRequest,
        file: URL,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<D>> {
        upload(options, { try Self.request(request, sending: file) }, Self.decode)
    }

    /// Begins to send a file as the body of a request whose answer needs no decoding.
    ///
    /// - Parameters:
    ///   - request: The request; a body that it has is replaced, its `Content-Type` stays.
    ///   - file: A regular file, which must not change while it is sent.
    ///   - options: What differs from the client's configuration for this call.
    /// - Returns: The transfer; its value throws `BodySourceError` if the file cannot be opened, and then nothing is
    ///   sent.
    public func upload(
        request: URLRequest,
        file: URL,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<Void>> {
        upload(options, { try Self.request(request, sending: file) }) { _, _ in }
    }

    private func upload<Value: Sendable>(
        _ options: CallOptions,
        _ request: @escaping @Sendable () throws -> URLRequest,
        _ decode: @escaping @Sendable (TransportResponse, any DecoderProtocol) throws -> Value
    ) -> Transfer<Response<Value>> {
        let board = ProgressBoard()
        return Transfer(board) {
            let (answer, settings) = try await self.perform(request(), options, sending: board)
            return Response(item: try decode(answer, settings.decoder), head: answer.head)
        }
    }

    private static func request(_ request: URLRequest, sending file: URL) throws -> URLRequest {
        var request = request
        request.httpBodyStream = BodyInputStream(source: try FileBodySource(url: file))
        return request
    }
}
