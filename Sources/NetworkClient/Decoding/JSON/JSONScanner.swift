/// The first pass of decoding: finds the tokens of a JSON text (RFC 8259), from its first byte to its last.
///
/// Checks the structure and the literals. What is between the quotes of a string, and whether the characters of a
/// number make one, is checked when a value is decoded from it, as `JSONDecoder` does, which also accepts a comma after
/// the last member or element.
@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
struct JSONScanner: ~Copyable {
    typealias Slots = MutableSpan<UInt64>

    private let maximumDepth: Int
    private var position = 0
    /// The number of tokens so far, each in a slot of the span that is passed to most functions.
    private var count = 0

    /// The open object or array: the index of its token, its members or elements so far, and for an object the keys.
    private var parent = 0
    private var isObject = false
    private var children = 0
    private var depth = 0
    private var keys = JSONKeyFilter()
    /// The filters of the containers around the open one.
    private var outerKeys: [JSONKeyFilter] = []

    /// Scans a text.
    ///
    /// - Returns: The tokens, and after the last one the null that a missing `superDecoder()` decodes.
    static func tokens(of text: RawSpan, maximumDepth: Int) throws(JSONSyntaxError) -> [UInt64] {
        var scanner = JSONScanner(maximumDepth: maximumDepth)
        var tokens = [UInt64](repeating: JSONToken(.null).bits, count: slots(for: text))
        var slots = tokens.mutableSpan
        try scanner.scan(text, &slots)
        return tokens
    }

    private init(maximumDepth: Int) {
        self.maximumDepth = maximumDepth
    }

    /// The most slots that the tokens of a text can need.
    ///
    /// One for each value and key, which are the first in the text or follow a comma, a colon or the start of an object
    /// or array; one more for each object and array; two more for each long string or number; one for the final null.
    private static func slots(for text: RawSpan) -> Int {
        let sum = text.sum { byte in
            let isSeparator = byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":")
            let isStart = byte | 0x20 == UInt8(ascii: "{")
            return (isSeparator ? 1 : 0) + (isStart ? 2 : 0)
        }
        return 3 + sum + text.byteCount / JSONToken.longLength
    }

    // MARK: Values

    private mutating func scan(_ text: RawSpan, _ slots: inout Slots) throws(JSONSyntaxError) {
        repeat {
            try scanValue(text, &slots)
        } while try !finishValue(text, &slots)
        skipWhiteSpace(text)
        guard position == text.byteCount else { throw .init("unexpected character after the value", at: position) }
    }

    /// Scans a scalar, or the start of a container up to its first value.
    @inline(__always)
    private mutating func scanValue(_ text: RawSpan, _ slots: inout Slots) throws(JSONSyntaxError) {
        while true {
            switch try nextByte(text) {
            case UInt8(ascii: "\""):
                try scanString(text, &slots)
                return
            case UInt8(ascii: "{"):
                try open(.object, &slots)
                if try nextByte(text) == UInt8(ascii: "}") { return close(&slots) }
                try scanKey(text, &slots)
            case UInt8(ascii: "["):
                try open(.array, &slots)
                if try nextByte(text) == UInt8(ascii: "]") { return close(&slots) }
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                scanNumber(text, &slots)
                return
            default:
                try scanLiteral(text, &slots)
                return
            }
        }
    }

    /// Scans what follows a value: closes the containers that end there.
    ///
    /// - Returns: Whether the value was the last, so that another one is not expected.
    @inline(__always)
    private mutating func finishValue(_ text: RawSpan, _ slots: inout Slots) throws(JSONSyntaxError) -> Bool {
        while depth > 0 {
            children &+= 1
            let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
            let byte = try nextByte(text)
            if byte == UInt8(ascii: ",") {
                position &+= 1
                if try nextByte(text) != end {
                    if isObject { try scanKey(text, &slots) }
                    return false
                }
            } else if byte != end {
                throw JSONSyntaxError("unexpected character after a member or element", at: position)
            }
            close(&slots)
        }
        return true
    }

    @inline(__always)
    private mutating func scanString(_ text: RawSpan, _ slots: inout Slots) throws(JSONSyntaxError) {
        let token = try string(text)
        append(token, length: position &- 1 &- token.start, &slots)
    }

    @inline(__always)
    private mutating func scanKey(_ text: RawSpan, _ slots: inout Slots) throws(JSONSyntaxError) {
        guard text.byte(at: position) == UInt8(ascii: "\"") else {
            throw JSONSyntaxError("a key in quotes is missing", at: position)
        }
        let token = try string(text)
        let length = position &- 1 &- token.start
        if keys.insert(token, length: length, number: children, text),
            JSONKeyFilter.repeats(token, length: length, in: parent + 2..<count, text, slots)
        {
            keys.isUnusual = true
        }
        append(token, length: length, &slots)
        guard try nextByte(text) == UInt8(ascii: ":") else { throw JSONSyntaxError("a colon is missing", at: position) }
        position &+= 1
    }

    @inline(__always)
    private mutating func scanNumber(_ text: RawSpan, _ slots: inout Slots) {
        let start = position
        var isInteger = true
        position &+= 1
        while let byte = text.byte(at: position) {
            if byte &- UInt8(ascii: "0") > 9 {
                guard byte.continuesNumber else { break }
                isInteger = false
            }
            position &+= 1
        }
        let length = position &- start
        append(.number(start: start, length: length, isInteger: isInteger), length: length, &slots)
    }

    @inline(__always)
    private mutating func scanLiteral(_ text: RawSpan, _ slots: inout Slots) throws(JSONSyntaxError) {
        let word = text.halfWord(at: position)
        if word == 0x6575_7274 {  // "true"
            append(JSONToken(.true), &slots)
            position &+= 4
        } else if word == 0x736C_6166, text.byte(at: position &+ 4) == UInt8(ascii: "e") {  // "fals"
            append(JSONToken(.false), &slots)
            position &+= 5
        } else if word == 0x6C6C_756E {  // "null"
            append(JSONToken(.null), &slots)
            position &+= 4
        } else {
            throw JSONSyntaxError("a value is expected", at: position)
        }
    }

    // MARK: Containers

    @inline(__always)
    private mutating func open(_ kind: JSONToken.Kind, _ slots: inout Slots) throws(JSONSyntaxError) {
        guard depth < maximumDepth else { throw JSONSyntaxError("too deep", at: position, isTooDeep: true) }
        if depth > 0 {
            // The slot after the token of a container has the number of its children, and while it is open, the index
            // of the container around it.
            slots[parent &+ 1] = slots[parent &+ 1] & ~0xFFFF_FFFF | UInt64(truncatingIfNeeded: children)
            outerKeys.append(keys)
        }
        position &+= 1
        depth &+= 1
        let outer = parent
        (parent, children, isObject, keys) = (count, 0, kind == .object, JSONKeyFilter())
        append(JSONToken(kind), &slots)
        append(JSONToken(bits: UInt64(truncatingIfNeeded: outer) << 32), &slots)
    }

    @inline(__always)
    private mutating func close(_ slots: inout Slots) {
        position &+= 1
        depth &-= 1
        let outer = Int(truncatingIfNeeded: slots[parent &+ 1] >> 32)
        slots[parent &+ 1] = UInt64(truncatingIfNeeded: children)
        let kind: JSONToken.Kind = isObject ? .object : .array
        slots[parent] = JSONToken.container(kind, end: count, hasUnusualKeys: keys.isUnusual).bits
        guard depth > 0, let outerKeys = outerKeys.popLast() else { return }
        parent = outer
        keys = outerKeys
        children = Int(truncatingIfNeeded: slots[outer &+ 1] & 0xFFFF_FFFF)
        isObject = JSONToken(bits: slots[outer]).is(.object)
    }

    @inline(__always)
    private mutating func append(_ token: JSONToken, _ slots: inout Slots) {
        slots[count] = token.bits
        count &+= 1
    }

    @inline(__always)
    private mutating func append(_ token: JSONToken, length: Int, _ slots: inout Slots) {
        append(token, &slots)
        if length >= JSONToken.longLength { append(JSONToken(bits: UInt64(truncatingIfNeeded: length)), &slots) }
    }

    // MARK: Bytes

    @inline(__always)
    private mutating func skipWhiteSpace(_ text: RawSpan) {
        while let byte = text.byte(at: position), byte.isWhiteSpace {
            position &+= 1
        }
    }

    /// Skips white space, and returns the byte after it.
    @inline(__always)
    private mutating func nextByte(_ text: RawSpan) throws(JSONSyntaxError) -> UInt8 {
        while let byte = text.byte(at: position) {
            guard byte.isWhiteSpace else { return byte }
            position &+= 1
        }
        throw JSONSyntaxError("the text ends too early", at: position)
    }

    /// Scans a string from its opening quote, eight bytes at a time.
    @inline(__always)
    private mutating func string(_ text: RawSpan) throws(JSONSyntaxError) -> JSONToken {
        let start = position &+ 1
        var (end, high) = (start, 0 as UInt64)
        var stops: UInt64 = 0
        while let word = text.word(at: end) {
            stops = word.quotesBackslashesAndControls
            guard stops == 0 else {
                let bits = UInt64(truncatingIfNeeded: stops.trailingZeroBitCount & ~7)
                high |= word & ((1 &<< bits) &- 1)
                end &+= Int(truncatingIfNeeded: bits >> 3)
                break
            }
            high |= word
            end &+= 8
        }
        while stops == 0, let byte = text.byte(at: end), !byte.isQuoteBackslashOrControl {
            high |= UInt64(byte)
            end &+= 1
        }
        var isEscaped = false
        if text.byte(at: end) != UInt8(ascii: "\"") {
            end = try Self.endOfEscapedString(text, from: end)
            isEscaped = true
        }
        position = end &+ 1
        let isASCII = !isEscaped && high & 0x8080_8080_8080_8080 == 0
        return .string(start: start, length: end &- start, isEscaped: isEscaped, isASCII: isASCII)
    }

    @inline(never)
    private static func endOfEscapedString(_ text: RawSpan, from start: Int) throws(JSONSyntaxError) -> Int {
        var end = start
        while let byte = text.byte(at: end) {
            if byte == UInt8(ascii: "\"") { return end }
            end += byte == UInt8(ascii: "\\") ? try lengthOfEscape(text, at: end) : 1
        }
        throw JSONSyntaxError("the text ends in a string", at: text.byteCount)
    }

    /// The length of an escape sequence, of which only the length is checked.
    private static func lengthOfEscape(_ text: RawSpan, at start: Int) throws(JSONSyntaxError) -> Int {
        guard text.byte(at: start + 1) == UInt8(ascii: "u") else { return 2 }
        for digit in start + 2..<start + 6 {
            guard let byte = text.byte(at: digit), byte != UInt8(ascii: "\"") else {
                throw JSONSyntaxError("an escape sequence is too short", at: digit)
            }
        }
        return 6
    }
}
