/// One header field of a request: a name and a value (RFC 9110 §5).
///
/// Use the factories, such as ``accept(type:)`` and ``custom(name:value:)``: they never throw, and nothing that is
/// passed to them can start a second field. Use ``init(name:value:)`` for input that should be refused rather than
/// repaired.
///
/// Two fields are equal if their values are, and their names without regard to case (RFC 9110 §5.1). The text form of a
/// field (`description`, `dump`) shows the value of a credential, such as `Authorization` or `Cookie`, as `***`.
public struct HeaderField: Hashable, Sendable {
    /// A name as it was spelled, and whether it is a token, which is found out once.
    private struct Name: Hashable, Sendable {
        let text: String
        let isToken: Bool

        static func == (one: Name, other: Name) -> Bool {
            HeaderField.isSameName(one.text, other.text)
        }

        func hash(into hasher: inout Hasher) {
            for byte in text.utf8 { hasher.combine(HeaderField.lowercased(byte)) }
            hasher.combine(text.utf8.count)
        }
    }

    private let spelled: Name

    /// The value; nil if the field is left out because it has none or its name is not a token.
    public let value: String?

    /// The name as it goes on the wire.
    public var name: String { spelled.text }

    /// Creates a field, or reports what is wrong with its name or value.
    ///
    /// - Parameters:
    ///   - name: A token (RFC 9110 §5.6.2).
    ///   - value: Any text without control characters; spaces and tabs around it are not part of it.
    /// - Throws: ``HeaderFieldError`` for a name that is not a token and for a value with a control character.
    public init(name: String, value: String) throws(HeaderFieldError) {
        guard HTTPToken.isValid(name) else { throw .invalidName(name) }
        guard !value.utf8.contains(where: Self.isForbidden) else { throw .invalidValue(name: name) }
        self.init(known: name, value)
    }

    /// Makes a field that cannot do harm: see ``custom(name:value:)``.
    init(repairing name: String, _ value: String?) {
        spelled = Name(text: name, isToken: HTTPToken.isValid(name))
        self.value = spelled.isToken ? value.map(Self.sanitized) : nil
    }

    /// Makes a field from a name that is known to be a token.
    init(known name: String, _ value: String?) {
        spelled = Name(text: name, isToken: true)
        self.value = value.map(Self.sanitized)
    }

    /// Whether the name is a token.
    var isNamed: Bool { spelled.isToken }

    /// The value with control characters as spaces (RFC 9110 §5.5) and without white space around it.
    package static func sanitized(_ value: String) -> String {
        // Every value passes here, and nearly every one is clean: that is found out in place.
        let isClean = value.utf8.withContiguousStorageIfAvailable(isClean)
        guard isClean != true else { return value }
        var bytes = Array(value.utf8)
        for index in bytes.indices where isForbidden(bytes[index]) { bytes[index] = 0x20 }
        return bytes.withUnsafeBufferPointer { bytes in
            String(decoding: bytes[trimmed(bytes, bytes.indices)], as: UTF8.self)
        }
    }

    private static func isClean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first, let last = bytes.last else { return true }
        guard !isWhiteSpace(first), !isWhiteSpace(last) else { return false }
        // Without branches and a way out, the compiler makes a loop of this that looks at 16 bytes at a time.
        var forbidden: UInt8 = 0
        for byte in bytes {
            let control: UInt8 = byte < 0x20 ? 1 : 0
            let other: UInt8 = byte != 0x09 ? 1 : 0
            let delete: UInt8 = byte == 0x7F ? 1 : 0
            forbidden |= control & other | delete
        }
        return forbidden == 0
    }
}

extension HeaderField: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `name: value`, with the value of a credential masked.
    public var description: String {
        "\(isNamed ? name : name.debugDescription): \(shownValue ?? "(left out)")"
    }

    /// `name: value`, with the value of a credential masked.
    public var debugDescription: String { description }

    /// A mirror in which the value of a credential is masked, so that `dump` does not show it either.
    public var customMirror: Mirror {
        Mirror(self, children: ["name": name, "value": shownValue as Any], displayStyle: .struct)
    }

    private var shownValue: String? {
        value.map { SensitiveNames.isHeader(name) ? "***" : $0 }
    }
}
