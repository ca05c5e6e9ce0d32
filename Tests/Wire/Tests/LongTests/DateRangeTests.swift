@testable import NetworkUtilities

struct DateRangeTests {
    @Test(.longComputation) func anInternetDateTimeIsReadBackAsTheSameMillisecond() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            let date = Date(
                timeIntervalSince1970: .random(in: -62_135_596_800..<253_402_300_799, using: &generator)
            )
            let text = try #require(InternetDateTime.text(of: date))
            let read = try #require(InternetDateTime.date(from: text))
            #expect(abs(read.timeIntervalSince(date)) < 0.000_6)
            expect(InternetDateTime.text(of: read), text)
        }
    }

    @Test func everyCivilDateOfFourHundredYearsFollowsTheOneBefore() throws {
        let first = try #require(CivilDate(year: 1601, month: 1, day: 1)).daysSince1970
        var expected = (year: 1601, month: 1, day: 1)
        for days in first..<(first + 146_097) {
            let date = try #require(CivilDate(daysSince1970: days))
            expect([date.year, date.month, date.day], [expected.year, expected.month, expected.day])
            expect(date.daysSince1970, days)
            if CivilDate(year: date.year, month: date.month, day: date.day + 1) != nil {
                expected.day += 1
            } else {
                expected = date.month == 12 ? (date.year + 1, 1, 1) : (date.year, date.month + 1, 1)
            }
        }
        #expect(expected == (2001, 1, 1))
    }
}
