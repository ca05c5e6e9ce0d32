import Foundation

/// Reads a date from its text from left to right; every step takes what it knows and answers nil on anything else.
///
/// Written by hand because `ISO8601DateFormatter` knows one form at a time, costs a lock, and accepts days that do not
/// exist.
struct InternetDateTimeParser {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
    }

    /// The instant that the whole text names.
    mutating func parse() -> Date? {
        guard let day = parseDay() else { return nil }
        let midnight = Int64(day.daysSince1970) * InternetDateTime.secondsPerDay
        if rest.isEmpty { return InternetDateTime.date(secondsSince1970: midnight, nanosecond: 0) }

        guard take("T") || take("t") || take(" "), let minute = parseMinuteOfDay() else { return nil }
        guard let second = parseSecond(), let nanosecond = parseFraction() else { return nil }
        guard let offset = parseOffset(), rest.isEmpty else { return nil }

        let startOfMinute = midnight + Int64(minute * 60 - offset)
        if second == 60, !Self.mayHaveLeapSecond(startOfMinute) { return nil }
        return InternetDateTime.date(secondsSince1970: startOfMinute + Int64(second), nanosecond: nanosecond)
    }

    /// Leap seconds are inserted at the end of a day in UTC (RFC 3339 §5.7), so elsewhere 60 is a mistake.
    ///
    /// `Date` has no leap seconds: such an instant becomes the first second of the next day, as POSIX has it.
    private static func mayHaveLeapSecond(_ startOfMinute: Int64) -> Bool {
        (startOfMinute + 60).isMultiple(of: InternetDateTime.secondsPerDay)
    }

    private mutating func parseDay() -> CivilDate? {
        guard let year = parseDigits(4), take("-") else { return nil }
        guard let month = parseDigits(2), take("-"), let day = parseDigits(2) else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    private mutating func parseMinuteOfDay() -> Int? {
        guard let hour = parseDigits(2), hour < 24, take(":") else { return nil }
        guard let minute = parseDigits(2), minute < 60 else { return nil }
        return hour * 60 + minute
    }

    /// The seconds, 0 if the text goes on without them; their fraction stays for ``parseFraction()``.
    private mutating func parseSecond() -> Int? {
        // `03:04.5`, half a minute in ISO 8601, is refused: only seconds have fractions here.
        guard take(":") else { return rest.first == UInt8(ascii: ".") ? nil : 0 }
        return parseDigits(2).flatMap { $0 <= 60 ? $0 : nil }
    }

    /// The fraction in nanoseconds, 0 if there is none; digits after the ninth are dropped.
    private mutating func parseFraction() -> Int? {
        guard take(".") else { return 0 }
        guard let first = takeDigit() else { return nil }
        var unit = 100_000_000
        var nanosecond = first * unit
        while let digit = takeDigit() {
            unit /= 10
            nanosecond += digit * unit
        }
        return nanosecond
    }

    /// Seconds east of UTC; an absent zone is UTC.
    private mutating func parseOffset() -> Int? {
        if rest.isEmpty || take("Z") || take("z") { return 0 }
        let sign: Int
        if take("+") {
            sign = 1
        } else if take("-") {
            sign = -1
        } else {
            return nil
        }
        guard let hour = parseDigits(2), hour < 24 else { return nil }
        if rest.isEmpty { return sign * hour * 3600 }
        _ = take(":")
        guard let minute = parseDigits(2), minute < 60 else { return nil }
        return sign * (hour * 3600 + minute * 60)
    }

    private mutating func parseDigits(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = takeDigit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    private mutating func takeDigit() -> Int? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }
}
