@testable import NetworkUtilities

struct CivilDateTests {
    private static let countedDays: [(Int, Int, Int, Int)] = [
        (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (2000, 3, 1, 11_017), (2001, 1, 1, 11_323),
        (1900, 3, 1, -25_508), (1, 1, 1, -719_162), (1, 3, 1, -719_103), (9999, 12, 31, 2_932_896),
        (2024, 2, 29, 19_782), (2400, 2, 29, 157_113), (2023, 2, 28, 19_416), (2024, 12, 31, 20_088),
    ]

    @Test(arguments: countedDays)
    func aCivilDateCountsItsDaysSince1970(year: Int, month: Int, day: Int, days: Int) throws {
        let date = try #require(CivilDate(year: year, month: month, day: day))
        expect(date.daysSince1970, days)
        expect(CivilDate(daysSince1970: days), date)
    }

    @Test func aDayThatTheCalendarOfTheYears1To9999LacksIsNoCivilDate() {
        let days: [(Int, Int, Int)] = [
            (2024, 2, 30), (2023, 2, 29), (1900, 2, 29), (2100, 2, 29), (2024, 4, 31), (2024, 6, 31), (2024, 9, 31),
            (2024, 11, 31), (2024, 1, 32), (2024, 1, 0), (2024, 0, 1), (2024, 13, 1), (0, 1, 1), (10_000, 1, 1),
            (-1, 1, 1), (Int.max, 1, 1), (2024, Int.min, 1), (2024, 1, Int.min),
        ]
        for (year, month, day) in days { expect(CivilDate(year: year, month: month, day: day), nil) }
        for days in [-719_163, 2_932_897, Int.min, Int.max] { expect(CivilDate(daysSince1970: days), nil) }
    }

    @Test func civilDatesAgreeWithTheGregorianCalendarOfFoundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            // Before October 1582 Foundation counts in the Julian calendar.
            let days = Int.random(in: -141_000...2_932_896, using: &generator)
            let parts = calendar.dateComponents(
                [.year, .month, .day],
                from: Date(timeIntervalSince1970: Double(days) * 86_400)
            )
            let date = try #require(CivilDate(daysSince1970: days))
            expect([date.year, date.month, date.day], [parts.year, parts.month, parts.day])
        }
    }
}
