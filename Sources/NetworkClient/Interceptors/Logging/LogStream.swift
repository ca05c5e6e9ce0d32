/// Where finished records go.
///
/// Use ``DefaultLogStream``. To write one, implement ``log(_:for:)``: each call is one whole record, already masked,
/// which may have several lines. It may be called on any thread, several at once.
public protocol LogStream: Sendable {
    /// Writes one record.
    ///
    /// - Parameters:
    ///   - message: The record, without a line break at its end.
    ///   - type: How serious it is.
    func log(_ message: String, for type: LogType)
}

extension LogStream {
    /// Writes one record that is no cause for concern.
    ///
    /// - Parameter message: The record, without a line break at its end.
    public func log(_ message: String) {
        log(message, for: .info)
    }
}
