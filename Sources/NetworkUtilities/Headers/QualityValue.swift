/// How much one of several choices is wanted, from 0 to 1 (RFC 9110 §12.4.2).
enum QualityValue {
    /// The number as the grammar has it: at most three decimals, none of them a zero at the end, whatever the locale.
    ///
    /// Less than 0 counts as 0 and more than 1 as 1. NaN counts as 1, the weight of a choice that has none. More than 0
    /// never becomes 0, which would forbid the choice.
    static func text(of quality: Double) -> String {
        let thousandths = thousandths(of: quality)
        if thousandths == 0 { return "0" }
        if thousandths == 1000 { return "1" }
        var digits = String(thousandths + 1000).utf8.dropFirst()
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return "0.\(Substring(digits))"
    }

    private static func thousandths(of quality: Double) -> Int {
        if quality.isNaN { return 1000 }
        if quality <= 0 { return 0 }
        return max(1, Int((min(quality, 1) * 1000).rounded()))
    }
}
