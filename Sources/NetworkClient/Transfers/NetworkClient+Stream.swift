#if canImport(FoundationNetworking)
public import FoundationNetworking
#else
public import Foundation
#endif

extension NetworkClient {
    /// Sends a request and returns when the head of an accepted response has come, with a body to be read as it comes.
    ///
    /// Interceptors see the head with an empty body; a response that is not accepted is an error with the first
    /// megabyte of its body. The client's limit on bodies does not apply, a total timeout ends with the last byte, and
    /// the call is never shared with others. On Apple platforms URLSession withholds a `text/plain` response, or one
    /// without a type, until 512 bytes of it have come.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - options: What differs from the client's configuration for this call.
    /// - Returns: The head, and the body as `item`.
    /// - Throws: ``NetworkClient/Error``; what the error mapper or an interceptor throws; `CancellationError` if the
    ///   task was cancelled or ``cancelAll()`` was called, which ends the body as well.
    public func stream(
        request: URLRequest,
        options: CallOptions = CallOptions()
    ) async throws -> Response<ResponseBody> {
        let (answer, settings) = try await perform(request, options, .streamed)
        let channel = answer.body.channel
        let id = ObjectIdentifier(channel)
        let head = answer.head
        // Not the request, whose body would stay in memory as long as that of the response.
        let reading = BodyReading(
            channel,
            of: head,
            decoder: settings.decoder,
            expectedLength: head.bodyLength(of: request)
        ) { error in
            Exchange.named(error, head.response.url)
        } onEnd: { [calls] in
            calls.release(id)
        }
        return Response(item: ResponseBody(reading: reading), head: head)
    }
}
