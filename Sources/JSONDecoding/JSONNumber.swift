/// The parts of a number (RFC 8259 §6).
struct JSONNumber {
    private let isNegative: Bool
    /// The digits without the point; meaningless if there are more than 19.
    private let mantissa: UInt64
    /// The power of ten by which the digits are multiplied.
    private let exponent: Int
    /// Whether all significant digits are in the mantissa.
    private let isComplete: Bool
    private let hasExponent: Bool

    /// Reads a number; nil if its form is invalid.
    @inline(__always)
    init?(_ text: RawSpan, _ range: Range<Int>) {
        var offset = range.lowerBound
        let end = range.upperBound
        isNegative = text.byte(at: offset) == UInt8(ascii: "-")
        if isNegative { offset &+= 1 }
        let first = offset
        var mantissa: UInt64 = 0
        Self.readDigits(text, &offset, end, &mantissa)
        var digits = offset &- first
        guard digits > 0, digits == 1 || text.byte(at: first) != UInt8(ascii: "0") else { return nil }
        var exponent = 0
        if offset < end, text.byte(at: offset) == UInt8(ascii: ".") {
            offset &+= 1
            let point = offset
            Self.readDigits(text, &offset, end, &mantissa)
            exponent = point &- offset
            guard exponent < 0 else { return nil }
            digits &-= exponent
        }
        hasExponent = offset < end
        if hasExponent {
            guard let written = Self.exponent(text, offset, end) else { return nil }
            // `Int` has 32 bits on some watches.
            exponent = Int(clamping: Int64(exponent) &+ written)
        }
        self.mantissa = mantissa
        self.exponent = exponent
        isComplete = digits <= 19 || digits &- Self.leadingZeros(text, first, end) <= 19
    }

    @inline(__always)
    private static func readDigits(_ text: RawSpan, _ offset: inout Int, _ end: Int, _ mantissa: inout UInt64) {
        while offset < end, let byte = text.byte(at: offset) {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return }
            mantissa = mantissa &* 10 &+ UInt64(digit)
            offset &+= 1
            // These are 19 digits: more would overflow, and the slow path decodes them.
            if mantissa >= 1_000_000_000_000_000_000 { offset = text.endOfDigits(from: offset) }
        }
    }

    /// Returns the number of zeros before the first other digit.
    @inline(never)
    private static func leadingZeros(_ text: RawSpan, _ start: Int, _ end: Int) -> Int {
        var zeros = 0
        for offset in start..<end {
            switch text.byte(at: offset) {
            case UInt8(ascii: "0"): zeros += 1
            case UInt8(ascii: "."): continue
            default: return zeros
            }
        }
        return zeros
    }

    /// Reads an exponent up to the end of the number; an absolute value beyond 2^40 is 2^40, far more than a fraction
    /// has digits.
    @inline(never)
    private static func exponent(_ text: RawSpan, _ start: Int, _ end: Int) -> Int64? {
        guard let letter = text.byte(at: start), letter | 0x20 == UInt8(ascii: "e") else { return nil }
        var offset = start + 1
        guard offset < end, let sign = text.byte(at: offset) else { return nil }
        if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { offset += 1 }
        guard offset < end else { return nil }
        var exponent: Int64 = 0
        while offset < end, let byte = text.byte(at: offset) {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            exponent = min(exponent * 10 + Int64(digit), 1 << 40)
            offset += 1
        }
        return sign == UInt8(ascii: "-") ? -exponent : exponent
    }

    // MARK: Floating point

    /// The nearest `Double`; nil if the number is too long, too large or too small for 128 bits.
    @inline(__always)
    var double: Double? {
        guard isComplete else { return nil }
        if mantissa <= 1 << 53, exponent <= 0, exponent >= -22 {
            // Both numbers are exact, so the quotient is rounded once.
            let double = Double(Int64(truncatingIfNeeded: mantissa)) / Self.powersOfTen[-exponent]
            return isNegative ? -double : double
        }
        return rounded(toBits: 53)
    }

    /// The nearest `Float`; nil for the same reasons as ``double``.
    var float: Float? {
        guard isComplete else { return nil }
        return rounded(toBits: 24).map { Float($0) }
    }

    /// The exact value; nil if the number has too many digits or an exponent.
    var decimal: Decimal? {
        guard isComplete, !hasExponent, exponent >= -127 else { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: Decimal(mantissa))
    }

    /// Multiplies or divides in 128 bits, and rounds the result to the given number of bits, to even if it is halfway.
    @inline(never)
    private func rounded(toBits bits: Int) -> Double? {
        if mantissa == 0 { return isNegative ? -0.0 : 0 }
        guard (-19...19).contains(exponent) else { return nil }
        let power = Self.integerPowersOfTen[abs(exponent)]
        var (quotient, scale, isInexact): (UInt64, Int, Bool)
        if exponent < 0 {
            let (zeros, powerZeros) = (mantissa.leadingZeroBitCount, power.leadingZeroBitCount)
            let dividend = mantissa << UInt64(zeros)
            // The quotient has 63 or 64 bits, since the highest bit of both numbers is set.
            let result = (power << UInt64(powerZeros)).dividingFullWidth((dividend >> 1, dividend << 63))
            (quotient, scale, isInexact) = (result.quotient, powerZeros - zeros - 63, result.remainder != 0)
        } else {
            let (high, low) = mantissa.multipliedFullWidth(by: power)
            let zeros = high.leadingZeroBitCount
            if zeros == 64 {
                (quotient, scale, isInexact) = (low, 0, false)
            } else {
                quotient = zeros == 0 ? high : high << UInt64(zeros) | low >> UInt64(64 - zeros)
                (scale, isInexact) = (64 - zeros, low << UInt64(zeros) != 0)
            }
        }
        let excess = 64 - quotient.leadingZeroBitCount - bits
        if excess > 0 {
            let rest = quotient & (1 << UInt64(excess) - 1)
            let half: UInt64 = 1 << UInt64(excess - 1)
            quotient >>= UInt64(excess)
            if rest > half || rest == half && (isInexact || quotient & 1 == 1) { quotient += 1 }
            scale += excess
        }
        // `scale` is between -116 and 103, so neither the power of two nor the product is subnormal or infinite, even
        // as a Float.
        let double = Double(quotient) * Double(bitPattern: UInt64(1023 + scale) << 52)
        return isNegative ? -double : double
    }

    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    private static let integerPowersOfTen: [UInt64] = (0..<20).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    // MARK: Integers

    /// Reads an integer of up to 18 digits, or returns nil if it is longer or malformed.
    @inline(__always)
    static func smallInteger(_ text: RawSpan, _ start: Int, count: Int) -> Int64? {
        guard count <= 18 else { return nil }
        let isNegative = text.byte(at: start) == UInt8(ascii: "-")
        var offset = isNegative ? start &+ 1 : start
        let end = start &+ count
        guard offset < end, text.byte(at: offset) != UInt8(ascii: "0") || end &- offset == 1 else { return nil }
        var value: Int64 = 0
        while offset < end, let byte = text.byte(at: offset) {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
            offset &+= 1
        }
        return isNegative ? 0 &- value : value
    }

    /// Converts a number with a fraction or an exponent, such as `34.0` or `1e3`, with the algorithm of `JSONDecoder`.
    static func integer<Integer: FixedWidthInteger>(_ digits: String) -> Integer? {
        if let double = Double(digits) {
            guard let integer = Integer(exactly: double) else { return nil }
            // From 2^53 on, different integers have the same Double.
            if double.magnitude < 0x1p53 { return integer }
        }
        return Decimal(string: digits).flatMap { integer($0) }
    }

    /// Converts in 64 bits, whatever the type is, and ignores a fraction.
    private static func integer<Integer: FixedWidthInteger>(_ decimal: Decimal) -> Integer? {
        if decimal.isSignMinus, decimal.isNaN || !Integer.isSigned { return nil }
        guard !decimal.isNaN, var magnitude = UInt64("\(decimal.significand.magnitude)") else { return nil }
        for _ in 0..<abs(decimal.exponent) {
            if decimal.exponent < 0 {
                magnitude /= 10
            } else {
                let (product, isTooLarge) = magnitude.multipliedReportingOverflow(by: 10)
                guard !isTooLarge else { return nil }
                magnitude = product
            }
        }
        guard let integer = Integer(exactly: magnitude) else { return nil }
        return decimal.isSignMinus ? 0 - integer : integer
    }
}
