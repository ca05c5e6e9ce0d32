import Foundation
import NetworkClientTesting
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// The time is Fri, 15 Jan 2027 08:00:00 GMT.
struct ServerDelayTests {
    private static let clock = TestClock(date: Date(timeIntervalSince1970: 1_800_000_000))

    private func seconds(_ status: Int, _ headers: [String: String]) -> Double? {
        ServerDelay.seconds(in: .made(status, headers: headers), on: Self.clock)
    }

    @Test(
        .spec(106),
        arguments: [
            ("2", 2.0), ("0", 0), ("120", 120), ("2.5", 2.5), (String(repeating: "9", count: 400), .infinity),
            ("1800000005", 5), ("1800000005250", 5.25), ("100000000000", 0), ("99999999999", 98_199_999_999),
            ("1704067200", 0), ("1704067199", 1_704_067_199),
            ("Fri, 15 Jan 2027 08:00:02 GMT", 2), ("Friday, 15-Jan-27 08:00:02 GMT", 2),
            ("Fri Jan 15 08:00:02 2027", 2), ("Fri, 15 Jan 2027 07:00:00 GMT", 0),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 0), ("Sun Nov  6 08:49:37 1994", 0),
            // Several fields that were joined.
            ("2, 5", 5), ("5,2", 5), ("9, soon", 9), ("3, Fri, 15 Jan 2027 08:00:07 GMT", 7),
            ("Fri, 15 Jan 2027 08:00:02 GMT, 5", 5),
            ("Fri, 15 Jan 2027 08:00:02 GMT, Friday, 15-Jan-27 08:00:04 GMT", 4),
        ]
    )
    func retryAfterIsANumberOfSecondsOrADate(text: String, seconds: Double) {
        for status in [429, 500, 503] { expect(self.seconds(status, ["Retry-After": text]), seconds) }
    }

    @Test(
        .spec(106),
        arguments: [
            "", "soon", ",", "soon, Fri,", "-2", "+2", "0x10", "1e3", "inf", "nan", ".5", "1.2.3", "2 s", "Fri, 15 Jan",
            "٣",
        ]
    )
    func aServerDelayThatIsNeitherSecondsNorADateIsIgnored(text: String) {
        expect(seconds(503, ["Retry-After": text]), nil)
        expect(seconds(429, ["Retry-After": text, "RateLimit-Reset": "7"]), 7)
        expect(seconds(429, ["RateLimit": text]), nil)
        expect(seconds(429, ["X-RateLimit-Reset": text]), nil)
    }

    /// The wall clock shows 15 January, 08:00:00.
    @Test(
        .spec(106),
        arguments: [
            ("Fri, 15 Jan 2027 09:30:00 GMT", "Fri, 15 Jan 2027 09:30:02 GMT", 2), ("today", nil, 7),
            ("Fri, 15 Jan 2027 08:00:05 GMT", nil, 2), ("Fri, 15 Jan 2027 09:30:00 GMT", "2", 2),
            // More than a day off the wall clock.
            ("Thu, 01 Jan 1970 00:00:00 GMT", nil, 7), ("Thu, 14 Jan 2027 07:59:59 GMT", nil, 7),
            ("Sat, 16 Jan 2027 08:00:01 GMT", nil, 7), ("Thu, 14 Jan 2027 08:00:00 GMT", nil, 86_407),
        ] as [(String, String?, Double)]
    )
    func aDateIsComparedWithTheDateOfTheServerUnlessThatIsNotBelieved(date: String, until: String?, seconds: Double) {
        let headers = ["Date": date, "Retry-After": until ?? "Fri, 15 Jan 2027 08:00:07 GMT"]
        expect(self.seconds(503, headers), seconds)
        let sent = "Fri, 15 Jan 2027 09:30:00 GMT"
        expect(self.seconds(429, ["Date": sent, "X-RateLimit-Reset": "1800005402"]), 2)
    }

    @Test(.spec(106), arguments: ["retry-after-ms", "x-ms-retry-after-ms", "x-amz-retry-after", "X-AMZ-Retry-After"])
    func theFieldsInMillisecondsTakePrecedenceSinceTheyAreMorePrecise(name: String) {
        for status in [429, 500, 503] { expect(seconds(status, [name: "1500"]), 1.5) }
        expect(seconds(503, [name: "1500", "Retry-After": "2"]), 1.5)
        expect(seconds(503, [name: "250, 1750.5"]), 1.7505)
        expect(seconds(503, [name: "1800000005"]), 1_800_000.005)
        for text in ["", "soon", "-1", "Fri, 15 Jan 2027 08:00:02 GMT", "00:00:00.033"] {
            expect(seconds(503, [name: text]), nil)
            expect(seconds(503, [name: text, "Retry-After": "2"]), 2)
        }
    }

    @Test(
        .spec(106),
        arguments: [
            (#""default";r=0;t=30"#, 30), (#""default"; r=0; t=30"#, 30), (#""default";t=30"#, 30),
            (#""default";r=5;t=30"#, nil), (#""default";r=0"#, nil), (#""a";r=0;t=5, "b";r=0;t=9"#, 9),
            (#""a";r=0;t=5, "b";r=1;t=9"#, 5), (#""a;r=0;t=99,";r=0;t=7"#, 7), (#""a\";t=99";r=0;t=4"#, 4),
            ("limit=100, remaining=0, reset=30", 30), ("limit=100, remaining=3, reset=30", nil),
            (#""unclosed;r=0;t=3"#, nil), (";;,,==;t=;r", nil), (#""a";r=0;t=-1"#, nil),
        ] as [(String, Double?)]
    )
    func theRateLimitFieldTellsWhenAUsedUpQuotaIsFullAgain(text: String, seconds: Double?) {
        expect(self.seconds(429, ["RateLimit": text]), seconds)
        expect(self.seconds(503, ["RateLimit": text]), seconds)
        expect(self.seconds(500, ["RateLimit": text]), nil)
    }

    @Test(.spec(106), arguments: ["RateLimit-", "X-RateLimit-", "X-Rate-Limit-", "x-ratelimit-"])
    func theDelayOfAServerIsReadFromOlderFieldsOfRateLimits(prefix: String) {
        expect(seconds(429, [prefix + "Reset": "7"]), 7)
        expect(seconds(429, [prefix + "Reset": "1800000009", prefix + "Remaining": "0"]), 9)
        expect(seconds(429, [prefix + "Reset": "7", prefix + "Remaining": "3"]), nil)
        expect(seconds(502, [prefix + "Reset": "7", prefix + "Remaining": "0"]), nil)
    }

    @Test(.spec(106)) func aFieldWithTheDelayOfAServerTakesPrecedenceOverOlderOnes() {
        let reset = ["RateLimit-Reset": "3", "X-RateLimit-Reset": "4"]
        expect(seconds(429, reset), 3)
        expect(seconds(429, reset.merging(["X-RateLimit-Retry-After": "2"]) { $1 }), 2)
        expect(seconds(429, reset.merging(["X-RateLimit-Retry-After": "2", "Retry-After": "1"]) { $1 }), 1)
        expect(seconds(429, reset.merging(["RateLimit": #""a";r=0;t=5"#]) { $1 }), 5)
        expect(seconds(503, [:]), nil)
    }

    @Test(
        arguments: [
            (200, ["RateLimit": #""default";r=0;t=5"#], 5), (200, ["RateLimit": #""default";r=1;t=5"#], nil),
            (200, ["RateLimit": #""default";t=5"#], nil), (429, ["RateLimit": #""default";t=5"#], 5),
            (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1800000060"], 60),
            (404, ["RateLimit-Remaining": "0", "RateLimit-Reset": "7"], 7),
            (200, ["X-Rate-Limit-Remaining": "2", "X-Rate-Limit-Reset": "7"], nil),
            (200, ["X-RateLimit-Reset": "7"], nil), (200, ["X-RateLimit-Remaining": "0"], nil),
            (200, ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "-5"], nil),
            (200, ["X-RateLimit-Remaining": "-5", "X-RateLimit-Reset": "7"], nil),
            (429, ["Retry-After": "7"], 7), (429, ["retry-after-ms": "700"], 0.7),
            (503, ["retry-after-ms": "700"], nil),
            (429, ["Retry-After": "7", "RateLimit-Reset": "60"], 7),
            (503, ["Retry-After": "7"], nil), (200, ["Retry-After": "7"], nil),
            (200, [:], nil), (200, ["Range": "x", "X-Request-Identifier": "x"], nil),
        ] as [(Int, [String: String], Double?)]
    )
    func aQuotaWithNothingLeftIsKnownFromAnyResponse(status: Int, headers: [String: String], seconds: Double?) {
        let response = HTTPURLResponse.made(status, headers: headers)
        expect(ServerDelay.untilNextRequest(after: response, on: Self.clock), seconds)
    }
}
