@testable import NetworkUtilities

struct InternetDateTimeTests {
    private static let texts: [(Double, String)] = [
        (0.0, "1970-01-01T00:00:00Z"), (1_704_164_645.678, "2024-01-02T03:04:05.678Z"),
        (1_704_164_645, "2024-01-02T03:04:05Z"), (1_704_164_645.05, "2024-01-02T03:04:05.050Z"),
        (1_704_164_645.0004, "2024-01-02T03:04:05Z"), (1_704_164_645.0006, "2024-01-02T03:04:05.001Z"),
        (1_704_164_645.9996, "2024-01-02T03:04:06Z"), (-0.25, "1969-12-31T23:59:59.750Z"),
        (-86_400, "1969-12-31T00:00:00Z"), (-0.0001, "1970-01-01T00:00:00Z"), (951_782_400, "2000-02-29T00:00:00Z"),
        (-62_135_596_800, "0001-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        (253_402_300_799.9998, "9999-12-31T23:59:59.999Z"),
    ]

    @Test(arguments: texts)
    func anInternetDateTimeIsWrittenInUTCToTheMillisecond(seconds: Double, text: String) {
        expect(InternetDateTime.text(of: Date(timeIntervalSince1970: seconds)), text)
    }

    @Test func onlyAnInstantInTheYears1To9999HasAnInternetDateTime() {
        for seconds in [0, 1_704_164_645.25, -1.5, -62_135_596_800, 253_402_300_799] {
            expect(InternetDateTime.date(secondsSince1970: seconds), Date(timeIntervalSince1970: seconds))
        }
        for seconds in [
            -62_135_596_801.0, 253_402_300_800, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
            -.greatestFiniteMagnitude, 1e18, -1e18,
        ] {
            expect(InternetDateTime.text(of: Date(timeIntervalSince1970: seconds)), nil, "\(seconds)")
            expect(InternetDateTime.date(secondsSince1970: seconds), nil, "\(seconds)")
        }
        let last = InternetDateTime.date(from: "9999-12-31T23:59:59.9999999Z")
        expect(last.flatMap(InternetDateTime.text), "9999-12-31T23:59:59.999Z")
    }

    @Test func everyMillisecondOfASecondIsWrittenAndReadBack() throws {
        for second in [-1.0, 0, 1_704_164_645, -62_135_596_800, 253_402_300_799] {
            for millisecond in 0..<1000 {
                let date = Date(timeIntervalSince1970: second + Double(millisecond) / 1000)
                let text = try #require(InternetDateTime.text(of: date))
                let digits = "000\(millisecond)".suffix(3)
                #expect(text.hasSuffix(millisecond == 0 ? "Z" : ".\(digits)Z"))
                expect(InternetDateTime.date(from: text).flatMap(InternetDateTime.text), text)
            }
        }
    }

    /// 2024-01-02T03:04:05Z.
    private static let base = 1_704_164_645.0

    private static let acceptedForms: [(String, Double)] = [
        ("2024-01-02T03:04:05Z", base), ("2024-01-02t03:04:05z", base), ("2024-01-02 03:04:05Z", base),
        ("2024-01-02T03:04:05", base), ("2024-01-02 03:04:05", base), ("2024-01-02T03:04:05.123Z", base + 0.123),
        ("2024-01-02T03:04:05.1Z", base + 0.1), ("2024-01-02T03:04:05.1234567Z", base + 0.123_456_7),
        ("2024-01-02T03:04:05.123456789Z", base + 0.123_456_789),
        ("2024-01-02T03:04:05.12345678999999999999Z", base + 0.123_456_789), ("2024-01-02T03:04:05.000Z", base),
        ("2024-01-02T03:04:05.5", base + 0.5), ("2024-01-02T05:04:05+02:00", base), ("2024-01-02T05:04:05+0200", base),
        ("2024-01-02T05:04:05+02", base), ("2024-01-01T21:34:05-05:30", base), ("2024-01-01T21:34:05-0530", base),
        ("2024-01-02T03:04:05-00:00", base), ("2024-01-02T05:04:05.25+02:00", base + 0.25),
        ("2024-01-03T03:03:05+23:59", base), ("2024-01-02T03:04Z", base - 5), ("2024-01-02T03:04", base - 5),
        ("2024-01-02T05:04+02:00", base - 5), ("2024-01-02 05:04+02", base - 5), ("2024-01-02", 1_704_153_600),
        ("1970-01-01T00:00:00Z", 0), ("1969-12-31T23:59:59.75Z", -0.25), ("2000-02-29", 951_782_400),
        ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("2016-12-31T23:59:60Z", 1_483_228_800), ("2016-12-31T23:59:60.5Z", 1_483_228_800.5),
        ("2017-01-01T00:59:60+01:00", 1_483_228_800), ("2016-12-31T18:29:60-05:30", 1_483_228_800),
    ]

    @Test(arguments: acceptedForms)
    func everyAcceptedFormOfAnInternetDateTimeIsRead(text: String, seconds: Double) throws {
        let date = try #require(InternetDateTime.date(from: text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_001)
    }

    @Test func aTextInAnotherFormIsNotReadAsAnInternetDateTime() {
        for text in [
            "", " ", "2024", "2024-01", "2024-1-2", "24-01-02", "20240102", "2024-01-02T", "2024-01-02T03",
            "2024-01-02T03:", "2024-01-02T03:4Z", "2024-01-02T03:04:", "2024-01-02T03:04:5Z", "2024-01-02T03:04:05.",
            "2024-01-02T03Z", "2024-01-02T03:04:05.Z", "2024-01-02T03:04:05,123Z", "2024-01-02T03:04.5Z",
            "2024-01-02T03:04:05+", "2024-01-02T03:04:05+2", "2024-01-02T03:04:05+02:",
            "2024-01-02T03:04:05+02:0", "2024-01-02T03:04:05+020",
            "2024-01-02T03:04:05+24:00", "2024-01-02T03:04:05+02:60", "2024-01-02T03:04:05+02000",
            "2024-01-02T03:04:05ZZ",
            "2024-01-02T03:04:05 Z", "2024-01-02T03:04:05Z ", " 2024-01-02T03:04:05Z", "2024-01-02T03:04:05 +02:00",
            "2024-01-02Z", "2024-01-02+02:00", "2024-01-02  03:04:05", "2024-01-02_03:04:05Z", "2024/01/02",
            "+2024-01-02", "-2024-01-02", "02024-01-02", "2024-02-30", "2023-02-29", "2024-00-10", "2024-13-10",
            "2024-01-00", "2024-01-32", "2024-02-30T00:00:00Z", "0000-01-01", "2024-01-02T24:00:00Z",
            "2024-01-02T25:00:00Z", "2024-01-02T03:60:00Z", "2024-01-02T03:04:61Z", "2024-01-02T03:04:60Z",
            "2024-01-02T23:59:60+01:00", "9999-12-31T23:59:60Z", "9999-12-31T23:59:59-00:01",
            "0001-01-01T00:00:00+00:01",
            "٢٠٢٤-٠١-٠٢", "2024-01-02T03:04:05\u{0}", "1704164645", "Tue, 02 Jan 2024 03:04:05 GMT", "null",
        ] {
            expect(InternetDateTime.date(from: text), nil, text)
        }
    }

    @Test func internetDateTimesAgreeWithISO8601DateFormatter() {
        let formatter = ISO8601DateFormatter()
        formatter.formatOptions = [.withInternetDateTime]
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            let seconds = Int.random(in: -12_000_000_000...253_402_200_000, using: &generator)
            let offset = Int.random(in: -840...840, using: &generator) * 60
            formatter.timeZone = TimeZone(secondsFromGMT: offset)
            let instant = Date(timeIntervalSince1970: Double(seconds))
            expect(InternetDateTime.date(from: formatter.string(from: instant)), instant)
        }
    }

    @Test func aMutilatedInternetDateTimeIsReadOrRefused() {
        var generator = SeededGenerator(seed: 3)
        let alphabet = Array("0123456789-:.+TZtz ,é\u{0}9999".utf8)
        for _ in 0..<20_000 {
            var bytes = Array("2024-01-02T03:04:05.678+02:00".utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = alphabet.randomElement(using: &generator) ?? 0
            }
            let text = String(decoding: bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)), as: UTF8.self)
            if let date = InternetDateTime.date(from: text) {
                #expect(InternetDateTime.text(of: date) != nil, "\(text)")
            }
        }
    }
}
