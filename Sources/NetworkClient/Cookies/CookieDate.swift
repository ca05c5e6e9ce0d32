import Foundation
import NetworkUtilities

/// Dates in cookies, in whatever form servers write them (RFC 6265 §5.1.1).
struct CookieDate {
    private var time: (hour: Int, minute: Int, second: Int)?
    private var day: Int?
    private var month: Int?
    private var year: Int?

    /// The instant that a text names; nil if it lacks a part, or there is no such instant.
    static func date(from text: some Sequence<UInt8>) -> Date? {
        var parts = CookieDate()
        for token in Array(text).split(whereSeparator: isDelimiter) { parts.take(token) }
        return parts.date
    }

    /// A token is the first of the missing parts that it looks like.
    private mutating func take(_ token: ArraySlice<UInt8>) {
        if time == nil, let time = Self.time(token) {
            self.time = time
        } else if day == nil, let day = Self.number(token, 1...2) {
            self.day = day
        } else if month == nil, let month = Self.month(token) {
            self.month = month
        } else if year == nil, let year = Self.number(token, 2...4) {
            self.year = year
        }
    }

    private var date: Date? {
        guard let time, let day, let month, let year else { return nil }
        let fullYear = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
        guard fullYear >= 1601, time.hour <= 23, time.minute <= 59, time.second <= 59 else { return nil }
        guard let civil = CivilDate(year: fullYear, month: month, day: day) else { return nil }
        let second = time.hour * 3600 + time.minute * 60 + time.second
        return Date(timeIntervalSince1970: Double(civil.daysSince1970) * 86_400 + Double(second))
    }

    /// One or two digits three times, with colons between them; what follows does not count.
    private static func time(_ token: ArraySlice<UInt8>) -> (hour: Int, minute: Int, second: Int)? {
        let fields = token.split(separator: UInt8(ascii: ":"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].allSatisfy(CookieGrammar.isDigit),
            fields[1].allSatisfy(CookieGrammar.isDigit)
        else { return nil }
        guard let hour = number(fields[0], 1...2), let minute = number(fields[1], 1...2) else { return nil }
        return number(fields[2], 1...2).map { (hour, minute, $0) }
    }

    /// The number at the beginning of a token, if it has so many digits and no more.
    private static func number(_ token: ArraySlice<UInt8>, _ digits: ClosedRange<Int>) -> Int? {
        let digitsHere = token.prefix(digits.upperBound + 1).prefix(while: CookieGrammar.isDigit)
        guard digits.contains(digitsHere.count) else { return nil }
        return digitsHere.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// By its first three letters, in any case.
    private static func month(_ token: ArraySlice<UInt8>) -> Int? {
        let letters = token.prefix(3).map { $0 | 0x20 }
        return months.firstIndex { $0.utf8.elementsEqual(letters) }.map { $0 + 1 }
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x20...0x2F, 0x3B...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}
