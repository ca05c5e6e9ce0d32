/// What the server answers with.
public struct RequestedItem: Codable, Equatable, Sendable {
    /// A number.
    public let id: Int

    /// A text.
    public let name: String

    static let expected = RequestedItem(id: 1, name: "something")
}
