import Logging
import NetworkClient

/// Writes the records of a client, which are masked already, to swift-log.
struct SwiftLogStream: LogStream {
    let logger: Logger

    func log(_ message: String, for type: LogType) {
        let level: Logger.Level =
            switch type {
            case .debug: .debug
            case .info: .info
            case .warning: .warning
            case .critical: .critical
            }
        logger.log(level: level, "\(message)", source: "NetworkClient")
    }
}
