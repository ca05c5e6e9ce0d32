package import Foundation

/// Dates in header fields (RFC 9110 §5.6.7), the one place for both directions.
///
/// `DateFormatter` would cost a lock and a lookup in the locale for each.
package enum HTTPDate {
    /// The text of an instant in the form that is to be sent, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
    ///
    /// A fraction of a second is dropped; nil outside the years 0001 to 9999.
    package static func text(of date: Date) -> String? {
        let seconds = date.timeIntervalSince1970
        guard supportedSeconds.contains(seconds) else { return nil }
        let (day, secondOfDay) = split(seconds)
        guard let civil = CivilDate(daysSince1970: day) else { return nil }
        // 1970-01-01 was a Thursday; the number is one of 0…6 also before it.
        let weekday = ((day % 7) + 11) % 7
        var bytes: [UInt8] = []
        bytes.reserveCapacity(29)
        bytes.append(contentsOf: "\(HTTPDateParser.weekdays[weekday].prefix(3)), ".utf8)
        append(civil.day, digits: 2, " ", to: &bytes)
        bytes.append(contentsOf: "\(HTTPDateParser.months[civil.month - 1]) ".utf8)
        append(civil.year, digits: 4, " ", to: &bytes)
        append(secondOfDay / 3600, digits: 2, ":", to: &bytes)
        append(secondOfDay / 60 % 60, digits: 2, ":", to: &bytes)
        append(secondOfDay % 60, digits: 2, " ", to: &bytes)
        bytes.append(contentsOf: "GMT".utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The instant that the text names in any of the three forms that recipients must read; nil if it is none of them.
    ///
    /// The weekday must be one, and need not be the right one. A year of two digits, in the oldest form, is the latest
    /// that is not more than 50 years after `now`.
    package static func date(from text: String, now: Date) -> Date? {
        var parser = HTTPDateParser(text)
        return parser.parse(now: now)
    }

    /// The day since 1970-01-01 and the second in it, of seconds that are known to be in the supported years.
    static func split(_ seconds: Double) -> (day: Int, secondOfDay: Int) {
        let whole = Int64(seconds.rounded(.down))
        let remainder = whole % InternetDateTime.secondsPerDay
        let secondOfDay = remainder < 0 ? remainder + InternetDateTime.secondsPerDay : remainder
        return (Int((whole - secondOfDay) / InternetDateTime.secondsPerDay), Int(secondOfDay))
    }

    /// 0001-01-01 up to, not including, 10000-01-01.
    static let supportedSeconds = -62_135_596_800.0..<253_402_300_800.0

    private static func append(_ number: Int, digits: Int, _ separator: Unicode.Scalar, to bytes: inout [UInt8]) {
        var divisor = digits == 4 ? 1000 : 10
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
        bytes.append(UInt8(ascii: separator))
    }
}
