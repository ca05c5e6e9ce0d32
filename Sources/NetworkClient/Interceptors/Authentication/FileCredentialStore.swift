/// A store that keeps the token in a file that only the user may read.
///
/// The file is JSON and has the mode 0600 from the beginning; missing folders on its path are created with the mode
/// 0700. A new token is written completely to the disk and then replaces the file in one step. The token is not
/// encrypted: on Apple platforms, a store that uses the Keychain is safer.
///
/// Copies of the store and other processes may use the same file. Only one of them refreshes the token at a time, and
/// the others use its result; removing the file ends the sessions of all. Beside `token.json` there is an empty file
/// `.token.json.lock`, and during a write `.token.json.new`, which the next use of the store removes if the process was
/// killed. On iOS, tvOS, watchOS and visionOS, processes do not wait for each other's refresh, since these systems end
/// an app that is suspended while it holds a lock in a shared container.
///
/// The file must be a regular file of the process's effective user, with a single name: a symbolic link, a hard link, a
/// folder, a device or another user's file is an error that changes nothing.
public struct FileCredentialStore: CredentialStore {
    private let file: URL
    private let path: String

    /// Creates a store; nothing is read or written yet.
    public init(file: URL) {
        self.file = file
        path = file.path
    }

    /// Reads the token; nil if there is no file.
    ///
    /// Also removes the access rights of other users from the file, if it grants any.
    ///
    /// - Throws: ``CredentialFileError``.
    public func load() async throws -> AccessToken? {
        try await DiskFile.offThread {
            sweep()
            return try read()
        }
    }

    /// Replaces the file.
    ///
    /// - Throws: ``CredentialFileError``, with the old file unchanged; `CancellationError`.
    public func save(_ token: AccessToken) async throws {
        try await write { temporary in
            try Self.store(token, in: temporary)
            return true
        }
    }

    /// Removes the file, if there is one.
    ///
    /// - Throws: ``CredentialFileError``; `CancellationError`.
    public func remove() async throws {
        guard DiskFile.exists(at: path) || DiskFile.exists(at: sibling("new").path) else { return }
        try await write { _ in
            try DiskFile.remove(file)
            return false
        }
    }

    /// A number made of the file's identity, length and times; reading it costs one system call.
    public var revision: UInt64? { DiskFile.revision(at: path) }

    /// Replaces or removes the file if it has the old token; otherwise returns false.
    ///
    /// - Throws: ``CredentialFileError``; `CancellationError`.
    public func replace(_ old: AccessToken?, with new: AccessToken?) async throws -> Bool {
        let isReplaced = Locked(false)
        try await write { temporary in
            guard AccessToken.haveSameSecrets(try read(), old) else { return false }
            isReplaced.withLock { $0 = true }
            if let new { try Self.store(new, in: temporary) } else { try DiskFile.remove(file) }
            return new != nil
        }
        return isReplaced.withLock { $0 }
    }

    /// Calls `body` while no other process and no other store for the same file is in this function.
    ///
    /// In a folder that is missing or not writable, `body` is called at once: no process can store a token there.
    ///
    /// - Throws: ``CredentialFileError``; `CancellationError`; the errors of `body`.
    public func withExclusiveAccess<Output: Sendable>(
        _ body: @escaping @Sendable () async throws -> Output
    ) async throws -> Output {
        let held: DiskFile?
        do {
            let url = sibling("lock")
            held = try await wait { try DiskFile.lockedOwn(at: url) }
        } catch let error as POSIXError where Self.codesOfNoWriter.contains(error.code) {
            held = nil
        } catch {
            throw explained(error)
        }
        defer { withExtendedLifetime(held) {} }
        return try await body()
    }

    // MARK: - The file

    private func read() throws -> AccessToken? {
        do {
            let disk = try DiskFile.own(at: file)
            try? disk.makePrivate()
            let length = try disk.length()
            guard length <= Self.maximumLength else { throw CredentialFileError.malformed(url: file) }
            var data = Data(count: length)
            let count = try data.withUnsafeMutableBytes { try disk.read(into: $0, at: 0) }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .secondsSince1970
            return try decoder.decode(AccessToken.self, from: data.prefix(count))
        } catch let error as POSIXError {
            if error.code == .ENOENT { return nil }
            throw CredentialFileError.unreadable(url: file, code: error.code.rawValue)
        } catch is DiskFile.NotOwn {
            throw CredentialFileError.foreign(url: file)
        } catch {
            // The decoder's error may quote the file.
            throw CredentialFileError.malformed(url: file)
        }
    }

    /// Calls `change` with the temporary file, locked and empty, which replaces the file if `change` returns true, and
    /// is removed otherwise.
    private func write(_ change: @escaping @Sendable (_ temporary: DiskFile) throws -> Bool) async throws {
        do {
            try await DiskFile.offThread {
                try DiskFile.checkOwn(at: path)
                try DiskFile.createPrivateFolder(at: file.deletingLastPathComponent().path)
            }
            let url = sibling("new")
            try await wait { () -> Void? in
                guard let temporary = try DiskFile.lockedOwn(at: url, isBrief: true) else { return nil }
                var isMoved = false
                defer { if !isMoved { try? DiskFile.remove(url) } }
                try temporary.truncate(to: 0)
                try DiskFile.checkOwn(at: path)
                guard try change(temporary) else { return () }
                try DiskFile.move(url, to: file)
                isMoved = true
                return ()
            }
        } catch {
            throw explained(error)
        }
    }

    private func explained(_ error: any Error) -> any Error {
        switch error {
        case let error as POSIXError: CredentialFileError.notWritten(url: file, code: error.code.rawValue)
        case is DiskFile.NotOwn: CredentialFileError.foreign(url: file)
        default: error
        }
    }

    private static func store(_ token: AccessToken, in temporary: DiskFile) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        guard let data = try? encoder.encode(token) else { throw POSIXError(.EINVAL) }
        try data.withUnsafeBytes { try temporary.write($0, at: 0) }
        try temporary.writeThrough()
    }

    // MARK: - Locks

    private func sibling(_ name: String) -> URL {
        file.deletingLastPathComponent().appendingPathComponent(".\(file.lastPathComponent).\(name)")
    }

    /// Repeats an operation, off the threads of tasks, until it gets the lock that it needs.
    private func wait<Output: Sendable>(
        _ operation: @escaping @Sendable () throws -> Output?
    ) async throws -> Output {
        while true {
            if let output = try await DiskFile.offThread(operation) { return output }
            // Polls, since the system does not announce an unlocked file; 10 ms are short compared with a request.
            try await SystemTimeSource().sleep(seconds: 0.01)
        }
    }

    /// The error codes for a folder that is missing, not writable or full, so that no process can hold a lock there.
    private static let codesOfNoWriter: Set<POSIXErrorCode> = [.ENOENT, .EROFS, .EACCES, .EPERM, .ENOSPC, .EDQUOT]

    /// Removes the temporary file of a process that was killed while it wrote.
    private func sweep() {
        let url = sibling("new")
        guard DiskFile.exists(at: url.path), let disk = try? DiskFile.lockedOwn(at: url, isBrief: true) else { return }
        withExtendedLifetime(disk) { try? DiskFile.remove(url) }
    }

    private static let maximumLength = 1 << 20
}

/// The error of a ``FileCredentialStore``.
///
/// The text names the file, and contains nothing of its content.
@nonexhaustive
public enum CredentialFileError: Error, Hashable, Sendable {
    /// The system refuses to read the file; the code is its `errno`.
    case unreadable(url: URL, code: Int32)

    /// The file contains something other than a token.
    case malformed(url: URL)

    /// The file is neither read nor written, because it is a link, a folder or a device, has a second name, or belongs
    /// to another user.
    case foreign(url: URL)

    /// The system refuses to write or to remove the file; the code is its `errno`.
    case notWritten(url: URL, code: Int32)
}

extension CredentialFileError: DescribedError {
    /// One sentence that names the file and the reason.
    public var description: String {
        switch self {
        case .unreadable(let url, let code): "The token cannot be read from '\(url.path)' (errno \(code))."
        case .malformed(let url): "The file '\(url.path)' does not contain a token."
        case .foreign(let url): "The token's file '\(url.path)' is not a regular file that belongs to this user alone."
        case .notWritten(let url, let code): "The token cannot be written to '\(url.path)' (errno \(code))."
        }
    }
}
