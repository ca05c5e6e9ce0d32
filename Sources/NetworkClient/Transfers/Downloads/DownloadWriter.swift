import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The file of a download, from the moment that it is opened until it is at its destination or left.
///
/// Used by one task at a time, but for ``resumeToken`` and ``willEnd()``. Nothing is read or written while the lock is
/// held.
final class DownloadWriter: Sendable {
    private let url: URL
    private let token: ResumeToken?
    private let isKept: Bool
    private let state: Locked<DownloadState>

    init(_ url: URL, resuming token: ResumeToken?, isKept: Bool) {
        self.url = url
        self.token = token
        self.isKept = isKept
        state = Locked(DownloadState(left: token))
    }

    var resumeToken: ResumeToken? { isKept ? state.withLock { $0.token } : nil }

    var count: Int { state.withLock { $0.file?.count ?? 0 } }

    /// Whether the file holds all bytes that there are.
    var isComplete: Bool {
        get { state.withLock { $0.isComplete } }
        set { state.withLock { $0.isComplete = newValue } }
    }

    var hasAsked: Bool { state.withLock { $0.hasAsked } }

    func held(isOpen: Bool) -> DownloadPlan.Held {
        state.withLock { state in
            DownloadPlan.Held(
                count: state.file?.count ?? 0,
                validator: state.validator,
                total: state.total,
                hasAsked: state.hasAsked,
                isOpen: isOpen
            )
        }
    }

    /// What a request has to ask for if the file is not to be begun anew.
    func ask(_ canContinue: Bool) -> (count: Int, validator: Validator)? {
        state.withLock { state in
            let count = state.file?.count ?? 0
            let rest = state.validator.flatMap { canContinue && count > 0 ? (count, $0) : nil }
            state.hasAsked = rest != nil
            return rest
        }
    }

    /// Has the next request ask for all bytes.
    func forget() {
        state.withLock { state in
            state.validator = nil
            state.total = nil
        }
    }

    /// False if another attempt is writing: two at once would write over each other.
    func beginTaking() -> Bool {
        state.withLock { state in
            defer { state.isTaking = true }
            state.isComplete = false
            return !state.isTaking
        }
    }

    func endTaking() {
        state.withLock { $0.isTaking = false }
    }

    /// Has the file end where the part begins.
    ///
    /// Bytes of another state of the resource go to another file: somebody may have a token for those that have come.
    func begin(_ part: DownloadPart) throws {
        let isSameState = state.withLock { $0.validator == part.validator && part.validator != nil }
        if part.start == 0, !isSameState { try beginAnew() }
        try change { file in try file.cut(to: part.start) }
        state.withLock { state in
            state.validator = part.validator
            state.total = part.total
        }
    }

    /// Adds bytes, and returns how many there are then.
    func append(_ chunk: Data) throws -> Int {
        try change { file in
            try file.append(chunk)
            return file.count
        }
    }

    func open() async throws -> DownloadDestination {
        do {
            let destination = try DownloadDestination(url)
            let left = try await openLeft(at: destination)
            let file = try left ?? PartialFile(for: destination)
            let isEnding = state.withLock { state in
                state.file = file
                state.left = nil
                if left != nil, let token {
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

    /// Moves the file to its destination; if an interceptor supplied the final response, with its body in place of the
    /// bytes received.
    func land(_ data: Data, at destination: DownloadDestination) async throws {
        do {
            if !data.isEmpty || !isComplete {
                forget()
                try beginAnew()
                _ = try append(data)
            }
            guard let file = state.withLock({ $0.file }) else { throw POSIXError(.EBADF) }
            do {
                try await file.finish()
            } catch {
                // Nobody knows which of the bytes are on the disk.
                forget()
                throw error
            }
            try file.land(at: destination)
            state.withLock { state in
                state.isComplete = true
                state.file = nil
            }
        } catch {
            // All bytes are there, and may be given a name another time.
            isComplete = false
            throw Self.notWritten(error)
        }
    }

    /// Closes the file, which is removed unless somebody may go on with it.
    ///
    /// A file that is complete is kept if the download was cancelled before it could land, but not if an interceptor
    /// threw: then it objects to the bytes.
    func leave(after error: (any Error)? = nil) {
        let (file, isLeft) = state.withLock { state in
            defer { state.file = nil }
            guard state.file != nil else { return (nil as PartialFile?, true) }
            if isKept { state.left = error is CancellationError ? state.remaining : state.token }
            return (state.file, state.left != nil)
        }
        if !isLeft { file?.remove() }
    }

    /// Has a download that resumes this one wait until the file is closed.
    func willEnd() {
        let file = state.withLock { state in
            state.isEnding = true
            return state.file
        }
        file?.willClose()
    }

    /// The file that the token names; nil if there is none, or another download writes it.
    private func openLeft(at destination: DownloadDestination) async throws -> PartialFile? {
        guard let token, token.isUsable else { return nil }
        do {
            return try await PartialFile(left: token.partialFileName, for: destination)
        } catch let error as CancellationError {
            throw error
        } catch {
            return nil
        }
    }

    /// Replaces a file that is not empty by a new one.
    private func beginAnew() throws {
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
        default: NetworkClient.Error.requestError(type: TransportError(.fileNotWritten, underlying: error))
        }
    }
}

/// What has come of a download, and how to go on with it.
private struct DownloadState: Sendable {
    /// Written without the lock, by the one task that takes a body.
    var file: PartialFile?
    var validator: Validator?
    var total: Int?
    /// Whether the last request asked for the remaining bytes.
    var hasAsked = false
    var isTaking = false
    var isComplete = false
    /// Whether the download was cancelled.
    var isEnding = false
    /// How to go on with a file that the download has left, or has not opened yet.
    var left: ResumeToken?

    init(left: ResumeToken?) {
        self.left = left
    }

    var token: ResumeToken? {
        if let left { return left }
        return isComplete ? nil : remaining
    }

    /// How to go on with the file, even if it is complete.
    var remaining: ResumeToken? {
        guard let file, file.count > 0, let validator else { return nil }
        let name = file.url.lastPathComponent
        return ResumeToken(partialFileName: name, validator: validator.value, total: total)
    }
}
