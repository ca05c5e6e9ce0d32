/// A day of the proleptic Gregorian calendar, years 0001 to 9999, as RFC 3339 §1 and ISO 8601 count them.
///
/// Plain integer arithmetic instead of `Calendar`: the same answers on every platform (Foundation's calendar turns
/// Julian before October 1582), no locale, no lock, and nothing that can overflow.
package struct CivilDate: Hashable, Sendable {
    /// 1…9999.
    package let year: Int

    /// 1…12.
    package let month: Int

    /// 1…31, and a day that the month has.
    package let day: Int

    /// The day of that name; nil if the calendar has none, such as 30 February.
    package init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1 else { return nil }
        guard day <= Self.length(ofMonth: month, year: year) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The day so many days after 1970-01-01; nil outside the years 0001 to 9999.
    package init?(daysSince1970 days: Int) {
        guard Self.supportedDays.contains(days) else { return nil }
        let shifted = days + Self.daysFromMarch0000
        let (era, dayOfEra) = shifted.quotientAndRemainder(dividingBy: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01, negative before it.
    package var daysSince1970: Int {
        // Years that begin in March put the leap day last, so that a month's first day has a formula.
        let yearFromMarch = month <= 2 ? year - 1 : year
        let monthFromMarch = month <= 2 ? month + 9 : month - 3
        let (era, yearOfEra) = yearFromMarch.quotientAndRemainder(dividingBy: 400)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * Self.daysPerEra + dayOfEra - Self.daysFromMarch0000
    }

    /// 0001-01-01 to 9999-12-31.
    package static let supportedDays = -719_162...2_932_896

    /// The calendar repeats itself every 400 years.
    private static let daysPerEra = 146_097

    /// From 0000-03-01 to 1970-01-01.
    private static let daysFromMarch0000 = 719_468

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
