import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// The rules of the cache as pure values.
struct CacheRulesTests {
    private func control(_ lines: String...) -> CacheControl { CacheControl(lines) }

    @Test(.spec(259)) func directivesAreReadWithoutCaseAndWithQuotes() {
        let whole = control("Max-Age=\"60\" , PUBLIC,must-revalidate", "no-cache=\"Set-Cookie, X\", immutable")
        expect(whole.maxAge, 60)
        #expect(whole.isPublic && whole.mustRevalidate && whole.noCache && whole.isImmutable)
        #expect(!whole.noStore && !whole.isPrivate && whole.staleIfError == nil)
        let request = control("max-stale, min-fresh=5, only-if-cached, no-store, no-transform")
        #expect(request.maxStale == .infinity && request.minFresh == 5 && request.onlyIfCached && request.noStore)
        let stale = control("stale-while-revalidate=30,stale-if-error=\"86400\"")
        #expect(stale.staleWhileRevalidate == 30 && stale.staleIfError == 86_400)
    }

    /// A number of seconds by the text of its directive; `longest` stands for all numbers of 2^31 and more.
    @Test(.spec(259)) func aMalformedMaxAgeIsTheShortest() {
        let longest = CacheControl.longestTime
        let rows: [(String, Double?)] = [
            ("max-age=3600", 3_600), ("max-age=003600", 3_600), ("max-age= 3600", 0), ("max-age =3600", 0),
            ("max-age=3600 ", 3_600),
            ("max-age='3600'", 0), ("max-age=-1", 0), ("max-age=3600.0", 0), ("max-age=100a", 0), ("max-age=a100", 0),
            ("max-age", 0), ("max-age=", 0), ("max-age=\"\"", 0), ("max-age=\"60\"x", 0), ("max-age=\"60", 0),
            ("max-age=60, max-age=30", 30), ("max-age=30, max-age=60", 30), ("max-age=60, max-age=x", 0),
            ("max-age=2147483647", longest - 1), ("max-age=2147483648", longest), ("max-age=9999999999", longest),
            ("max-age=99999999999999999999999", longest), ("max-age=1;2", 0), ("x=\"max-age=60\"", nil),
            ("x=\"\\\", max-age=60\", y", nil), ("xmax-age=60", nil), ("s-maxage=60", nil), ("max-age=٣", 0),
        ]
        for (text, seconds) in rows { expect(control(text).maxAge, seconds, text) }
    }

    @Test(.spec(259)) func aMalformedFieldNeverMakesAResponseMoreReusable() {
        for text in ["private", "private=", "private=\"\"", "private=\"x", "PRIVATE=x", "private =x", ",,private"] {
            #expect(control(text).isPrivate, "\(text)")
        }
        for text in ["no-cache", "no-cache=\"", "no-cache=\"\"", "no-cache=x", "x=\"y, no-cache", "=,no-cache"] {
            #expect(control(text).noCache, "\(text)")
        }
        for text in [
            "x=\", no-store", "x=\"a\\\", no-store", "no-store=\"x\"", "x=\"1\"2, no-store", "no-store max-age=60",
            "\"no-store\"", "public no-store", "max-age=60 no-store", "max-age=\"60\" no-store",
        ] {
            #expect(control(text).noStore, "\(text)")
        }
        for text in ["public=x", "public=", "immutable=1", "must-understand=x", "public=x, public"] {
            let read = control(text)
            #expect(!read.isPublic && !read.isImmutable && !read.mustUnderstand, "\(text)")
        }
        #expect(control("max-stale=x").maxStale == 0 && control("min-fresh=x").minFresh == CacheControl.longestTime)
        let errors = (control("stale-if-error=x"), control("stale-if-error=9, stale-if-error=1"))
        #expect(errors.0.staleIfError == 0 && errors.1.staleIfError == 1)
    }

    @Test(.spec(259)) func pragmaIsReadOnlyWithoutCacheControl() {
        #expect(CacheControl.ofRequest(nil, pragma: "foo, No-Cache").noCache)
        #expect(!CacheControl.ofRequest("max-age=5", pragma: "no-cache").noCache)
        #expect(!CacheControl.ofRequest("", pragma: "no-cache").noCache)
        #expect(!CacheControl.ofRequest(nil, pragma: "no-store").noStore)
    }

    @Test(.spec(259)) func aMegabyteOfDirectivesIsReadInLinearTime() {
        for part in ["max-age=\"", "\"", ",", "x=\"\\\"", "no-cache=\"a", "=", "a ", "private=\"\", "] {
            let text = String(repeating: part, count: (1 << 20) / part.utf8.count)
            _ = control(text, text)
        }
        let names = String(repeating: "a, ", count: 300_000) + "no-store"
        #expect(control(names).noStore)
    }

    private static let start = Date(timeIntervalSince1970: 1_700_000_000)

    private static func moment(_ seconds: Double, clock: Double? = nil) -> Moment {
        Moment(date: start.addingTimeInterval(seconds), clock: clock ?? seconds)
    }

    private static func date(_ seconds: Double) -> String {
        HTTPDate.text(of: start.addingTimeInterval(seconds)) ?? ""
    }

    private func freshness(
        _ fields: [(String, String)],
        mayEstimate: Bool = false,
        sent: Double = 0,
        received: Double = 0
    ) -> Freshness {
        let fields = ResponseFields(fields.map { ResponseFields.Field(name: $0, value: $1) })
        let known = CacheFields(fields)
        let (sent, received) = (Self.moment(sent), Self.moment(received))
        return Freshness(known, CacheControl(known.control), mayEstimate: mayEstimate, sent: sent, received: received)
    }

    @Test(.spec(259)) func theLifetimeIsThatOfTheFirstRuleThatApplies() {
        let (date, old) = (Self.date(0), Self.date(-1_000))
        let rows: [([(String, String)], Double)] = [
            ([("Cache-Control", "max-age=5"), ("Expires", Self.date(100))], 5),
            ([("Expires", Self.date(100)), ("Date", Self.date(20))], 80), ([("Expires", Self.date(100))], 100),
            ([("Expires", Self.date(100)), ("Date", "yesterday")], 100), ([("Expires", "0")], 0),
            ([("Expires", Self.date(100)), ("Expires", Self.date(100))], 0), ([("Expires", Self.date(-5))], 0),
            ([("Date", date), ("Last-Modified", old)], 100), ([("Date", date)], 0),
            ([("Date", date), ("Last-Modified", Self.date(-9e8))], 86_400),
            ([("Date", date), ("Last-Modified", Self.date(50))], 0),
            ([("Expires", "x"), ("Date", date), ("Last-Modified", old)], 0),
        ]
        for (fields, lifetime) in rows {
            expect(freshness(fields, mayEstimate: true).lifetime, lifetime, "\(fields)")
        }
        expect(freshness([("Date", date), ("Last-Modified", old)]).lifetime, 0)
    }

    @Test(.spec(259)) func theAgeIsTheLargestThatTheMessageAndTheClocksTell() {
        func age(_ fields: [(String, String)], sent: Double = 0, at now: Moment = Self.moment(10)) -> Double {
            freshness(fields, sent: sent).age(at: now)
        }
        let old = [("Date", Self.date(-30))]
        expect(age([]), 10)
        expect(age(old), 40)
        expect(age([("Date", Self.date(30))]), 10, "a server whose clock is fast")
        expect(age(old + [("Age", "100")], sent: -4), 114, "the delay is part of the stated age only")
        expect(age(old + [("Age", "5")]), 40)
        for (text, seconds) in [
            ("x", 0.0), ("-5", 0), ("1.5", 0), ("5,9", 5), (" 7 ", 7), ("7;a", 0), ("", 0), ("2147483648", .infinity),
            ("99999999999999999999", .infinity), ("2147483647", 2_147_483_647),
        ] {
            expect(age([("Age", text)]), seconds + 10, text)
        }
        expect(age([("Age", "1"), ("Age", "50")]), 11)
        expect(age([], at: Self.moment(10, clock: 500)), 500, "a calendar that was set back a little")
        expect(age([], at: Self.moment(-1, clock: -1)), 0, "a moment before another call received it")
        expect(age([], at: Self.moment(28_800, clock: 5)), 28_800, "a machine that slept")
        expect(age([], at: Self.moment(-1, clock: 5)), .infinity, "a calendar that was set back")
    }
}
