/// An error whose description is the sentence that a person reads.
package protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The same sentence as `description`.
    public var errorDescription: String? { description }
}

/// An error whose description a log may show, since it never contains a secret.
package protocol SelfDescribingError: DescribedError {}

/// A value of which only the description may be shown, since its parts may be secrets.
package protocol OpaqueValue: CustomStringConvertible, CustomReflectable {}

extension OpaqueValue {
    /// The name of the type.
    public var description: String { String(reflecting: Self.self) }

    /// A mirror without children, so that `dump` shows no part.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
