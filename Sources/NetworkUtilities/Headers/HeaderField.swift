/// One header field of a request: a name and a value (RFC 9110 §5).
///
/// Use the factories, such as ``accept(type:)`` and ``custom(name:value:)``: they never throw, and nothing that is
/// passed to them can start a second field. Use ``init(name:value:)`` for input that should be refused rather than
/// repaired.
public struct HeaderField: Hashable, Sendable {
    /// The name as it goes on the wire; compared without case.
    public let name: String

    /// The value, or nil for a field that is left out: it had no value, or its name is no name.
    public let value: String?

    /// Takes a name and a value as they are, or says what is wrong with them.
    ///
    /// - Parameters:
    ///   - name: A token (RFC 9110 §5.6.2).
    ///   - value: Any text without control characters; spaces and tabs around it are not part of it.
    /// - Throws: ``HeaderFieldError`` for a name that is no token and for a value with a control character.
    public init(name: String, value: String) throws(HeaderFieldError) {
        guard HTTPToken.isValid(name) else { throw .invalidName(name) }
        guard !value.utf8.contains(where: Self.isForbidden) else { throw .invalidValue(name: name) }
        self.name = name
        self.value = Self.sanitized(value)
    }

    /// Makes a field that cannot do harm: see ``custom(name:value:)``.
    init(repairing name: String, _ value: String?) {
        self.name = name
        self.value = HTTPToken.isValid(name) ? value.map(Self.sanitized) : nil
    }

    /// Makes a field from a name that is known to be a token.
    init(known name: String, _ value: String?) {
        self.name = name
        self.value = value.map(Self.sanitized)
    }

    /// Whether the name is a token; a field with a value was checked when it was made.
    var isNamed: Bool {
        value != nil || HTTPToken.isValid(name)
    }

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
