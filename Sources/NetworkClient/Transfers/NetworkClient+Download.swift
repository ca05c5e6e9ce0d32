public import Foundation

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension NetworkClient {
    /// Begins to receive the body of a response into a file.
    ///
    /// The bytes go to a hidden file beside the destination. When it is complete and on the disk, it takes the name of
    /// the destination in one step, and the permissions of a file that is there. If the download fails, nothing is
    /// left, unless it is resumable: then the hidden file stays, and ``Download/resumeToken`` says how to go on with
    /// it, in this launch or a later one.
    ///
    /// When an interceptor sends the request again, such as after a connection was lost, only the missing bytes are
    /// asked for, if the server has named the state of the resource by a strong `ETag` or a `Last-Modified` (RFC 9110
    /// §14). If the resource has changed by then, it is received from the beginning. If the server sends less than it
    /// was asked for, the download asks for the remaining bytes by itself. Like redirects, these requests belong to one
    /// attempt: they have the credentials that the interceptors gave it and share its total timeout. If one fails, as
    /// with 401, the interceptors get the error, and their next attempt goes on from there.
    ///
    /// Compression is not asked for, so that the file is what the server has. A request with a `Range` gets what the
    /// server sends for that. A body limit does not apply.
    ///
    /// - Parameters:
    ///   - request: The request; a URL without a scheme is appended to the configuration's base URL.
    ///   - destination: A `file:` URL in a folder that exists. Symbolic links are followed; a folder, a device, a pipe
    ///     and a socket are refused.
    ///   - token: What an earlier download of the same resource to the same destination left; the download begins anew
    ///     if the bytes are not there any more. If that download was cancelled and is still ending, this one waits.
    ///   - isResumable: Whether an incomplete file is kept; a download with a token is resumable too.
    ///   - options: What differs from the client's configuration for this call.
    /// - Returns: The download; its value is the response, whose item is nil if nothing was written. It throws
    ///   ``TransportError/Reason/fileNotWritten`` if the destination cannot be written, as a rule before anything is
    ///   sent.
    public func download(
        request: URLRequest,
        to destination: URL,
        resuming token: ResumeToken? = nil,
        isResumable: Bool = false,
        options: CallOptions = CallOptions()
    ) -> Download {
        let body = DownloadedBody(destination, resuming: token, isKept: isResumable || token != nil)
        return Download(body) {
            let (response, isWritten) = try await body.begin(request) {
                try await self.perform(request, options, .taken(body)).0
            }
            return Response(item: isWritten ? destination : nil, head: response.head)
        }
    }
}
