public import Foundation

/// A store that keeps the token in a file that only the user may read.
///
/// The file is JSON and has the mode 0600 from its first byte; missing folders on its path are created with the mode
/// 0700. A new token replaces the file in one step, after it has reached the disk, so that there is never half of one.
/// The token is not encrypted: on Apple platforms, a store that uses the Keychain is safer.
///
/// Copies, and other processes, may use the same file; of two tokens that are saved at once, one stays.
public struct FileCredentialStore: CredentialStore {
    private let file: URL

    /// Creates a store; nothing is read or written yet.
    public init(file: URL) {
        self.file = file
    }

    /// Reads the token; nil if there is no file.
    ///
    /// Takes back the rights of other users, if the file has any.
    ///
    /// - Throws: ``CredentialFileError``, also for a symbolic link.
    public func load() async throws -> AccessToken? {
        try await DiskFile.offThread { try read() }
    }

    /// Replaces the file.
    ///
    /// - Throws: ``CredentialFileError``; the old file is unchanged then.
    public func save(_ token: AccessToken) async throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = .sortedKeys
        let temporary = file.deletingLastPathComponent().appendingPathComponent(".\(UUID().uuidString).token")
        do {
            let data = try encoder.encode(token)
            let written = try await DiskFile.offThread { try Self.write(data, to: temporary) }
            try await written.synchronize()
            try await DiskFile.offThread { try DiskFile.move(temporary, to: file) }
        } catch {
            try? FileManager.default.removeItem(at: temporary)
            throw CredentialFileError.notWritten(url: file, code: Self.code(of: error))
        }
    }

    /// Removes the file, if there is one.
    ///
    /// - Throws: ``CredentialFileError``.
    public func remove() async throws {
        do {
            try await DiskFile.offThread { try DiskFile.remove(file) }
        } catch {
            throw CredentialFileError.notWritten(url: file, code: Self.code(of: error))
        }
    }

    private func read() throws -> AccessToken? {
        do {
            let disk = try DiskFile.unlocked(at: file)
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
        } catch {
            // The error of the decoder may quote the file.
            throw CredentialFileError.malformed(url: file)
        }
    }

    private static func write(_ data: Data, to url: URL) throws -> DiskFile {
        try DiskFile.createPrivateFolder(at: url.deletingLastPathComponent().path)
        let disk = try DiskFile.new(at: url, isPrivate: true)
        try data.withUnsafeBytes { try disk.write($0, at: 0) }
        return disk
    }

    private static func code(of error: any Error) -> Int32 { ((error as? POSIXError)?.code ?? .EIO).rawValue }

    private static let maximumLength = 1 << 20
}

/// The error of a ``FileCredentialStore``.
///
/// The text names the file, and contains nothing of what is in it.
public enum CredentialFileError: Error, Hashable, Sendable {
    /// The system refuses to read the file; the code is its `errno`.
    case unreadable(url: URL, code: Int32)

    /// The file contains something other than a token.
    case malformed(url: URL)

    /// The system refuses to write or to remove the file; the code is its `errno`.
    case notWritten(url: URL, code: Int32)
}

extension CredentialFileError: CustomStringConvertible, LocalizedError, SelfDescribingError {
    /// One sentence that names the file and the reason.
    public var description: String {
        switch self {
        case .unreadable(let url, let code): "The token cannot be read from '\(url.path)' (errno \(code))."
        case .malformed(let url): "The file '\(url.path)' does not contain a token."
        case .notWritten(let url, let code): "The token cannot be written to '\(url.path)' (errno \(code))."
        }
    }

    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}
