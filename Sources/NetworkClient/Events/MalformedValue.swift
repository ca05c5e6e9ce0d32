/// What ``JSONValues`` does with a value that cannot be decoded.
public struct MalformedValue: Sendable {
    /// Returns the error to throw; nil to go on.
    let handle: @Sendable (NetworkClient.Error) -> NetworkClient.Error?

    /// Throws the error, which ends the sequence.
    public static let throwing = MalformedValue { $0 }

    /// Goes on with the next value, after a closure that learns of the error.
    public static func skipping(
        _ report: @escaping @Sendable (NetworkClient.Error) -> Void = { _ in }
    ) -> MalformedValue {
        MalformedValue { error in
            report(error)
            return nil
        }
    }
}
