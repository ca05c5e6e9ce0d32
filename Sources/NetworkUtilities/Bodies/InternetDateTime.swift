package import Foundation

/// Dates as text on the wire: the forms of RFC 3339 §5.6, and the looser ones of ISO 8601 that services send.
///
/// The one place for both directions, so that what is encoded here is decoded here as the same instant.
package enum InternetDateTime {
    /// The instant that the text names; nil if it is not a date in an accepted form, or one that does not exist.
    ///
    /// Accepted are `2024-01-02` (midnight UTC) and `2024-01-02T03:04:05.678Z`, where `T` and `Z` may be in lower case,
    /// a space may stand for `T`, the seconds and their fraction may be absent, the zone may be `Z`, `+02:00`, `+0200`,
    /// `+02` or absent (UTC). Fractions count to the nanosecond, further digits are dropped.
    package static func date(from text: String) -> Date? {
        var parser = InternetDateTimeParser(text)
        return parser.parse()
    }

    /// The instant so many seconds after 1970-01-01T00:00:00Z; nil outside the years 0001 to 9999, or if not finite.
    package static func date(secondsSince1970 seconds: Double) -> Date? {
        supportedSeconds.contains(seconds) ? Date(timeIntervalSince1970: seconds) : nil
    }

    /// The text of an instant in UTC, as in `2024-01-02T03:04:05.678Z`, without the fraction if it is zero.
    ///
    /// Rounded to the millisecond; nil outside the years 0001 to 9999.
    package static func text(of date: Date) -> String? {
        let seconds = date.timeIntervalSinceReferenceDate
        guard supportedReferenceSeconds.contains(seconds) else { return nil }
        // The last half millisecond of the year 9999 is not rounded up, since there is no text for what follows it.
        let rounded = min((seconds * 1000).rounded(), supportedReferenceSeconds.upperBound * 1000 - 1)
        let milliseconds = Int64(rounded) + referenceSeconds * 1000
        let secondOfEra = flooredQuotient(milliseconds, 1000)
        let day = flooredQuotient(secondOfEra, secondsPerDay)
        return CivilDate(daysSince1970: Int(day)).map { civil in
            text(
                of: civil,
                secondOfDay: Int(secondOfEra - day * secondsPerDay),
                millisecond: Int(milliseconds - secondOfEra * 1000)
            )
        }
    }

    /// The instant of whole seconds since 1970 and a fraction; nil outside the years 0001 to 9999.
    static func date(secondsSince1970 seconds: Int64, nanosecond: Int) -> Date? {
        // Counted from Foundation's reference date, so that only the last addition rounds.
        let instant = Double(seconds - referenceSeconds) + Double(nanosecond) / 1_000_000_000
        guard supportedSeconds.contains(Double(seconds)) else { return nil }
        // The last nanoseconds of the year 9999, which some services send for "never", would round into the next.
        return Date(timeIntervalSinceReferenceDate: min(instant, supportedReferenceSeconds.upperBound.nextDown))
    }

    /// All of this is counted in 64 bits: `Int` has 32 on some watches, which is too few for a date in 2038.
    static let secondsPerDay: Int64 = 86_400

    /// From 1970-01-01 to Foundation's reference date, 2001-01-01.
    private static let referenceSeconds: Int64 = 978_307_200

    private static let supportedSeconds = -62_135_596_800.0..<253_402_300_800.0

    private static let supportedReferenceSeconds = -63_113_904_000.0..<252_423_993_600.0

    private static func flooredQuotient(_ dividend: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = dividend.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    private static func text(of civil: CivilDate, secondOfDay: Int, millisecond: Int) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(24)
        func append(_ number: Int, divisor: Int, then separator: Unicode.Scalar) {
            var divisor = divisor
            while divisor > 0 {
                bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
                divisor /= 10
            }
            bytes.append(UInt8(ascii: separator))
        }
        append(civil.year, divisor: 1000, then: "-")
        append(civil.month, divisor: 10, then: "-")
        append(civil.day, divisor: 10, then: "T")
        append(secondOfDay / 3600, divisor: 10, then: ":")
        append(secondOfDay / 60 % 60, divisor: 10, then: ":")
        append(secondOfDay % 60, divisor: 10, then: millisecond == 0 ? "Z" : ".")
        if millisecond != 0 {
            append(millisecond, divisor: 100, then: "Z")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
