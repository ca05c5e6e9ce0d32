/// A download in flight: its progress, its response, its cancellation, and the token that continues it later.
///
/// The download continues as long as this handle exists. Releasing the handle, ``cancel()``, and cancelling a task that
/// waits for ``value`` stop the download. If a loop over ``progress`` begins after the handle was released, the loop
/// keeps the download running, and leaving the loop stops it.
///
/// ```swift
/// let download = client.download(request, to: fileURL)
/// for await progress in download.progress { print(progress.fraction ?? 0) }
/// print(try await download.value.statusCode)
/// ```
public final class Download: Sendable {
    private let writer: DownloadWriter
    private let transfer: Transfer<NetworkClient.Response<URL?>>

    init(_ writer: DownloadWriter, _ operation: @escaping @Sendable () async throws -> NetworkClient.Response<URL?>) {
        self.writer = writer
        transfer = Transfer(writer.board, operation)
    }

    /// The number of bytes in the file, whenever it changes, including the bytes of an earlier download.
    public var progress: TransferProgress.Updates { transfer.progress }

    /// The response, available as soon as the download has ended; any number of tasks may wait for it.
    ///
    /// Its item is the destination if the body was written. It is nil, and a file at the destination is unchanged, if
    /// the response does not carry the resource although its status is accepted: any status except 200, 203 and 206,
    /// such as 204, or 304 for a request with `If-None-Match`; and any response to HEAD.
    ///
    /// ```swift
    /// let options = CallOptions(acceptedStatuses: .successful.and(304))
    /// let download = client.download(request, to: fileURL, options: options)
    /// if try await download.value.item == nil { print("not modified") }
    /// ```
    ///
    /// Throws ``NetworkClient/Error``, errors of the error mapper and of interceptors, and `CancellationError`.
    public var value: NetworkClient.Response<URL?> {
        get async throws { try await transfer.value }
    }

    /// The token that continues the download with the bytes received so far.
    ///
    /// Nil if there are no bytes, if the server has not identified the state of the resource, if the file is at its
    /// destination, and for a download that is not resumable. If the server later sends another state of the resource,
    /// a download with an older token starts from the beginning.
    public var resumeToken: ResumeToken? { writer.resumeToken }

    /// Stops the download; has no effect after its end.
    public func cancel() {
        transfer.cancel()
    }
}

/// A small `Codable` token that continues an interrupted download, also after a relaunch; it contains no secret.
///
/// A token names a file beside the destination, and the state of the resource that the file's bytes belong to. Delete
/// the file if you give up the download.
public struct ResumeToken: Hashable, Sendable, Codable {
    /// The name of the file that holds the bytes, in the folder of the destination, or of its target if the destination
    /// is a symbolic link.
    public let partialFileName: String

    /// The `ETag` or the `Last-Modified` of the server, sent as `If-Range` (RFC 9110 §13.1.5).
    public let validator: String

    /// The length of the resource in bytes; nil if the server did not state it.
    public let total: Int?

    /// Creates a token, for example from parts that were stored in another format.
    ///
    /// - Parameters:
    ///   - partialFileName: The name of a file that a download left; a file of any other name is not used.
    ///   - validator: The value for `If-Range`.
    ///   - total: The length of the resource in bytes; nil if unknown.
    public init(partialFileName: String, validator: String, total: Int?) {
        self.partialFileName = partialFileName
        self.validator = validator
        self.total = total
    }

    /// Whether the name is the name of a partial file, so that no other file is overwritten, and the validator can be
    /// sent.
    var isUsable: Bool {
        PartialFile.isName(partialFileName)
            && !validator.isEmpty && validator.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
