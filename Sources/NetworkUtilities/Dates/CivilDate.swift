/// A day of the proleptic Gregorian calendar in the years 0001 to 9999, as RFC 3339 §1 and ISO 8601 count days.
///
/// Uses integer arithmetic instead of `Calendar`: the results are equal on every platform (Foundation's calendar is
/// Julian before October 1582), no locale and no lock are needed, and nothing can overflow.
package struct CivilDate: Hashable, Sendable {
    /// 1…9999.
    package let year: Int

    /// 1…12.
    package let month: Int

    /// 1…31, and at most the length of the month.
    package let day: Int

    /// Creates a day; nil if the calendar has no such day, such as 30 February.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Self.length(ofMonth: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Creates a day from the number of days since 1970-01-01; nil outside the years 0001 to 9999.
    package init?(daysSince1970 days: Int) {
        // 0001-01-01 to 9999-12-31.
        guard (-719_162...2_932_896).contains(days) else { return nil }
        let shifted = days + Self.daysFromMarch0000
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The number of days since 1970-01-01, negative before it.
    package var daysSince1970: Int {
        // Years that begin in March end with the leap day, so the first day of each month follows one formula.
        let yearFromMarch = month <= 2 ? year - 1 : year
        let monthFromMarch = month <= 2 ? month + 9 : month - 3
        let (era, yearOfEra) = yearFromMarch.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysFromMarch0000
    }

    /// The number of days in 400 years, after which the calendar repeats itself.
    private static let daysPerEra = 146_097

    /// The number of days from 0000-03-01 to 1970-01-01.
    private static let daysFromMarch0000 = 719_468

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// The conversion between a `Date` and a day with a second of that day, in UTC and in the years 0001 to 9999.
///
/// Seconds are counted in 64 bits: `Int` has 32 bits on some watches, too few for a date in 2038.
enum UTC {
    static let secondsPerDay: Int64 = 86_400

    /// The number of seconds from 1970-01-01 to Foundation's reference date, 2001-01-01.
    static let referenceSeconds: Int64 = 978_307_200

    /// The years 0001 to 9999 in seconds since 1970.
    static let supportedSeconds = -62_135_596_800.0..<253_402_300_800.0

    /// The years 0001 to 9999 in seconds since Foundation's reference date.
    static let supportedReferenceSeconds = -63_113_904_000.0..<252_423_993_600.0

    /// Returns the day, and the second of that day, for whole seconds since 1970; nil outside the supported years.
    static func split(secondsSince1970 seconds: Int64) -> (day: CivilDate, secondOfDay: Int)? {
        let (quotient, remainder) = seconds.quotientAndRemainder(dividingBy: secondsPerDay)
        let day = remainder < 0 ? quotient - 1 : quotient
        return CivilDate(daysSince1970: Int(day)).map { ($0, Int(seconds - day * secondsPerDay)) }
    }

    /// Returns the instant for whole seconds since 1970 and a fraction; nil outside the supported years.
    static func date(secondsSince1970 seconds: Int64, nanosecond: Int = 0) -> Date? {
        guard supportedSeconds.contains(Double(seconds)) else { return nil }
        // Counted from Foundation's reference date, so that only this addition rounds.
        let instant = Double(seconds - referenceSeconds) + Double(nanosecond) / 1_000_000_000
        // The last nanoseconds of the year 9999, which some services send for "never", would round up to 10000.
        return Date(timeIntervalSinceReferenceDate: min(instant, supportedReferenceSeconds.upperBound.nextDown))
    }

    /// Returns the number of seconds from 1970 to the beginning of a day.
    static func midnight(of day: CivilDate) -> Int64 {
        Int64(day.daysSince1970) * secondsPerDay
    }
}

/// Reads a date from left to right; each step consumes its part of the text, or returns nil or false if that part is
/// missing.
struct DateScanner {
    private var rest: Substring.UTF8View

    init(_ text: Substring.UTF8View) {
        rest = text
    }

    var isAtEnd: Bool { rest.isEmpty }

    func isAt(_ character: Unicode.Scalar) -> Bool {
        rest.first == UInt8(ascii: character)
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard isAt(character) else { return false }
        rest.removeFirst()
        return true
    }

    mutating func takeDigit() -> Int? {
        guard let byte = rest.first, ASCII.isDigit(byte) else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }

    /// Reads a number of exactly this many digits.
    mutating func takeNumber(digits count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let digit = takeDigit() else { return nil }
            number = number * 10 + digit
        }
        return number
    }

    /// Reads `hh:mm`, and returns it in minutes.
    mutating func takeMinuteOfDay() -> Int? {
        guard let hour = takeNumber(digits: 2), hour < 24, take(":") else { return nil }
        guard let minute = takeNumber(digits: 2), minute < 60 else { return nil }
        return hour * 60 + minute
    }

    mutating func takeLetters() -> Substring {
        let letters = rest.prefix(while: ASCII.isLetter)
        rest = rest[letters.endIndex...]
        return Substring(letters)
    }
}

extension [UInt8] {
    /// Appends a number with leading zeros, and a separator.
    mutating func append(_ number: Int, digits: Int, _ separator: Unicode.Scalar) {
        var divisor = (1..<digits).reduce(1) { product, _ in product * 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
        append(UInt8(ascii: separator))
    }

    /// Appends a time of day as `hh:mm:ss`, and a separator.
    mutating func append(secondOfDay: Int, _ separator: Unicode.Scalar) {
        append(secondOfDay / 3600, digits: 2, ":")
        append(secondOfDay / 60 % 60, digits: 2, ":")
        append(secondOfDay % 60, digits: 2, separator)
    }
}
