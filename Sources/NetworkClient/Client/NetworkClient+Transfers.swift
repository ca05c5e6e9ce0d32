public import Foundation
import NetworkUtilities

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension NetworkClient {
    /// Sends a request and returns when the head of an accepted response is received, with a body to be read.
    ///
    /// Interceptors see the head with an empty body; the error of a response that is not accepted has the first
    /// megabyte of its body. The client's body limit does not apply, a total timeout includes the time until the last
    /// byte is received, and the call is never shared. On Apple platforms URLSession withholds a `text/plain` response,
    /// or one without a type, until 512 bytes of it are received.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The head, and the body as `item`.
    /// - Throws: ``NetworkClient/Error``; errors of the error mapper and of interceptors; `CancellationError` if the
    ///   task was cancelled or ``cancelAll()`` was called, which ends the body as well.
    public func stream(
        request: URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> Response<ResponseBody> {
        try await observed(request) { try await stream(request, options, $0) }
    }

    /// Sends the request of an endpoint and returns when the head of an accepted response is received.
    ///
    /// The body is to be read: `value(from:)` of the endpoint is not called. Otherwise as `stream(request:options:)`,
    /// and throws the errors of the endpoint.
    public func stream<E: Endpoint>(_ endpoint: E) async throws -> Response<ResponseBody> {
        try await observed(endpoint) { request, options, call in try await stream(request, options, call) }
    }

    private nonisolated(nonsending) func stream(
        _ request: URLRequest,
        _ options: CallOptions,
        _ call: ObservedCall?
    ) async throws -> Response<ResponseBody> {
        let response = try await perform(request, options, .caller, for: call)
        let channel = response.body.channel
        let id = ObjectIdentifier(channel)
        call?.endsWithBody = true
        // Does not capture the request, whose body would stay in memory as long as that of the response. A call that is
        // observed has it for its report.
        let reading = BodyReading(
            channel,
            of: response.head,
            decoder: decoder(for: options),
            expectedLength: response.head.bodyLength(of: request)
        ) { [calls] error in
            calls.release(id)
            call?.end(error)
        }
        return Response(item: ResponseBody(reading: reading), response)
    }

    /// Starts to send a request, reports the progress of sending its body, and decodes the response.
    ///
    /// A body from a file, a multipart form or a sequence is read while it is sent.
    ///
    /// - Parameters:
    ///   - request: The request with its body; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value is the response that `fetch` would return.
    public func upload<D: Decodable & Sendable>(
        request: URLRequest,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<D>> {
        let type = ResponseType<D>()
        return upload(request, options.accepting(type), { request }, { try $0.decoded(as: type, by: $1) })
    }

    /// Starts to send the request of an endpoint, and reports the progress of sending its body.
    ///
    /// - Parameter endpoint: The endpoint, whose body is read while it is sent.
    /// - Returns: The transfer; its value is the response that `send` would return.
    public func upload<E: Endpoint>(_ endpoint: E) -> Transfer<Response<E.Value>> {
        let board = ProgressBoard()
        return Transfer(board) {
            try await self.observed(self.unmadeRequest) { call in
                let count = { @Sendable in CountingBodySource.counting($0, on: board) }
                return try await self.value(of: endpoint, countBody: count, for: call)
            }
        }
    }

    /// Starts to send a request, reports the progress of sending its body, and ignores the body of the response.
    ///
    /// - Parameters:
    ///   - request: The request with its body; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value is the status and the header fields.
    public func upload(request: URLRequest, options: CallOptions = CallOptions()) -> Transfer<Response<Void>> {
        upload(request, options, { request }, { _, _ in })
    }

    /// Starts to send a file as the body of a request, and decodes the response.
    ///
    /// - Parameters:
    ///   - request: The request; its body is replaced, and its `Content-Type` is kept.
    ///   - file: A regular file, which must not change while it is sent.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value throws `BodySourceError` if the file cannot be opened, and nothing is sent
    ///   then.
    public func upload<D: Decodable & Sendable>(
        request: URLRequest,
        file: URL,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<D>> {
        let type = ResponseType<D>()
        let prepare = { @Sendable in try Self.request(request, sending: file) }
        return upload(request, options.accepting(type), prepare) { try $0.decoded(as: type, by: $1) }
    }

    /// Starts to send a file as the body of a request, and ignores the body of the response.
    ///
    /// - Parameters:
    ///   - request: The request; its body is replaced, and its `Content-Type` is kept.
    ///   - file: A regular file, which must not change while it is sent.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The transfer; its value throws `BodySourceError` if the file cannot be opened, and nothing is sent
    ///   then.
    public func upload(
        request: URLRequest,
        file: URL,
        options: CallOptions = CallOptions()
    ) -> Transfer<Response<Void>> {
        upload(request, options, { try Self.request(request, sending: file) }, { _, _ in })
    }

    private func upload<Value: Sendable>(
        _ request: URLRequest,
        _ options: CallOptions,
        _ prepare: @escaping @Sendable () throws -> URLRequest,
        _ decode: @escaping @Sendable (TransportResponse, any DecoderProtocol) throws -> Value
    ) -> Transfer<Response<Value>> {
        let board = ProgressBoard()
        return Transfer(board) {
            try await self.observed(request) { call in
                let count = { @Sendable in CountingBodySource.counting($0, on: board) }
                let response = try await self.perform(prepare(), options, countBody: count, for: call)
                let item = try self.decode(response, to: request, options, decode)
                return Response(item: item, response)
            }
        }
    }

    private static func request(_ request: URLRequest, sending file: URL) throws -> URLRequest {
        var request = request
        request.httpBodyStream = BodyInputStream(source: try FileBodySource(url: file))
        return request
    }

    /// Starts to receive the body of a response into a file.
    ///
    /// The bytes go to a hidden file beside the destination. When it is complete and on the disk, it replaces the
    /// destination in one step and takes over the permissions of an existing file. After a failure the hidden file is
    /// removed, unless the download is resumable: then ``Download/resumeToken`` continues it, also after a relaunch.
    ///
    /// When an interceptor sends the request again, for example after a lost connection, only the missing bytes are
    /// requested, if the server identified the state of the resource by a strong `ETag` or a `Last-Modified` (RFC 9110
    /// §14); if the resource has changed, it is received from the beginning. If the server sends fewer bytes than
    /// requested, the download requests the others itself: like the hops of redirects, these requests belong to one
    /// attempt, with its credentials and its total timeout. If one fails, as with 401, the interceptors get the error,
    /// and their next attempt continues from there.
    ///
    /// No compression is requested, so that the file is identical to the server's. A request with a `Range` gets
    /// the bytes that the server sends for it. The body limit does not apply.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - destination: A `file:` URL in an existing folder. Symbolic links are followed; folders, devices, pipes and
    ///     sockets are refused.
    ///   - token: The token of an earlier download of the same resource to the same destination. If the bytes of that
    ///     download are missing, this one starts from the beginning; if it was cancelled and has not ended yet, this
    ///     one waits for it.
    ///   - isResumable: Whether an incomplete file is kept; it is always kept if there is a token.
    ///   - options: The settings that differ from the client's configuration.
    /// - Returns: The download; its value is the response, whose item is nil if nothing was written. It throws
    ///   ``TransportError/Reason/fileNotWritten`` if the destination cannot be written, usually before anything is
    ///   sent.
    public func download(
        request: URLRequest,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Download {
        let writer = DownloadWriter(destination, resuming: token, isKept: isResumable || token != nil)
        return Download(writer) {
            try await self.observed(request) { try await self.run(writer, request, options, to: destination, $0) }
        }
    }

    /// Starts to receive the body of an endpoint's response into a file.
    ///
    /// `value(from:)` of the endpoint is not called. Otherwise as the overload with a request.
    ///
    /// - Parameters:
    ///   - endpoint: The endpoint.
    ///   - destination: A `file:` URL in an existing folder.
    ///   - token: The token of an earlier download of the same resource to the same destination.
    ///   - isResumable: Whether an incomplete file is kept; it is always kept if there is a token.
    /// - Returns: The download; its value throws the errors of the endpoint, too.
    public func download<E: Endpoint>(
        _ endpoint: E,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false
    ) -> Download {
        let writer = DownloadWriter(destination, resuming: token, isKept: isResumable || token != nil)
        return Download(writer) {
            try await self.observed(endpoint) { request, options, call in
                try await self.run(writer, request, options, to: destination, call)
            }
        }
    }

    private nonisolated(nonsending) func run(
        _ writer: DownloadWriter,
        _ request: URLRequest,
        _ options: CallOptions,
        to destination: URL,
        _ call: ObservedCall?
    ) async throws -> Response<URL?> {
        let (response, isWritten) = try await writer.run(request) {
            try await self.perform(request, options, .writer(writer), for: call)
        }
        return Response(item: isWritten ? destination : nil, response)
    }
}
