import Foundation

#if canImport(os)
import os
#endif

/// The system's log: the unified log on Apple platforms, standard error elsewhere.
///
/// Records are public in the unified log, since they are masked before they get there. Its store keeps the first 1,024
/// bytes of a record; a live view shows all of it. On standard error one record is one write, so that records of
/// concurrent calls do not mix.
public struct DefaultLogStream: LogStream {
    #if canImport(os)
    private static let subsystem = Bundle.main.bundleIdentifier ?? "NetworkClient"

    /// Makes a stream; all of them lead to the same place.
    public init() {}

    /// Writes one record.
    ///
    /// - Parameters:
    ///   - message: The record.
    ///   - type: How serious it is: `warning` is written as an error, `critical` as a fault.
    public func log(_ message: String, for type: LogType) {
        let level: OSLogType =
            switch type {
            case .info: .default
            case .warning: .error
            case .critical: .fault
            }
        let log = OSLog(subsystem: Self.subsystem, category: "NetworkClient")
        os_log("%{public}@", log: log, type: level, message)
    }
    #else
    private static let standardError = Locked(FileHandle.standardError)

    private let output: Locked<FileHandle>

    /// Makes a stream; all of them lead to the same place.
    public init() {
        output = Self.standardError
    }

    /// Makes a stream to another file.
    init(output: sending FileHandle) {
        self.output = Locked(output)
    }

    /// Writes one record.
    ///
    /// - Parameters:
    ///   - message: The record.
    ///   - type: How serious it is, which does not show.
    public func log(_ message: String, for type: LogType) {
        let record = Data((message + "\n").utf8)
        // Nobody is left to tell about a log that cannot be written.
        output.withLock { try? $0.write(contentsOf: record) }
    }
    #endif
}

extension LogStream where Self == DefaultLogStream {
    /// The system's log.
    public static var `default`: DefaultLogStream { DefaultLogStream() }
}
