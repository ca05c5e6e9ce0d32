import Foundation

/// Reads a date of a header field from left to right; every step answers nil on what is not in the grammar.
struct HTTPDateParser {
    private var rest: Substring.UTF8View

    init(_ text: String) {
        rest = Substring(text).utf8
        while let first = rest.first, HeaderField.isWhiteSpace(first) { rest.removeFirst() }
        while let last = rest.last, HeaderField.isWhiteSpace(last) { rest.removeLast() }
    }

    /// The instant that the whole text names.
    mutating func parse(now: Date) -> Date? {
        let name = takeLetters()
        let isLong = Self.weekdays.contains(name)
        guard isLong || Self.weekdays.contains(where: { $0.prefix(3) == name }) else { return nil }
        let date = isLong ? parseObsolete(now) : take(",") ? parseFixed() : parseOfC()
        return rest.isEmpty ? date : nil
    }

    /// The rest of `Sun, 06 Nov 1994 08:49:37 GMT`.
    private mutating func parseFixed() -> Date? {
        guard take(" "), let day = takeDigits(2), take(" "), let month = takeMonth(), take(" ") else { return nil }
        guard let year = takeDigits(4), take(" "), let second = takeTime(), takeZone() else { return nil }
        return Self.date(year, month, day, second)
    }

    /// The rest of `Sunday, 06-Nov-94 08:49:37 GMT`.
    private mutating func parseObsolete(_ now: Date) -> Date? {
        guard take(","), take(" "), let day = takeDigits(2), take("-"), let month = takeMonth(), take("-") else {
            return nil
        }
        guard let digits = takeDigits(2), take(" "), let second = takeTime(), takeZone() else { return nil }
        guard HTTPDate.supportedSeconds.contains(now.timeIntervalSince1970) else { return nil }
        let (today, secondOfToday) = HTTPDate.split(now.timeIntervalSince1970)
        guard let present = CivilDate(daysSince1970: today) else { return nil }
        let latest = (present.year + 50, present.month, present.day, secondOfToday)
        let year = latest.0 - latest.0 % 100 + digits
        return Self.date((year, month, day, second) > latest ? year - 100 : year, month, day, second)
    }

    /// The rest of `Sun Nov  6 08:49:37 1994`.
    private mutating func parseOfC() -> Date? {
        guard take(" "), let month = takeMonth(), take(" ") else { return nil }
        guard let day = take(" ") ? takeDigits(1) : takeDigits(2), take(" "), let second = takeTime() else {
            return nil
        }
        guard take(" "), let year = takeDigits(4) else { return nil }
        return Self.date(year, month, day, second)
    }

    private static func date(_ year: Int, _ month: Int, _ day: Int, _ secondOfDay: Int) -> Date? {
        guard let civil = CivilDate(year: year, month: month, day: day) else { return nil }
        let midnight = Int64(civil.daysSince1970) * InternetDateTime.secondsPerDay
        return InternetDateTime.date(secondsSince1970: midnight + Int64(secondOfDay), nanosecond: 0)
    }

    private mutating func takeMonth() -> Int? {
        Self.months.firstIndex(of: takeLetters()).map { $0 + 1 }
    }

    /// The second of the day; the grammar has 60 for a leap second, which is the next second in `Date`.
    private mutating func takeTime() -> Int? {
        guard let hour = takeDigits(2), hour < 24, take(":"), let minute = takeDigits(2), minute < 60 else {
            return nil
        }
        guard take(":"), let second = takeDigits(2), second <= 60 else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private mutating func takeZone() -> Bool {
        take(" ") && takeLetters() == "GMT"
    }

    private mutating func takeLetters() -> Substring {
        let letters = rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
        rest = rest[letters.endIndex...]
        return Substring(letters)
    }

    private mutating func takeDigits(_ count: Int) -> Int? {
        var number = 0
        for _ in 0..<count {
            guard let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            number = number * 10 + Int(byte - UInt8(ascii: "0"))
            rest.removeFirst()
        }
        return number
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    static let weekdays: [Substring] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ]

    static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
}
