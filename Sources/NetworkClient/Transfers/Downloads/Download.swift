public import Foundation

/// A download that has begun: how far it is, what comes of it, how to stop it, and how to go on with it later.
///
/// The download goes on as long as somebody has this handle. Dropping the handle, ``cancel()``, and cancelling a task
/// that waits for ``value`` stop it. A loop over ``progress`` that begins when nobody has the handle any more takes its
/// place: then leaving the loop stops the download.
///
/// ```swift
/// let download = client.download(request: request, to: fileURL)
/// for await progress in download.progress { print(progress.fraction ?? 0) }
/// print(try await download.value.statusCode)
/// ```
public final class Download: Sendable {
    private let body: DownloadedBody
    private let transfer: Transfer<NetworkClient.Response<URL?>>

    init(_ body: DownloadedBody, _ operation: @escaping @Sendable () async throws -> NetworkClient.Response<URL?>) {
        self.body = body
        transfer = Transfer(body.board, operation)
    }

    /// The bytes in the file, whenever their number changes; those that were there before a download was resumed
    /// included.
    public var progress: TransferProgress.Updates { transfer.progress }

    /// Waits for the end and returns the response, to anybody who asks.
    ///
    /// Its item is the destination if the body of the response is there. It is nil if nothing was written, because the
    /// response does not carry the resource although its status is accepted: any status but 200, 203 and 206, such as
    /// 204, or 304 for a request with `If-None-Match`; and any response to HEAD. Then a file at the destination is
    /// unchanged.
    ///
    /// ```swift
    /// let options = CallOptions(acceptedStatuses: .successful.and(304))
    /// let download = client.download(request: request, to: fileURL, options: options)
    /// if try await download.value.item == nil { print("not modified") }
    /// ```
    ///
    /// Throws ``NetworkClient/Error``, what the error mapper or an interceptor throws, and `CancellationError` if the
    /// download was cancelled.
    public var value: NetworkClient.Response<URL?> {
        get async throws { try await transfer.value }
    }

    /// How to go on with the bytes that have been received.
    ///
    /// Nil as long as there are none, if the server has not named the state of the resource, when the file is at its
    /// destination, and for a download that is not resumable. A token is for the bytes that it was made for: if the
    /// server sends another state of the resource, an older token leads to a download from the beginning.
    public var resumeToken: ResumeToken? { body.resumeToken }

    /// Stops it; without effect when it is over.
    public func cancel() {
        transfer.cancel()
    }
}
