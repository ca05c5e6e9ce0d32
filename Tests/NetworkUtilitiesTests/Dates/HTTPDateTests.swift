@testable import NetworkUtilities

struct HTTPDateTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func seconds(_ text: String, now: Double = now.timeIntervalSince1970) -> Double? {
        HTTPDate.date(from: text, now: Date(timeIntervalSince1970: now))?.timeIntervalSince1970
    }

    @Test func anHTTPDateIsWrittenInThePreferredForm() {
        let rows: [(Double, String?)] = [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (-0.5, "Wed, 31 Dec 1969 23:59:59 GMT"),
            (784_111_777.999, "Sun, 06 Nov 1994 08:49:37 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (253_402_300_800, nil), (-62_135_596_801, nil), (.nan, nil), (.infinity, nil), (-.infinity, nil),
        ]
        for (seconds, text) in rows { expect(HTTPDate.text(of: Date(timeIntervalSince1970: seconds)), text) }
    }

    @Test func anHTTPDateIsReadInItsThreeFormsOnly() {
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
            "Sun Nov 06 08:49:37 1994", "Mon, 06 Nov 1994 08:49:37 GMT", " Sun, 06 Nov 1994 08:49:37 GMT\t",
            "sun, 06 nov 1994 08:49:37 gmt", "SUNDAY, 06-NOV-94 08:49:37 GMT", "SUN NOV 06 08:49:37 1994",
        ] {
            expect(seconds(text), 784_111_777, text)
        }
        for text in [
            "", "1994-11-06T08:49:37Z", "784111777", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT.",
            "Foo, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Foo 1994 08:49:37 GMT",
            "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 23:60:00 GMT", "Sun, 06 Nov 1994 23:59:61 GMT",
            "Sun, 06 Nov 1994  08:49:37 GMT", "Sun, 06-Nov-1994 08:49:37 GMT", "Sunday, 06 Nov 1994 08:49:37 GMT",
            "Sun Nov 6 08:49:37 1994", "Sun Nov  6 08:49:37 1994 GMT", "Sun Nov  6 08:49:37 94",
            "Sun, ٠٦ Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37", "Sunday", "Sun,",
            "Sun, 06 Nov 1994 -8:49:37 GMT", "Fri, 31 Dec 9999 23:59:60 GMT",
        ] {
            expect(seconds(text), nil, text)
        }
        // A leap second is the next second.
        expect(seconds("Sat, 31 Dec 2016 23:59:60 GMT"), 1_483_228_800)
    }

    @Test func aTwoDigitYearOfAnHTTPDateIsTheLatestWithinFiftyYears() throws {
        // Now is 2023-11-14 22:13:20, so that fifty years later is 2073-11-14 22:13:20.
        let rows: [(String, Int)] = [
            ("14-Nov-73 22:13:20", 2073), ("14-Nov-73 22:13:21", 1973), ("15-Nov-73 00:00:00", 1973),
            ("01-Jan-74 00:00:00", 1974), ("01-Jan-99 00:00:00", 1999), ("01-Jan-00 00:00:00", 2000),
            ("29-Feb-00 00:00:00", 2000), ("14-Nov-23 22:13:20", 2023), ("01-Jan-72 00:00:00", 2072),
        ]
        for (text, year) in rows {
            let date = try #require(HTTPDate.date(from: "Monday, \(text) GMT", now: Self.now))
            expect(HTTPDate.text(of: date)?.dropFirst(12).prefix(4), "\(year)")
        }
        expect(seconds("Friday, 01-Jan-00 00:00:00 GMT", now: 4_102_444_799), 4_102_444_800, "the next century")
        for now in [Double.nan, .infinity, -.infinity, 1e300] {
            expect(seconds("Sunday, 06-Nov-94 08:49:37 GMT", now: now), nil, "\(now)")
        }
    }

    @Test func anHTTPDateIsReadBackAndAgreesWithDateFormatter() throws {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<500 {
            // Before October 1582 Foundation counts in the Julian calendar.
            let seconds = Int.random(in: -12_000_000_000...253_402_300_799, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let text = try #require(HTTPDate.text(of: date))
            expect(HTTPDate.date(from: text, now: Self.now), date)
            expect(text, formatter.string(from: date))
        }
    }
}
