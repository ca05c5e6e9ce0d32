import Foundation
import NetworkTestSupport
import Testing

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
    func writesUTCToTheMillisecond(seconds: Double, text: String) {
        #expect(InternetDateTime.text(of: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(arguments: [
        -62_135_596_801.0, 253_402_300_800, .infinity, -.infinity, .nan, .greatestFiniteMagnitude,
        -.greatestFiniteMagnitude, 1e18, -1e18,
    ])
    func hasNoTextOutsideTheYears1To9999(seconds: Double) {
        #expect(InternetDateTime.text(of: Date(timeIntervalSince1970: seconds)) == nil)
        #expect(InternetDateTime.date(secondsSince1970: seconds) == nil)
    }

    @Test(arguments: [0, 1_704_164_645.25, -1.5, -62_135_596_800, 253_402_300_799])
    func takesSecondsSince1970(seconds: Double) {
        #expect(InternetDateTime.date(secondsSince1970: seconds) == Date(timeIntervalSince1970: seconds))
    }

    @Test(.longComputation) func whatIsWrittenReadsAsTheSameMillisecond() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            let date = Date(
                timeIntervalSince1970: .random(in: -62_135_596_800..<253_402_300_799, using: &generator)
            )
            let text = try #require(InternetDateTime.text(of: date))
            let read = try #require(InternetDateTime.date(from: text))
            #expect(abs(read.timeIntervalSince(date)) < 0.000_6)
            #expect(InternetDateTime.text(of: read) == text)
        }
    }

    @Test func everyMillisecondOfASecondSurvives() throws {
        for second in [-1.0, 0, 1_704_164_645, -62_135_596_800, 253_402_300_799] {
            for millisecond in 0..<1000 {
                let date = Date(timeIntervalSince1970: second + Double(millisecond) / 1000)
                let text = try #require(InternetDateTime.text(of: date))
                let digits = "000\(millisecond)".suffix(3)
                #expect(text.hasSuffix(millisecond == 0 ? "Z" : ".\(digits)Z"))
                #expect(InternetDateTime.date(from: text).flatMap(InternetDateTime.text) == text)
            }
        }
    }
}
