import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct CookieDateTests {
    private func seconds(_ text: String) -> Double? {
        CookieDate.date(from: text.utf8)?.timeIntervalSince1970
    }

    @Test(arguments: [
        "Wed, 09 Jun 2021 10:18:14 GMT", "Wednesday, 09-Jun-21 10:18:14 GMT", "Wed Jun  9 10:18:14 2021",
        "09 Jun 2021 10:18:14", "10:18:14 09 Jun 2021", "june 9 10:18:14 2021",
        "Wed, 09-JUN-2021 10:18:14 PST", "9 jUNe 21 10:18:14 +0200", "9/Jun/2021/10:18:14",
        "Wed, 9th Jun 2021 10:18:14", "9 Jun 2021y 10:18:14z", "\t9 Jun 2021;10:18:14", "09 Jun 2021 10:18:14.999",
    ])
    func readsWhatServersWrite(text: String) {
        #expect(seconds(text) == 1_623_233_894)
    }

    @Test(arguments: [
        ("1 Jan 70 00:00:00", 0.0), ("31 Dec 69 23:59:59", 3_155_759_999), ("1 Jan 99 00:00:00", 915_148_800),
        ("1 Jan 00 00:00:00", 946_684_800), ("29 Feb 2000 00:00:00", 951_782_400), ("1 Jan 1970 1:2:3", 3723),
        ("1 Jan 1601 00:00:00", -11_644_473_600), ("31 Dec 9999 23:59:59", 253_402_300_799),
        ("1 Jan 101 0:0:0 1970", nil), ("1 Jan 1600 00:00:00", nil),
    ])
    func countsYears(text: String, expected: Double?) {
        #expect(seconds(text) == expected)
    }

    @Test(arguments: [
        "", " ", "-", "0", "Jun", "Wed, 09 Jun 2021", "09 Jun 10:18:14", "Jun 2021 10:18:14", "09 2021 10:18:14",
        "31 Jun 2021 10:18:14", "29 Feb 2021 10:18:14", "00 Jun 2021 10:18:14", "32 Jun 2021 10:18:14",
        "09 Jun 2021 24:00:00", "09 Jun 2021 10:60:00", "09 Jun 2021 10:18:60", "09 Jun 2021 10:18",
        "09 Jun 2021 10:18:", "09 Jun 2021 :18:14", "09 Jun 2021 100:18:14", "09 Jun 2021 10:118:14",
        "09 Jun 2021 10:18:114", "009 Jun 20210 10:18:14", "09 Jum 2021 10:18:14", "09 Jun 20211 10:18:14",
        "09 Jun 5 10:18:14", "٠٩ Jun 2021 10:18:14", "1623233894", "09 Jun 99999999999999999999999 10:18:14",
    ])
    func isNoDateWithoutAllItsParts(text: String) {
        #expect(seconds(text) == nil)
    }

    @Test func takesTheFirstTokenThatFits() {
        #expect(seconds("09 Jun Jul 2021 10 2022 10:18:14 11:18:14") == 1_623_233_894)
    }

    @Test(.longComputation) func neverTrapsOnAnyBytes() {
        var generator = SeededGenerator(seed: 6265)
        let alphabet = Array("0123456789:: JanfebMAR-,\t\u{0}é".utf8) + [0xFF, 0x80]
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            if let date = CookieDate.date(from: bytes) { #expect(date.timeIntervalSince1970.isFinite) }
        }
    }
}
