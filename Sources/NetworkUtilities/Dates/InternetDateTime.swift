/// Dates in JSON, forms and queries: RFC 3339 §5.6, and the looser forms of ISO 8601 that services send.
///
/// One type reads and writes dates, so that every date that the library writes is read back as the same instant.
/// `ISO8601DateFormatter` is not used: it reads one form at a time, takes a lock, and accepts days that do not exist.
package enum InternetDateTime {
    /// Returns the instant of a text; nil if the form is not accepted, or the calendar has no such day or time.
    ///
    /// Accepted are `2024-01-02` (midnight UTC) and `2024-01-02T03:04:05.678Z`, where `T` and `Z` may be in lower case,
    /// a space may stand for `T`, the seconds and their fraction may be absent, the zone may be `Z`, `+02:00`, `+0200`,
    /// `+02` or absent (UTC). Digits of the fraction after the ninth are dropped.
    package static func date(from text: String) -> Date? {
        var scanner = DateScanner(Substring(text).utf8)
        guard let day = scanner.takeDay() else { return nil }
        let midnight = UTC.midnight(of: day)
        if scanner.isAtEnd { return UTC.date(secondsSince1970: midnight) }

        guard scanner.take("T") || scanner.take("t") || scanner.take(" ") else { return nil }
        guard let minute = scanner.takeMinuteOfDay(), let second = scanner.takeSecond() else { return nil }
        guard let nanosecond = scanner.takeFraction(), let offset = scanner.takeOffset() else { return nil }

        let startOfMinute = midnight + Int64(minute * 60 - offset)
        // Leap seconds are inserted at the end of a day in UTC (RFC 3339 §5.7); elsewhere 60 is an error. `Date` has no
        // leap seconds: the instant becomes the first second of the next day, as in POSIX.
        if second == 60, !(startOfMinute + 60).isMultiple(of: UTC.secondsPerDay) { return nil }
        guard scanner.isAtEnd else { return nil }
        return UTC.date(secondsSince1970: startOfMinute + Int64(second), nanosecond: nanosecond)
    }

    /// Returns the instant of a number of seconds since 1970-01-01T00:00:00Z; nil outside the years 0001 to 9999 and
    /// for NaN.
    package static func date(secondsSince1970 seconds: Double) -> Date? {
        UTC.supportedSeconds.contains(seconds) ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// Returns the text of an instant in UTC, as in `2024-01-02T03:04:05.678Z`, without the fraction if it is zero.
    ///
    /// Rounded to the millisecond; nil outside the years 0001 to 9999.
    package static func text(of date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard UTC.supportedReferenceSeconds.contains(seconds) else { return nil }
        // The last half millisecond of the year 9999 is not rounded up: the year 10000 has no text.
        let rounded = min((seconds * 1000).rounded(), UTC.supportedReferenceSeconds.upperBound * 1000 - 1)
        let milliseconds = Int64(rounded) + UTC.referenceSeconds * 1000
        let millisecond = ((milliseconds % 1000) + 1000) % 1000
        let parts = UTC.split(secondsSince1970: (milliseconds - millisecond) / 1000)
        guard let (day, secondOfDay) = parts else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        bytes.append(day.year, digits: 4, "-")
        bytes.append(day.month, digits: 2, "-")
        bytes.append(day.day, digits: 2, "T")
        bytes.append(secondOfDay: secondOfDay, millisecond == 0 ? "Z" : ".")
        if millisecond != 0 { bytes.append(Int(millisecond), digits: 3, "Z") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension DateScanner {
    fileprivate mutating func takeDay() -> CivilDate? {
        guard let year = takeNumber(digits: 4), take("-") else { return nil }
        guard let month = takeNumber(digits: 2), take("-"), let day = takeNumber(digits: 2) else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    /// Reads the seconds without their fraction; 0 if the text has none.
    fileprivate mutating func takeSecond() -> Int? {
        // `03:04.5`, which is half a minute in ISO 8601, is refused: only seconds may have a fraction.
        guard take(":") else { return isAt(".") ? nil : 0 }
        return takeNumber(digits: 2).flatMap { $0 <= 60 ? $0 : nil }
    }

    /// Reads the fraction of a second in nanoseconds; 0 if the text has none.
    fileprivate mutating func takeFraction() -> Int? {
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

    /// Reads the zone in seconds east of UTC; a missing zone is UTC.
    fileprivate mutating func takeOffset() -> Int? {
        if isAtEnd || take("Z") || take("z") { return 0 }
        let sign = isAt("-") ? -1 : 1
        guard take("+") || take("-"), let hour = takeNumber(digits: 2), hour < 24 else { return nil }
        if isAtEnd { return sign * hour * 3600 }
        _ = take(":")
        guard let minute = takeNumber(digits: 2), minute < 60 else { return nil }
        return sign * (hour * 3600 + minute * 60)
    }
}
