#if canImport(os)
import os
#endif

/// The destination of finished records.
///
/// Use ``DefaultLogStream``. To write a stream, implement ``log(_:for:)``: each call passes a whole record, already
/// masked, which may have several lines. It may be called on any thread, several at once.
public protocol LogStream: Sendable {
    /// Writes one record, which has no line break at its end.
    func log(_ message: String, for type: LogType)
}

extension LogStream {
    /// Writes one record of the type ``LogType/info``.
    public func log(_ message: String) {
        log(message, for: .info)
    }
}

/// The system's log: the unified log on Apple platforms, standard error elsewhere.
///
/// Records are public in the unified log, since they are masked before. Its store keeps the first 1,024 bytes of a
/// record; a live view shows the whole record.
///
/// A separate thread writes to standard error, so that a log without a reader never blocks a call, and a closed one
/// does not terminate the process. Records keep their order, and records of concurrent calls do not mix. If more than a
/// mebibyte waits to be read, further records are lost, and a line states how many. On exit the process waits at most
/// half a second for the remaining records; a process that is killed or crashes loses them.
public struct DefaultLogStream: LogStream {
    #if canImport(os)
    private static let subsystem = Bundle.main.bundleIdentifier ?? "NetworkClient"

    /// Creates a stream; all such streams write to the same log.
    public init() {}

    /// Writes one record; a `warning` is logged as an error, and `critical` as a fault.
    public func log(_ message: String, for type: LogType) {
        let level: OSLogType =
            switch type {
            case .debug: .debug
            case .info: .default
            case .warning: .error
            case .critical: .fault
            }
        let log = OSLog(subsystem: Self.subsystem, category: "NetworkClient")
        os_log("%{public}@", log: log, type: level, message)
    }
    #else
    private let writer: LogWriter

    /// Creates a stream; all such streams write to the same log.
    public init() {
        self.init(writer: .standardError)
    }

    init(writer: LogWriter) {
        self.writer = writer
    }

    /// Writes one record; its type does not appear in the log.
    public func log(_ message: String, for type: LogType) {
        writer.write(message)
    }
    #endif

    /// Returns whether both streams write to the same log.
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
