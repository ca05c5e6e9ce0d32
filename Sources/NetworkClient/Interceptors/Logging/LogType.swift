/// How serious a record is.
public enum LogType: Hashable, Sendable {
    /// All is well: a request, an answer below 400, a cancellation.
    case info

    /// An answer of 400 or above, or a failure.
    case warning

    /// For a logger's own records; the library writes none.
    case critical
}
