/// The first pass of decoding: finds the tokens of a JSON text (RFC 8259), from its first byte to its last.
///
/// Checks the structure and the literals. The content of a string, and the form of a number, are checked when a value
/// is decoded from them, as in `JSONDecoder`. Like `JSONDecoder`, accepts a comma after the last member or element.
///
/// The functions are inlined into one, so that the properties are in registers.
struct JSONScanner: ~Copyable {
    private let maximumDepth: Int
    private var position = 0
    /// The number of slots in use.
    private var count = 0
    private var depth = 0

    /// The innermost open object or array: the index of its token, the number of its members or elements so far, and an
    /// object's keys.
    ///
    /// While a container is open, its two slots hold these properties of the container around it.
    private var parent = 0
    private var isObject = false
    private var children = 0
    private var keys = JSONKeyFilter()

    /// Scans a text of less than 2^31 bytes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - maximumDepth: The maximum number of objects and arrays in each other.
    ///   - check: Throws an error now and then if decoding must end.
    /// - Returns: The tokens, and at the end at least one null, which `superDecoder()` decodes if its key is missing.
    /// - Throws: ``JSONSyntaxError``; the errors of `check`.
    static func tokens(of text: RawSpan, maximumDepth: Int, check: () throws -> Void) throws -> [UInt64] {
        let null = JSONToken(.null).bits
        // A value has at most as many slots as bytes: a closed container has two slots, and at least two bytes.
        let maxSlots = text.byteCount + 2 * maximumDepth + slotsOfStep + 1
        var scanner = JSONScanner(maximumDepth: maximumDepth)
        var tokens = [UInt64](repeating: null, count: min(text.byteCount / 8 + 32, 1 << 10))
        while true {
            let isAtEnd = try tokens.withSlots { slots throws(JSONSyntaxError) in try scanner.scan(text, slots) }
            if isAtEnd { return tokens }
            try check()
            let count = min(tokens.count, maxSlots - tokens.count, slotsBetweenChecks)
            tokens.append(contentsOf: repeatElement(null, count: count))
        }
    }

    /// The maximum number of slots that a step of ``scan(_:_:)`` uses: a long key, and a long string or number.
    private static let slotsOfStep = 4

    /// The maximum number of slots that are filled before the next check: less than a millisecond of work.
    private static let slotsBetweenChecks = 1 << 15

    /// Scans a text from the position where the last call stopped.
    ///
    /// - Returns: Whether it reached the end of the text; false if there were too few slots.
    @inline(__always)
    private mutating func scan(_ text: RawSpan, _ slots: JSONSlots) throws(JSONSyntaxError) -> Bool {
        next: while true {
            // One slot stays free for the null at the end.
            guard slots.count &- count > Self.slotsOfStep else { return false }
            if isObject { try scanKey(text, slots) }
            var isAtEnd = false
            switch try nextByte(text) {
            case UInt8(ascii: "\""):
                let token = try string(text)
                append(token, length: position &- 1 &- token.start, slots)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                try open(text, slots)
                guard try nextByte(text) == end else { continue next }
                isAtEnd = true
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                scanNumber(text, slots)
            default:
                try scanLiteral(text, slots)
            }
            // Closes the containers that end after the value.
            while true {
                if isAtEnd { close(slots) }
                if depth == 0 {
                    position = text.endOfWhiteSpace(from: position)
                    if position == text.byteCount { return true }
                    throw JSONSyntaxError("unexpected character after the value", at: position)
                }
                children &+= 1
                let byte = try nextByte(text)
                if byte == UInt8(ascii: ",") {
                    position &+= 1
                    if try nextByte(text) != end { continue next }
                } else if byte != end {
                    throw JSONSyntaxError("unexpected character after a member or element", at: position)
                }
                isAtEnd = true
            }
        }
    }

    // MARK: Values

    @inline(__always)
    private mutating func scanKey(_ text: RawSpan, _ slots: JSONSlots) throws(JSONSyntaxError) {
        guard text.byte(at: position) == UInt8(ascii: "\"") else {
            throw JSONSyntaxError("a key in quotes is missing", at: position)
        }
        let token = try string(text)
        let length = position &- 1 &- token.start
        if keys.insert(token, length: length, number: children, text),
            JSONKeyFilter.repeats(token, in: parent &+ 2..<count, of: slots, text)
        {
            keys.isUnusual = true
        }
        append(token, length: length, slots)
        guard try nextByte(text) == UInt8(ascii: ":") else { throw JSONSyntaxError("a colon is missing", at: position) }
        position &+= 1
    }

    @inline(__always)
    private mutating func scanNumber(_ text: RawSpan, _ slots: JSONSlots) {
        let start = position
        var isInteger = true
        position &+= 1
        while let byte = text.byte(at: position) {
            if byte &- UInt8(ascii: "0") > 9 {
                guard byte.continuesNumber else { break }
                isInteger = false
            } else if position &- start > 20 {
                position = text.endOfDigits(from: position) &- 1
            }
            position &+= 1
        }
        let length = position &- start
        let flags = isInteger ? 0 : JSONToken.fractionBit
        append(JSONToken(.number, start: start, length: length, flags: flags), length: length, slots)
    }

    @inline(__always)
    private mutating func scanLiteral(_ text: RawSpan, _ slots: JSONSlots) throws(JSONSyntaxError) {
        let word = text.halfWord(at: position)
        if word == 0x6575_7274 {  // "true"
            append(JSONToken(.true), slots)
            position &+= 4
        } else if word == 0x736C_6166, text.byte(at: position &+ 4) == UInt8(ascii: "e") {  // "fals"
            append(JSONToken(.false), slots)
            position &+= 5
        } else if word == 0x6C6C_756E {  // "null"
            append(JSONToken(.null), slots)
            position &+= 4
        } else {
            throw JSONSyntaxError("a value is expected", at: position)
        }
    }

    // MARK: Containers

    /// The character at which the open container ends.
    @inline(__always)
    private var end: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    @inline(__always)
    private mutating func open(_ text: RawSpan, _ slots: JSONSlots) throws(JSONSyntaxError) {
        guard depth < maximumDepth else { throw JSONSyntaxError("too deep", at: position, isTooDeep: true) }
        let outer = (UInt64(truncatingIfNeeded: parent) << 31 | UInt64(truncatingIfNeeded: children)) << 2
        let flags: UInt64 = (isObject ? 2 : 0) | (keys.isUnusual ? 1 : 0)
        append(JSONToken(bits: keys.bits), slots)
        append(JSONToken(bits: outer | flags), slots)
        (parent, children, keys) = (count &- 2, 0, JSONKeyFilter())
        isObject = text.byte(at: position) == UInt8(ascii: "{")
        depth &+= 1
        position &+= 1
    }

    @inline(__always)
    private mutating func close(_ slots: JSONSlots) {
        let (bits, outer) = (slots[parent], slots[parent &+ 1])
        let kind: JSONToken.Kind = isObject ? .object : .array
        slots[parent] = JSONToken.container(kind, end: count, hasUnusualKeys: keys.isUnusual).bits
        slots[parent &+ 1] = UInt64(truncatingIfNeeded: children)
        parent = Int(truncatingIfNeeded: outer >> 33)
        children = Int(truncatingIfNeeded: outer >> 2 & 0x7FFF_FFFF)
        isObject = outer & 2 != 0
        keys = JSONKeyFilter(bits: bits, isUnusual: outer & 1 != 0)
        depth &-= 1
        position &+= 1
    }

    @inline(__always)
    private mutating func append(_ token: JSONToken, _ slots: JSONSlots) {
        slots[count] = token.bits
        count &+= 1
    }

    @inline(__always)
    private mutating func append(_ token: JSONToken, length: Int, _ slots: JSONSlots) {
        append(token, slots)
        if length >= JSONToken.longLength { append(JSONToken(bits: UInt64(truncatingIfNeeded: length)), slots) }
    }

    // MARK: Bytes

    /// Skips white space, and returns the byte after it.
    @inline(__always)
    private mutating func nextByte(_ text: RawSpan) throws(JSONSyntaxError) -> UInt8 {
        if let byte = text.byte(at: position), !byte.isWhiteSpace { return byte }
        // Usually there is one space.
        if let byte = text.byte(at: position &+ 1), !byte.isWhiteSpace {
            position &+= 1
            return byte
        }
        position = text.endOfWhiteSpace(from: position)
        if let byte = text.byte(at: position) { return byte }
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
        var flags = high & 0x8080_8080_8080_8080 == 0 ? 0 : JSONToken.nonASCIIBit
        if text.byte(at: end) != UInt8(ascii: "\"") {
            end = try Self.endOfEscapedString(text, from: end)
            flags = JSONToken.escapedBit
        }
        position = end &+ 1
        return JSONToken(.string, start: start, length: end &- start, flags: flags)
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

    /// Returns the length of an escape sequence, of which only the length is checked.
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
