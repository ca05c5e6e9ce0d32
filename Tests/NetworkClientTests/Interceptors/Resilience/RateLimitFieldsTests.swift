import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

struct RateLimitFieldsTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func read(_ fields: [(String, String)], status: Int = 200) -> RateLimitFields? {
        let fields = ResponseFields(fields.map { .init(name: $0.0, value: $0.1) })
        return RateLimitFields(fields, status: status, now: now)
    }

    @Test(arguments: [
        (#""default";r=0;t=5"#, 0.0, 5.0), (#""default";r=50;t=30"#, 50, 30), (#"default;r=1;t=2"#, 1, 2),
        (#""a";r=3;t=9, "b";r=0;t=4, "c";r=0;t=7"#, 0, 7), (#""a";r=3;t=9, "b";r=2;t=4"#, 2, 4),
        (#""a;r=9,\"x";r=0;t=5;pk=:AA==:"#, 0, 5), ("limit=10, remaining=0, reset=50", 0, 50),
        ("limit=10,remaining=3,reset=50", 3, 50), (#" "default" ; r=0 ; t=5 "#, 0, 5),
    ])
    func theFieldOfTheDraftIsRead(value: String, remaining: Double, reset: Double) {
        let expected = RateLimitFields(remaining: remaining, reset: reset)
        #expect(read([("RateLimit", value)]) == expected)
        #expect(read([("X-Other", "1"), ("ratelimit", value)]) == expected)
    }

    @Test(arguments: [
        ("RateLimit-Remaining", "RateLimit-Reset"), ("X-RateLimit-Remaining", "X-RateLimit-Reset"),
        ("x-ratelimit-remaining", "x-ratelimit-reset"), ("X-Rate-Limit-Remaining", "X-Rate-Limit-Reset"),
    ])
    func theOlderFieldsAreRead(remaining: String, reset: String) {
        #expect(read([(remaining, "0"), (reset, "60")]) == .init(remaining: 0, reset: 60))
        #expect(read([(reset, "1800000090"), (remaining, "7")]) == .init(remaining: 7, reset: 90))
        #expect(read([(remaining, "7")]) == nil)
        #expect(read([(reset, "7")]) == nil)
    }

    @Test func severalFieldsOfTheDraftAreOneList() {
        let fields = [("RateLimit", #""a";r=3;t=9"#), ("RateLimit", #""b";r=0;t=4"#)]
        #expect(read(fields) == .init(remaining: 0, reset: 4))
    }

    @Test func theFieldOfTheDraftTakesPrecedence() {
        let old = [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "60")]
        #expect(read(old + [("RateLimit", #""a";r=3;t=9"#)]) == .init(remaining: 3, reset: 9))
        #expect(read(old + [("RateLimit", "nonsense")]) == .init(remaining: 0, reset: 60))
    }

    @Test(arguments: [("7", 7.0), ("Fri, 15 Jan 2027 08:01:00 GMT", 60), ("Fri, 15 Jan 2027 07:00:00 GMT", 0)])
    func aRetryAfterCountsWithTheStatus429Only(value: String, reset: Double) {
        #expect(read([("Retry-After", value)], status: 429) == .init(remaining: 0, reset: reset))
        #expect(read([("Retry-After", value)], status: 503) == nil)
        #expect(read([("Retry-After", value)]) == nil)
    }

    @Test(
        arguments: [
            ("", nil), ("x", nil), ("nan", nil), ("inf", nil), ("0x10", nil), ("1e5", nil), ("--1", nil), ("-", nil),
            (".5", nil), ("1.5.2", nil), ("+5", nil), ("5 s", nil), ("-5", 0), ("5", 5), ("0.5", 0.5), ("007", 7),
            (" 5 ", 5),
            (String(repeating: "9", count: 400), 0), ("1500000000", 1_500_000_000), ("1700000000", 1_700_000_000),
            ("1800000000", 0), ("99999999999999999999", 998_200_000_000),
        ] as [(String, Double?)]
    )
    func noNumberOfAServerTraps(value: String, reset: Double?) {
        let found = read([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", value)])
        if value.utf8.count == 400 {
            // Infinite, which is not a trillion but as much as may be.
            #expect(found.map { $0.reset.isFinite } ?? true)
        } else {
            #expect(found?.reset == reset)
        }
        #expect(read([("RateLimit", #""a";r=0;t=\#(value)"#)]).map { $0.reset.isFinite } ?? true)
    }

    @Test func manyFieldsWithoutALimitAreNotRead() {
        let fields = [("Content-Type", "a/b"), ("Range", "x"), ("X-Request-Identifier", "x"), ("Retry-After", "5")]
        #expect(read(fields) == nil)
        #expect(read([]) == nil)
    }
}
