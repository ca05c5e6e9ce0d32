/// A request as the server has read it.
public struct IncomingRequest: Sendable {
    /// The method.
    public let method: String

    /// Path and query.
    public let target: String

    /// The fields by their names in lower case; of several with one name, the last.
    public let fields: [String: String]

    /// The body, without its framing.
    public let body: [UInt8]
}
