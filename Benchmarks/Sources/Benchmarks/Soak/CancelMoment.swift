/// When a call is cancelled.
enum CancelMoment: String, CaseIterable, Sendable {
    /// Some time within 3 ms after its start.
    case random
    /// Right after its start.
    case immediately
    /// When the server has sent the head of the answer.
    case head
    /// When the server is about to send the last bytes.
    case beforeEnd
    /// When the server has sent the last bytes.
    case afterEnd
}
