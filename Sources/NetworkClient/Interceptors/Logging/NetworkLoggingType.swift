/// Which half of an exchange a record is about.
public enum NetworkLoggingType: Hashable, Sendable {
    /// What was sent.
    case request

    /// What came back, or why nothing did.
    case response
}
