extension RawSpan {
    /// Returns the offset of the first backslash, quote or control character in the bytes of a string.
    @inline(__always)
    func endOfPlainBytes(from start: Int, to end: Int) -> Int {
        var offset = start
        while offset &+ 8 <= end, let word = word(at: offset) {
            let stops = word.quotesBackslashesAndControls
            if stops != 0 { return offset &+ stops.trailingZeroBitCount >> 3 }
            offset &+= 8
        }
        while offset < end, let byte = byte(at: offset), !byte.isQuoteBackslashOrControl { offset &+= 1 }
        return offset
    }

    /// Returns the offset after white space; reads eight bytes at a time.
    @inline(never)
    func endOfWhiteSpace(from start: Int) -> Int {
        var offset = start
        while let word = word(at: offset) {
            let spaces = word.zeros(after: 0x20) | word.zeros(after: 0x0A) | word.zeros(after: 0x0D)
            guard spaces | word.zeros(after: 0x09) == 0x8080_8080_8080_8080 else { break }
            offset &+= 8
        }
        while let byte = byte(at: offset), byte.isWhiteSpace { offset &+= 1 }
        return offset
    }

    /// Returns the offset after digits; reads eight bytes at a time.
    @inline(never)
    func endOfDigits(from start: Int) -> Int {
        var offset = start
        // Checks both halves of each byte: 0x30 to 0x39 stay below 0x40 if six is added.
        while let word = word(at: offset), word & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030,
            (word &+ 0x0606_0606_0606_0606) & 0xF0F0_F0F0_F0F0_F0F0 == 0x3030_3030_3030_3030
        {
            offset &+= 8
        }
        while let byte = byte(at: offset), byte &- UInt8(ascii: "0") < 10 { offset &+= 1 }
        return offset
    }

    /// Returns whether the bytes at an offset equal another span.
    @inline(__always)
    func contains(_ other: RawSpan, at offset: Int) -> Bool {
        let count = other.byteCount
        if count >= 8 {
            var index = 0
            while index < count {
                // The last eight bytes may overlap the ones before.
                index = min(index, count &- 8)
                guard word(at: offset &+ index) == other.word(at: index) else { return false }
                index &+= 8
            }
            return true
        }
        if count >= 4 {
            let last = count &- 4
            return halfWord(at: offset) == other.halfWord(at: 0)
                && halfWord(at: offset &+ last) == other.halfWord(at: last)
        }
        for index in 0..<count where byte(at: offset &+ index) != other.byte(at: index) { return false }
        return true
    }
}

extension UInt64 {
    /// Returns a mask with the highest bit set in each byte that equals `byte`.
    @inline(__always)
    func zeros(after byte: UInt64) -> UInt64 {
        let lows: UInt64 = 0x7F7F_7F7F_7F7F_7F7F
        let word = self ^ (byte &* 0x0101_0101_0101_0101)
        return ~(((word & lows) &+ lows) | word | lows)
    }

    /// A mask with the highest bit set in each byte that is a quote, a backslash or a control character; only the
    /// lowest bit that is set is reliable.
    @inline(__always)
    var quotesBackslashesAndControls: UInt64 {
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        let quotes = self ^ (ones &* 0x22)
        let backslashes = self ^ (ones &* 0x5C)
        let zeros = ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes)
        return (zeros | ((self &- ones &* 0x20) & ~self)) & highs
    }
}

extension UInt8 {
    @inline(__always)
    var isWhiteSpace: Bool { self <= 0x20 && (self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09) }

    /// Whether a character other than a digit can be part of a number.
    @inline(__always)
    var continuesNumber: Bool {
        switch self {
        case UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"), UInt8(ascii: "E"): true
        default: false
        }
    }

    @inline(__always)
    var isQuoteBackslashOrControl: Bool {
        self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\") || self < 0x20
    }
}
