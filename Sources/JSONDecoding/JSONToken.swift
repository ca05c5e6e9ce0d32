/// One token of a JSON text in 8 bytes: its kind, its flags, and where it lies.
///
/// A ``JSONDocument`` lists the tokens of a text in their order. An object is followed by its keys and values, an array
/// by its elements.
///
/// - A string or number has the offset of its first byte in the upper 32 bits, and its length in 24 bits. A longer one
///   has ``longLength`` there, and its length in the following slot.
/// - An object or array has the index of the token after its end in the upper 32 bits, and the number of its members or
///   elements in the following slot.
struct JSONToken: BitwiseCopyable {
    let bits: UInt64

    enum Kind: UInt8 {
        case string, number, null, `true`, `false`, object, array
    }

    static let longLength = 0xFF_FFFF

    static let escapedBit: UInt64 = 1 << 4
    static let nonASCIIBit: UInt64 = 1 << 5
    static let fractionBit: UInt64 = 1 << 4
    private static let unusualKeysBit: UInt64 = 1 << 4

    private static let names = ["a string", "number", "null", "bool", "bool", "a dictionary", "an array"]

    init(bits: UInt64) {
        self.bits = bits
    }

    /// Creates a token that consists of its kind alone.
    init(_ kind: Kind) {
        bits = UInt64(kind.rawValue)
    }

    /// Creates the token of a string or number, with the flags that apply to it.
    init(_ kind: Kind, start: Int, length: Int, flags: UInt64) {
        let short = UInt64(truncatingIfNeeded: min(length, Self.longLength))
        bits = UInt64(truncatingIfNeeded: start) << 32 | short << 8 | flags | UInt64(kind.rawValue)
    }

    static func container(_ kind: Kind, end: Int, hasUnusualKeys: Bool) -> JSONToken {
        let flags = hasUnusualKeys ? unusualKeysBit : 0
        return JSONToken(bits: UInt64(truncatingIfNeeded: end) << 32 | flags | UInt64(kind.rawValue))
    }

    var kind: Kind { Kind(rawValue: UInt8(truncatingIfNeeded: bits & 0xF)) ?? .null }

    /// The kind, as `JSONDecoder` calls it in the text of an error.
    var name: String { Self.names[Int(kind.rawValue)] }

    /// Returns whether the token is of a kind, with one comparison; comparing two values of ``kind`` takes more.
    func `is`(_ kind: Kind) -> Bool { bits & 0xF == UInt64(kind.rawValue) }

    /// The offset of the first byte of a string, after the quote, or of a number.
    var start: Int { Int(truncatingIfNeeded: bits >> 32) }

    /// The length of a string or number, or ``longLength`` if it is in the following slot.
    var shortLength: Int { Int(truncatingIfNeeded: bits >> 8 & 0xFF_FFFF) }

    /// The index of the token after an object or array.
    var end: Int { start }

    /// Returns the index of the next token, if this token is a scalar at the given index.
    func indexAfterScalar(at index: Int) -> Int { index &+ (shortLength == Self.longLength ? 2 : 1) }

    /// Returns the index of the token after the value that begins with this token at the given index.
    func indexAfterValue(at index: Int) -> Int {
        bits & 0xF >= UInt64(Kind.object.rawValue) ? end : indexAfterScalar(at: index)
    }

    /// Whether a string has an escape sequence, or a control character, which is an error.
    var isEscaped: Bool { bits & Self.escapedBit != 0 }

    /// Whether a string has only ASCII characters and no escape sequence, so that its bytes are its characters.
    var isPlain: Bool { bits & (Self.escapedBit | Self.nonASCIIBit) == 0 }

    /// Whether a number consists of digits after its first character.
    var isInteger: Bool { bits & Self.fractionBit == 0 }

    /// Whether the scan has not found all keys to be plain and different: a key is escaped, not ASCII or very long, two
    /// are equal, or there are more than 48.
    var hasUnusualKeys: Bool { bits & Self.unusualKeysBit != 0 }
}
