/// Records what the client sends and receives.
///
/// Use ``DefaultLogger``, which most clients reach as `.default` or `.off`; for text that goes elsewhere, give it a
/// ``LogStream`` of your own. Write a logger to decide about the records themselves. One that takes finished, masked
/// text:
///
/// ```swift
/// struct ConsoleLogger: NetworkLogger {
///     func log(_ message: String, for part: NetworkLoggingType, type: LogType) { print(message) }
/// }
/// ```
///
/// One that takes facts (for metrics, or a structured log) implements ``log(_:)-(NetworkLogEvent)`` as well. Everything
/// may be called on any thread, several at once.
public protocol NetworkLogger: Sendable {
    /// What names this logger in its records; the default is `NetworkClient`.
    var tag: String { get }

    /// How much is shown of requests; the default is ``NetworkLoggingLevel/status``.
    var requestLevel: NetworkLoggingLevel { get }

    /// How much is shown of answers and failures; the default is ``NetworkLoggingLevel/status``.
    var responseLevel: NetworkLoggingLevel { get }

    /// What turns events into text and masks it; the default masks what is known to be secret.
    var formatter: NetworkLogFormatter { get }

    /// Takes one record as finished text: masked, of one or more lines, without a line break at its end.
    ///
    /// - Parameters:
    ///   - message: The record.
    ///   - part: Which half of an exchange it is about.
    ///   - type: How serious it is.
    func log(_ message: String, for part: NetworkLoggingType, type: LogType)

    /// Takes one moment of an exchange; not called if both levels are `.off`.
    ///
    /// The default makes a record of it, if the levels ask for one, and hands it to ``log(_:for:type:)``.
    ///
    /// - Parameter event: The moment, with nothing masked.
    func log(_ event: NetworkLogEvent)
}
