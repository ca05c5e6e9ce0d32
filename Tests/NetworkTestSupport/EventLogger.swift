package import NetworkClient

/// Records the events of calls.
package struct EventLogger: NetworkLogger {
    private let events: Recorder<NetworkLogEvent>

    package init(_ events: Recorder<NetworkLogEvent>) {
        self.events = events
    }

    package func log(_ message: String, for part: NetworkLoggingType, type: LogType) {}

    package func log(_ event: NetworkLogEvent) { events.record(event) }
}
