/// How far a body has come on its way.
public struct TransferProgress: Hashable, Sendable {
    /// The bytes that have come so far, of a download that is resumed those of before included; never fewer than
    /// reported before, unless the server begins again with a body that is shorter than that.
    public let completed: Int

    /// The bytes there will be; nil if nobody has said, as for a body that is sent in chunks or compressed.
    public let total: Int?

    /// Takes two numbers of bytes.
    ///
    /// - Parameters:
    ///   - completed: The bytes that have come.
    ///   - total: The bytes there will be; nil if that is not known.
    public init(completed: Int, total: Int?) {
        self.completed = completed
        self.total = total
    }

    /// The part that has come, 0…1, and exactly 1 for all of it; nil if the total is not known.
    public var fraction: Double? {
        total.map { $0 <= completed ? 1 : Double(max(0, completed)) / Double($0) }
    }
}
