/// Dates in header fields (RFC 9110 §5.6.7).
///
/// `DateFormatter` is not used: it takes a lock and looks up the locale for each date.
package enum HTTPDate {
    /// Returns the text of an instant in the preferred form, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// Drops a fraction of a second; nil outside the years 0001 to 9999.
    package static func text(of date: Date) -> String? {
        guard let (day, secondOfDay) = split(date) else { return nil }
        // 1970-01-01 was a Thursday; the result is in 0…6 for negative days too.
        let weekday = ((day.daysSince1970 % 7) + 11) % 7
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        bytes.append(contentsOf: "\(shortWeekdays[weekday]), ".utf8)
        bytes.append(day.day, digits: 2, " ")
        bytes.append(contentsOf: "\(months[day.month - 1]) ".utf8)
        bytes.append(day.year, digits: 4, " ")
        bytes.append(secondOfDay: secondOfDay, " ")
        bytes.append(contentsOf: "GMT".utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the instant of a text in any of the three forms that RFC 9110 requires recipients to read; nil for other
    /// texts.
    ///
    /// Names may be in any letter case (RFC 9111 §4.2). The text must begin with the name of a weekday, which need not
    /// be the weekday of the date. A two-digit year, in the RFC 850 form, is the latest year with these digits that is
    /// at most 50 years after `now`.
    package static func date(from text: String, now: Date) -> Date? {
        if let date = text.utf8.withContiguousStorageIfAvailable(exact) ?? nil { return date }
        var scanner = DateScanner(ASCII.trimmed(text.utf8))
        let name = String(scanner.takeLetters())
        let isLong = weekdays.contains { ASCII.isSame($0, name) }
        guard isLong || shortWeekdays.contains(where: { ASCII.isSame($0, name) }) else { return nil }
        let date =
            isLong ? scanner.takeRFC850(now) : scanner.take(",") ? scanner.takePreferred() : scanner.takeAsctime()
        return scanner.isAtEnd ? date : nil
    }

    /// Reads the preferred form in its usual spelling, a quarter of the time of the other forms; nil for other texts.
    private static func exact(_ text: UnsafeBufferPointer<UInt8>) -> Date? {
        func number(_ range: Range<Int>) -> Int? {
            let digits = text[range]
            guard digits.allSatisfy(ASCII.isDigit) else { return nil }
            return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        func isAt(_ offset: Int, _ part: StaticString) -> Bool {
            text[offset..<offset + part.utf8CodeUnitCount].elementsEqual(
                UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
            )
        }
        guard text.count == 29, isAt(3, ", "), isAt(7, " "), isAt(11, " "), isAt(16, " "), isAt(19, ":"),
            isAt(22, ":"), isAt(25, " GMT"), shortWeekdays.contains(where: { $0.utf8.elementsEqual(text[..<3]) }),
            let month = months.firstIndex(where: { $0.utf8.elementsEqual(text[8..<11]) }),
            let day = number(5..<7), let year = number(12..<16), let hour = number(17..<19), hour < 24,
            let minute = number(20..<22), minute < 60, let second = number(23..<25), second <= 60
        else { return nil }
        return CivilDate(year: year, month: month + 1, day: day).flatMap { civil in
            UTC.date(secondsSince1970: UTC.midnight(of: civil) + Int64(hour * 3_600 + minute * 60 + second))
        }
    }

    fileprivate static func split(_ date: Date) -> (day: CivilDate, secondOfDay: Int)? {
        let seconds = date.timeIntervalSince1970
        guard UTC.supportedSeconds.contains(seconds) else { return nil }
        return UTC.split(secondsSince1970: Int64(seconds.rounded(.down)))
    }

    private static let weekdays: [String] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    private static let shortWeekdays = weekdays.map { String($0.prefix(3)) }

    fileprivate static let months: [String] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}

extension DateScanner {
    /// Reads ` 06 Nov 1994 08:49:37 GMT`, after `Sun,`.
    fileprivate mutating func takePreferred() -> Date? {
        guard take(" "), let day = takeNumber(digits: 2), take(" "), let month = takeMonth(), take(" ") else {
            return nil
        }
        guard let year = takeNumber(digits: 4), take(" "), let second = takeTime(), takeZone() else { return nil }
        return Self.date(year, month, day, second)
    }

    /// Reads `, 06-Nov-94 08:49:37 GMT`, after `Sunday`.
    fileprivate mutating func takeRFC850(_ now: Date) -> Date? {
        guard take(","), take(" "), let day = takeNumber(digits: 2), take("-"), let month = takeMonth(), take("-")
        else { return nil }
        guard let digits = takeNumber(digits: 2), take(" "), let second = takeTime(), takeZone() else { return nil }
        guard let (today, secondOfToday) = HTTPDate.split(now) else { return nil }
        let latest = (today.year + 50, today.month, today.day, secondOfToday)
        let year = latest.0 - latest.0 % 100 + digits
        return Self.date((year, month, day, second) > latest ? year - 100 : year, month, day, second)
    }

    /// Reads ` Nov  6 08:49:37 1994`, after `Sun`.
    fileprivate mutating func takeAsctime() -> Date? {
        guard take(" "), let month = takeMonth(), take(" ") else { return nil }
        guard let day = takeNumber(digits: take(" ") ? 1 : 2), take(" "), let second = takeTime() else { return nil }
        guard take(" "), let year = takeNumber(digits: 4) else { return nil }
        return Self.date(year, month, day, second)
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int, _ secondOfDay: Int) -> Date? {
        CivilDate(year: year, month: month, day: day).flatMap { day in
            UTC.date(secondsSince1970: UTC.midnight(of: day) + Int64(secondOfDay))
        }
    }

    private mutating func takeMonth() -> Int? {
        let name = String(takeLetters())
        return HTTPDate.months.firstIndex { ASCII.isSame($0, name) }.map { $0 + 1 }
    }

    /// Reads the second of the day; a leap second (60) counts as the next second, as in `Date`.
    private mutating func takeTime() -> Int? {
        guard let minute = takeMinuteOfDay(), take(":"), let second = takeNumber(digits: 2), second <= 60 else {
            return nil
        }
        return minute * 60 + second
    }

    private mutating func takeZone() -> Bool {
        take(" ") && ASCII.isSame(String(takeLetters()), "GMT")
    }
}
