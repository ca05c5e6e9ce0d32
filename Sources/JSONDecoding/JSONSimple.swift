/// A type that is decoded from the tokens themselves, without a decoder and a container.
protocol JSONSimple: Decodable {
    static func decode(_ document: JSONDocument, _ index: Int) throws(JSONFault) -> Self
}

extension Bool: JSONSimple {
    @inline(__always)
    static func decode(_ document: JSONDocument, _ index: Int) throws(JSONFault) -> Bool {
        let token = document.token(index)
        if token.is(.true) { return true }
        if token.is(.false) { return false }
        // JSONDecoder throws the same error for null.
        throw .mismatch(expected: Bool.self, found: token)
    }
}

extension String: JSONSimple {
    @inline(__always)
    static func decode(_ document: JSONDocument, _ index: Int) throws(JSONFault) -> String {
        let token = document.token(index)
        guard token.is(.string) else { throw .unexpected(token, for: String.self) }
        return try document.string(token, index)
    }
}

extension JSONSimple where Self: FixedWidthInteger {
    @inline(__always)
    static func decode(_ document: JSONDocument, _ index: Int) throws(JSONFault) -> Self {
        let token = document.token(index)
        guard token.is(.number) else { throw .unexpected(token, for: Self.self) }
        return try document.integer(token, index)
    }
}

extension Int: JSONSimple {}
extension Int8: JSONSimple {}
extension Int16: JSONSimple {}
extension Int32: JSONSimple {}
extension Int64: JSONSimple {}
extension UInt: JSONSimple {}
extension UInt8: JSONSimple {}
extension UInt16: JSONSimple {}
extension UInt32: JSONSimple {}
extension UInt64: JSONSimple {}

/// `Double` or `Float`.
protocol JSONFloatingPoint: BinaryFloatingPoint, LosslessStringConvertible {
    init?(_ number: JSONNumber)
}

extension JSONSimple where Self: JSONFloatingPoint {
    @inline(__always)
    static func decode(_ document: JSONDocument, _ index: Int) throws(JSONFault) -> Self {
        let token = document.token(index)
        guard token.is(.number) else { return try document.nonConforming(token, index) }
        if let value = Self(try document.number(token, index)) { return value }
        return try document.hardNumber(token, index)
    }
}

extension Double: JSONSimple, JSONFloatingPoint {
    @inline(__always)
    init?(_ number: JSONNumber) {
        guard let double = number.double else { return nil }
        self = double
    }
}

extension Float: JSONSimple, JSONFloatingPoint {
    init?(_ number: JSONNumber) {
        guard let float = number.float else { return nil }
        self = float
    }
}

extension JSONDocument {
    // MARK: Strings

    /// Returns the text of a string or key.
    @inline(__always)
    func string(_ token: JSONToken, _ index: Int) throws(JSONFault) -> String {
        if token.isPlain { return plainString(index) }
        return try unescapedString(token, index)
    }

    @inline(never)
    private func unescapedString(_ token: JSONToken, _ index: Int) throws(JSONFault) -> String {
        let range = range(token, index)
        let string: String?
        if token.isEscaped {
            guard let bytes = text.withBytes({ JSONEscapes.unescaped($0, range) }) else {
                throw .invalid("a string has an invalid escape sequence or a control character", token)
            }
            string = bytes.withUTF8Span { $0.text(in: 0..<bytes.count) }
        } else {
            string = text.withBytes { $0.text(in: range) }
        }
        guard let string else { throw .invalid("a string isn't UTF-8", token) }
        return string
    }

    // MARK: Numbers

    @inline(__always)
    func integer<Integer: FixedWidthInteger>(_ token: JSONToken, _ index: Int) throws(JSONFault) -> Integer {
        let (start, length) = (token.start, token.shortLength)
        if token.isInteger, let small = text.withBytes({ JSONNumber.smallInteger($0, start, count: length) }) {
            if let integer = Integer(exactly: small) { return integer }
            throw .invalid("a number does not fit its type", token)
        }
        return try largeInteger(token, index)
    }

    @inline(never)
    private func largeInteger<Integer: FixedWidthInteger>(
        _ token: JSONToken,
        _ index: Int
    ) throws(JSONFault) -> Integer {
        _ = try number(token, index)
        let digits = plainString(index)
        if let integer = token.isInteger ? Integer(digits) : JSONNumber.integer(digits) { return integer }
        throw .invalid("a number does not fit its type", token)
    }

    /// Returns the parts of a number; throws an error if its form is invalid.
    @inline(__always)
    func number(_ token: JSONToken, _ index: Int) throws(JSONFault) -> JSONNumber {
        let range = range(token, index)
        guard let number = text.withBytes({ JSONNumber($0, range) }) else {
            throw .invalid("a number is malformed", token)
        }
        return number
    }

    /// Decodes a number that ``JSONNumber`` can't decode, which is not zero, and checks that it was not rounded to
    /// infinity or to zero.
    @inline(never)
    func hardNumber<Value: JSONFloatingPoint>(_ token: JSONToken, _ index: Int) throws(JSONFault) -> Value {
        if let value = Value(plainString(index)), value.isFinite, value != 0 { return value }
        throw .invalid("a number does not fit its type", token)
    }

    @inline(never)
    func nonConforming<Value: BinaryFloatingPoint>(_ token: JSONToken, _ index: Int) throws(JSONFault) -> Value {
        if token.is(.string), !token.isEscaped,
            case .convertFromString(let positiveInfinity, let negativeInfinity, let nan) = options.nonConformingFloats
        {
            // Compares bytes, not characters.
            let range = range(token, index)
            for (name, value) in [(positiveInfinity, Value.infinity), (negativeInfinity, -.infinity), (nan, .nan)]
            where name.utf8.count == range.count && text.withBytes({ $0.data(in: range) }) == Data(name.utf8) {
                return value
            }
        }
        throw .unexpected(token, for: Value.self)
    }
}

/// The escape sequences of a string (RFC 8259 §7).
enum JSONEscapes {
    /// Returns the bytes of a string with its escape sequences replaced.
    ///
    /// Nil if a sequence is invalid, or a control character is not escaped.
    static func unescaped(_ text: RawSpan, _ range: Range<Int>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var offset = range.lowerBound
        while true {
            let end = text.endOfPlainBytes(from: offset, to: range.upperBound)
            text.append(offset..<end, to: &bytes)
            if end == range.upperBound { return bytes }
            guard text.byte(at: end) == UInt8(ascii: "\\"), end + 1 < range.upperBound else { return nil }
            guard let escaped = text.byte(at: end + 1) else { return nil }
            offset = end + 2
            switch escaped {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escaped)
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"):
                guard let scalar = scalar(text, &offset, range.upperBound) else { return nil }
                bytes.append(contentsOf: String(scalar).utf8)
            default: return nil
            }
        }
    }

    /// Reads the digits after `\u`, and a second sequence after the first half of a surrogate pair.
    private static func scalar(_ text: RawSpan, _ offset: inout Int, _ end: Int) -> Unicode.Scalar? {
        guard let first = codeUnit(text, &offset, end) else { return nil }
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) }
        guard end - offset >= 6, text.byte(at: offset) == UInt8(ascii: "\\") else { return nil }
        guard text.byte(at: offset + 1) == UInt8(ascii: "u") else { return nil }
        offset += 2
        guard let second = codeUnit(text, &offset, end), UTF16.isTrailSurrogate(second) else { return nil }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    private static func codeUnit(_ text: RawSpan, _ offset: inout Int, _ end: Int) -> UInt16? {
        guard end - offset >= 4 else { return nil }
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = text.byte(at: offset), let digit = ASCII.hexadecimalValue(of: byte) else { return nil }
            unit = unit << 4 | UInt16(digit)
            offset += 1
        }
        return unit
    }
}
