public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension NetworkClient {
    /// Begins to receive the body of an answer into a file.
    ///
    /// The bytes go to a hidden file beside the destination, which takes the destination's name when it is complete, in
    /// one step and in place of a file that is there. Otherwise nothing is left, unless the download is resumable: then
    /// what has come stays, and ``Download/resumeToken`` says how to go on, in this launch or a later one.
    ///
    /// When an interceptor sends the request again, such as after a connection was lost, only what is missing is asked
    /// for, if the server has named the state of the resource by a strong `ETag` or a `Last-Modified` (RFC 9110 §14).
    /// If the resource has changed meanwhile, it is received from the beginning.
    ///
    /// Compression is not asked for, so that the file is what the server has. A request with a `Range` of its own gets
    /// what the server answers to that.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - destination: A `file:` URL in a folder that exists.
    ///   - token: What an earlier download to the same destination left; it is begun anew if that is not there any
    ///     more.
    ///   - isResumable: Whether what has come is kept if not all of it comes; a download with a token is resumable too.
    ///   - options: What differs from the client's configuration for this call; a body limit does not hold.
    /// - Returns: The download; its value is the head of the answer with the destination. It throws
    ///   ``TransportError/Reason/fileNotWritten`` where the destination cannot be written, before anything is sent.
    public func download(
        request: URLRequest,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Download {
        let body = DownloadedBody(destination, resuming: token, isKept: isResumable || token != nil)
        return Download(body) {
            let answer = try await body.begin { try await self.perform(request, options, .taken(body)).0 }
            return Response(item: destination, head: answer.head)
        }
    }
}
