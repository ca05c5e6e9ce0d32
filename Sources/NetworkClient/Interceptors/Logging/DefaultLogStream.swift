#if canImport(os)
import Foundation
import os
#endif

/// The system's log: the unified log on Apple platforms, standard error elsewhere.
///
/// Records are public in the unified log, since they are masked before they get there. Its store keeps the first 1,024
/// bytes of a record; a live view shows all of it.
///
/// A separate thread writes to standard error, so that a log that nobody reads stops no call, and one whose
/// reader is gone does not end the process. Records keep their order, and records of concurrent calls do not mix.
/// Beyond a mebibyte that waits to be read, records are lost, and a line says how many. A process that exits waits at
/// most half a second for the records that are left; one that is killed or crashes loses them.
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
    private let writer: LogWriter

    /// Makes a stream; all of them lead to the same place.
    public init() {
        self.init(writer: .standardError)
    }

    init(writer: LogWriter) {
        self.writer = writer
    }

    /// Writes one record.
    ///
    /// - Parameters:
    ///   - message: The record.
    ///   - type: How serious it is, which does not show.
    public func log(_ message: String, for type: LogType) {
        writer.write(message)
    }
    #endif

    /// Whether both lead to one place.
    func isSame(as other: DefaultLogStream) -> Bool {
        #if canImport(os)
        true
        #else
        writer === other.writer
        #endif
    }
}

extension LogStream where Self == DefaultLogStream {
    /// The system's log.
    public static var `default`: DefaultLogStream { DefaultLogStream() }
}
