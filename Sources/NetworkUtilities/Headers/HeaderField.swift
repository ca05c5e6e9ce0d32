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
    init(known name: String, _ value: String) {
        self.name = name
        self.value = Self.sanitized(value)
    }

    /// The value with control characters as spaces (RFC 9110 §5.5) and without white space around it.
    package static func sanitized(_ value: String) -> String {
        let bytes = value.utf8
        let isClean =
            !bytes.contains(where: isForbidden)
            && bytes.first.map(isWhiteSpace) != true && bytes.last.map(isWhiteSpace) != true
        guard !isClean else { return value }
        let repaired = bytes.map { isForbidden($0) ? 0x20 : $0 }
        let start = repaired.firstIndex { !isWhiteSpace($0) } ?? repaired.endIndex
        let end = repaired.lastIndex { !isWhiteSpace($0) }.map { $0 + 1 } ?? start
        return String(decoding: repaired[start..<end], as: UTF8.self)
    }

    /// Control characters but for the tab: RFC 9110 §5.5 calls CR, LF and NUL dangerous and the others invalid.
    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte < 0x20 && byte != 0x09 || byte == 0x7F
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09
    }
}

extension HeaderField {
    /// Whether two field names are one name (RFC 9110 §5.1: letters count without case).
    package static func isSameName(_ one: String, _ other: String) -> Bool {
        guard one.utf8.count == other.utf8.count else { return false }
        return zip(one.utf8, other.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }
}
