import Foundation
import NetworkClient

/// A stream that remembers its records.
final class RecordingStream: LogStream {
    struct Record: Equatable {
        let message: String
        let type: LogType
    }

    private let stored = Locked<[Record]>([])

    func log(_ message: String, for type: LogType) {
        stored.withLock { $0.append(Record(message: message, type: type)) }
    }

    var records: [Record] { stored.withLock { $0 } }
    var messages: [String] { records.map(\.message) }
    /// The records without ` in 12 ms` and ` after 12 ms`.
    var messagesWithoutDuration: [String] {
        messages.map {
            $0.replacingOccurrences(of: " (in|after) [0-9.]+ m?s", with: "", options: .regularExpression)
        }
    }
    var text: String { messages.joined(separator: "\n") }
}
