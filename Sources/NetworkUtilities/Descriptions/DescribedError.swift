/// An error of this library, whose description is the sentence that a person reads.
///
/// A log shows it: it contains no password, query, header field or body of a call.
package protocol DescribedError: LocalizedError, CustomStringConvertible {}

extension DescribedError {
    /// The same sentence as `description`.
    public var errorDescription: String? { description }

    /// The description as a clause of another sentence: it begins with a small letter and has no full stop.
    package var clause: String { description.prefix(1).lowercased() + description.dropFirst().dropLast() }
}

/// A value of which only the description may be shown, since its parts may be secrets.
package protocol OpaqueValue: CustomStringConvertible, CustomReflectable {}

extension OpaqueValue {
    /// The name of the type.
    public var description: String { String(reflecting: Self.self) }

    /// A mirror without children, so that `dump` shows no part.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
