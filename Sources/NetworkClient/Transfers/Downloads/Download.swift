public import Foundation

/// A download that has begun: how far it is, what comes of it, how to stop it, and how to go on with it later.
///
/// It goes on as long as somebody has this handle. Dropping it, ``cancel()``, and cancelling a task that waits for
/// ``value`` stop the download.
///
/// ```swift
/// let download = client.download(request: request, to: fileURL)
/// for await progress in download.progress { print(progress.fraction ?? 0) }
/// print(try await download.value.statusCode)
/// ```
public final class Download: Sendable {
    private let body: DownloadedBody
    private let transfer: Transfer<NetworkClient.Response<URL>>

    init(_ body: DownloadedBody, _ operation: @escaping @Sendable () async throws -> NetworkClient.Response<URL>) {
        self.body = body
        transfer = Transfer(body.board, operation)
    }

    /// How far it is; of one that is resumed, with the bytes of before.
    public var progress: TransferProgress.Updates { transfer.progress }

    /// Waits for the end and returns the head of the answer with the destination, to anybody who asks.
    ///
    /// Throws ``NetworkClient/Error``, what the error mapper or an interceptor throws, and `CancellationError` if the
    /// download was cancelled.
    public var value: NetworkClient.Response<URL> {
        get async throws { try await transfer.value }
    }

    /// How to go on with what has come so far; nil as long as nothing has, if the server has not named the state of the
    /// resource, when all has come, and for a download that is not resumable.
    public var resumeToken: ResumeToken? { body.resumeToken }

    /// Stops it; without effect when it is over.
    public func cancel() {
        transfer.cancel()
    }
}
