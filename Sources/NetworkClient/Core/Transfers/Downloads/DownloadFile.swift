/// The file of a download, from opening the partial file until it replaces the destination or is abandoned.
///
/// Used by one task at a time, except for ``resumeToken`` and ``willEnd()``. No file is read or written while the lock
/// is held.
final class DownloadFile: Sendable {
    private let url: URL
    private let token: ResumeToken?
    private let isKept: Bool
    private let state: Locked<DownloadState>

    /// Creates the file of a download, without opening it.
    ///
    /// - Parameters:
    ///   - url: The destination.
    ///   - token: The token of an earlier download.
    ///   - isKept: Whether an incomplete file is kept for another download.
    init(_ url: URL, resuming token: ResumeToken?, isKept: Bool) {
        self.url = url
        self.token = token
        self.isKept = isKept
        state = Locked(DownloadState(abandoned: token))
    }

    var resumeToken: ResumeToken? { isKept ? state.withLock { $0.token } : nil }

    var count: Int { state.withLock { $0.count } }

    /// Whether the file holds all bytes of the resource.
    var isComplete: Bool {
        get { state.withLock { $0.isComplete } }
        set { state.withLock { $0.isComplete = newValue } }
    }

    /// Whether the last request was for the remaining bytes only.
    var hasAsked: Bool { state.withLock { $0.hasAsked } }

    func held(isOpen: Bool) -> DownloadPlan.Held {
        state.withLock { state in
            DownloadPlan.Held(
                count: state.count,
                validator: state.validator,
                total: state.total,
                hasAsked: state.hasAsked,
                isOpen: isOpen
            )
        }
    }

    /// Returns the position and the validator for the request for the remaining bytes; nil if all bytes have to be
    /// requested.
    func ask(_ canContinue: Bool) -> (count: Int, validator: Validator)? {
        state.withLock { state in
            let count = state.count
            let rest = state.validator.flatMap { canContinue && count > 0 ? (count, $0) : nil }
            state.hasAsked = rest != nil
            return rest
        }
    }

    /// Forgets the state of the resource, so that the next request is for all bytes.
    func forgetValidator() {
        state.withLock { state in
            state.validator = nil
            state.total = nil
        }
    }

    /// Begins an attempt; returns false if another attempt is still writing, since the two would overwrite each other's
    /// bytes.
    func beginWriting() -> Bool {
        state.withLock { state in
            defer { state.isWriting = true }
            state.isComplete = false
            return !state.isWriting
        }
    }

    func endWriting() {
        state.withLock { $0.isWriting = false }
    }

    /// Truncates the file to the position where a part begins.
    ///
    /// If the resource has changed, its bytes go to a new file, since there may be a token for the old bytes.
    func begin(_ part: DownloadPart) throws {
        let isSameState = state.withLock { $0.validator == part.validator && part.validator != nil }
        if part.start == 0, !isSameState { try startNewFile() }
        try change { file in try file.cut(to: part.start) }
        state.withLock { state in
            state.validator = part.validator
            state.total = part.total
        }
    }

    /// Appends bytes, and returns the new length of the file.
    func append(_ chunk: Data) throws -> Int {
        try change { file in
            try file.append(chunk)
            return file.count
        }
    }

    /// Opens the partial file of the earlier download, or a new one.
    func open() async throws -> DownloadDestination {
        do {
            let destination = try DownloadDestination(url)
            let earlier = try await earlierFile(for: destination)
            let file = try earlier ?? PartialFile(for: destination)
            let isEnding = state.withLock { state in
                state.file = file
                state.abandoned = nil
                if earlier != nil, let token {
                    state.validator = Validator(value: token.validator)
                    state.total = token.total
                }
                return state.isEnding
            }
            if isEnding { file.willClose() }
            return destination
        } catch {
            throw Self.notWritten(error)
        }
    }

    /// Replaces the destination with the file; if an interceptor supplied another body, it is written instead.
    func commit(_ data: Data, to destination: DownloadDestination) async throws {
        do {
            if !data.isEmpty || !isComplete {
                forgetValidator()
                try startNewFile()
                _ = try append(data)
            }
            guard let file = state.withLock({ $0.file }) else { throw POSIXError(.EBADF) }
            do {
                try await file.finish()
            } catch {
                // It is unknown which bytes have reached the disk.
                forgetValidator()
                throw error
            }
            try file.move(to: destination)
            state.withLock { state in
                state.isComplete = true
                state.file = nil
            }
        } catch {
            // If only the move failed, the file has all bytes, and a later download may commit it. After any other
            // failure there is no validator, so the file is not continued.
            isComplete = false
            throw Self.notWritten(error)
        }
    }

    /// Closes the file, and removes it unless a later download may continue it.
    ///
    /// A complete file is kept if the download was cancelled before `commit`. It is not kept if an interceptor threw an
    /// error, which rejects the bytes.
    func abandon(after error: (any Error)? = nil) {
        let (file, isAbandoned) = state.withLock { state in
            defer { state.file = nil }
            guard state.file != nil else { return (nil as PartialFile?, true) }
            if isKept { state.abandoned = error is CancellationError ? state.remaining : state.token }
            return (state.file, state.abandoned != nil)
        }
        if !isAbandoned { file?.remove() }
        // The queue that synchronised the file may release it a moment later than this task.
        file?.willClose()
    }

    /// Makes a download that resumes this one wait until the file is closed.
    func willEnd() {
        let file = state.withLock { state in
            state.isEnding = true
            return state.file
        }
        file?.willClose()
    }

    /// Opens the file that the token names; returns nil if it does not exist, or another download is writing it.
    private func earlierFile(for destination: DownloadDestination) async throws -> PartialFile? {
        guard let token, token.isUsable else { return nil }
        do {
            return try await PartialFile(left: token.partialFileName, for: destination)
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
    }

    /// Replaces the file with a new one unless it is empty.
    private func startNewFile() throws {
        guard let old = state.withLock({ $0.file }), old.count > 0 else { return }
        do {
            let new = try PartialFile(for: DownloadDestination(url))
            state.withLock { state in
                state.file = new
                state.validator = nil
                state.total = nil
            }
        } catch {
            throw Self.notWritten(error)
        }
        old.remove()
    }

    private func change<Result>(_ body: (inout PartialFile) throws -> Result) throws -> Result {
        do {
            guard var file = state.withLock({ $0.file }) else { throw POSIXError(.EBADF) }
            defer { state.withLock { $0.file = file } }
            return try body(&file)
        } catch let error as POSIXError {
            throw Self.notWritten(error)
        }
    }

    private static func notWritten(_ error: any Error) -> any Error {
        switch error {
        case is NetworkClient.Error, is CancellationError: error
        case let error as TransportError: NetworkClient.Error.requestError(type: error)
        default: NetworkClient.Error.requestError(type: TransportError(unwrittenFile: error))
        }
    }
}

/// The file of a download, and how to continue it.
private struct DownloadState: Sendable {
    /// The open file, whose bytes are written without the lock, by the one task that writes a body.
    var file: PartialFile?
    var validator: Validator?
    var total: Int?
    /// Whether the last request was for the remaining bytes only.
    var hasAsked = false
    var isWriting = false
    var isComplete = false
    /// Whether the download was cancelled.
    var isEnding = false
    /// The token for a file that the download has abandoned, or has not opened yet.
    var abandoned: ResumeToken?

    init(abandoned: ResumeToken?) {
        self.abandoned = abandoned
    }

    var count: Int { file?.count ?? 0 }

    var token: ResumeToken? {
        if let abandoned { return abandoned }
        return isComplete ? nil : remaining
    }

    /// The token for the open file, even if it is complete.
    var remaining: ResumeToken? {
        guard let file, file.count > 0, let validator else { return nil }
        let name = file.url.lastPathComponent
        return ResumeToken(partialFileName: name, validator: validator.value, total: total)
    }
}
