import Foundation

/// Rows with the ids of the tests of http-tests/cache-tests (commit b55b8bda), which they restate: what the client
/// sends, what the server responds, and whether the caller gets that or a stored response.
///
/// The clock advances by 3 seconds after each exchange, as the suite pauses. All required and optional tests that apply
/// to a private cache are here, and those without a verdict with the outcome that this cache has, but for
/// `stale-warning-stored` and `stale-warning-become`: RFC 9111 has no `Warning`.
extension CacheRow {
    static let all = [
        cacheControl, expires, ages, responseDirectives, requestDirectives, heuristic, statuses, stale, vary,
        conditional,
        ownConditions, storedFields, updatedFields, heads, invalidation, partial, others,
    ].flatMap { $0 }

    /// Responses of several rows: one that is fresh, one that is fresh for two seconds.
    static let fresh = "Cache-Control: max-age=100000 | Date: @0"
    static let short = "Cache-Control: max-age=2 | Date: @0 | Template-A: 1"

    /// The groups cc-freshness and cc-parse.
    ///
    /// Of two values the smaller counts; what is not a number counts as zero, also behind white space.
    private static let cacheControl: [CacheRow] = rows(
        "freshness-",
        """
        none                              network
        max-age                           fresh    Cache-Control: max-age=3600
        max-age-stale                     network  Cache-Control: max-age=2 | Date: @0
        max-age-0                         network  Cache-Control: max-age=0
        max-age-max-minus-1               fresh    Cache-Control: max-age=2147483647
        max-age-max                       fresh    Cache-Control: max-age=2147483648
        max-age-max-plus-1                fresh    Cache-Control: max-age=2147483649
        max-age-max-plus                  fresh    Cache-Control: max-age=99999999999
        max-age-age                       network  Date: @0 | Cache-Control: max-age=3600 | Age: 7200
        max-age-date                      network  Date: @-7200 | Cache-Control: max-age=3600
        max-age-expires                   fresh    Cache-Control: max-age=3600 | Expires: @-7200 | Date: @0
        max-age-expires-invalid           fresh    Cache-Control: max-age=3600 | Expires: 0 | Date: @0
        max-age-0-expires                 network  Expires: @3600 | Cache-Control: max-age=0 | Date: @0
        max-age-extension                 fresh    Cache-Control: foobar, max-age=3600
        max-age-case-insenstive           fresh    Cache-Control: MaX-aGe=3600
        max-age-negative                  network  Cache-Control: max-age=-3600
        max-age-s-maxage-private          network  Cache-Control: s-maxage=3600, max-age=1
        max-age-s-maxage-private-multiple network  Cache-Control: s-maxage=3600 | Cache-Control: max-age=1
        max-age-two-fresh-stale-sameline  network  Cache-Control: max-age=1800, max-age=1
        max-age-two-fresh-stale-sepline   network  Cache-Control: max-age=1800 | Cache-Control: max-age=1
        max-age-two-stale-fresh-sameline  network  Cache-Control: max-age=1, max-age=1800
        max-age-two-stale-fresh-sepline   network  Cache-Control: max-age=1 | Cache-Control: max-age=1800
        max-age-quoted                    fresh    Cache-Control: max-age="3600"
        max-age-ignore-quoted             network  Cache-Control: extension="max-age=3600", max-age=1
        max-age-ignore-quoted-rev         network  Cache-Control: max-age=1, extension="max-age=3600"
        max-age-leading-zero              fresh    Cache-Control: max-age=003600
        max-age-space-before-equals       network  Cache-Control: max-age =3600
        max-age-space-after-equals        network  Cache-Control: max-age= 3600
        max-age-single-quoted             network  Cache-Control: max-age='3600'
        max-age-decimal-zero              network  Cache-Control: max-age=3600.0
        max-age-decimal-five              network  Cache-Control: max-age=3600.5
        max-age-a100                      network  Cache-Control: max-age=a3600
        max-age-100a                      network  Cache-Control: max-age=3600a
        """
    )

    /// The groups expires and expires-parse.
    private static let expires: [CacheRow] =
        rows(
            "freshness-expires-",
            """
            future        fresh    Expires: @2592000 | Date: @0
            past          network  Expires: @-2592000 | Date: @0
            old-date      network  Expires: @300 | Date: @400
            invalid       network  Expires: 0 | Date: @0
            invalid-date  fresh    Date: foo | Expires: @10
            age-slow-date network  Date: @-10 | Expires: @10 | Age: 25
            age-fast-date network  Date: @10 | Expires: @20 | Age: 15
            """
        )
        + rows(
            "freshness-expires-",
            response: "Expires: % | Date: @0",
            """
            32bit                   fresh    Tue, 19 Jan 2038 14:14:08 GMT
            far-future              fresh    Sun, 21 Nov 2286 04:46:39 GMT
            rfc850                  fresh    Thursday, 18-Aug-50 02:01:18 GMT
            ansi-c                  fresh    Thu Aug  8 02:01:18 2050
            wrong-case-weekday      fresh    THU, 18 Aug 2050 02:01:18 GMT
            wrong-case-month        fresh    Thu, 18 AUG 2050 02:01:18 GMT
            wrong-case-tz           fresh    Thu, 18 Aug 2050 02:01:18 gMT
            invalid-utc             network  Thu, 18 Aug 2050 02:01:18 UTC
            invalid-aest            network  Thu, 18 Aug 2050 02:01:18 AEST
            invalid-2-digit-year    network  Thu, 18 Aug 50 02:01:18 GMT
            invalid-no-comma        network  Thu 18 Aug 2050 02:01:18 GMT
            invalid-multiple-spaces network  Thu, 18  Aug  2050 02:01:18 GMT
            invalid-date-dashes     network  Thu, 18-Aug-2050 02:01:18 GMT
            invalid-time-periods    network  Thu, 18 Aug 2050 02.01.18 GMT
            invalid-1-digit-hour    network  Thu, 18 Aug 2050 2:01:18 GMT
            invalid-multiple-lines  network  Thu, 18 Aug 2050 2:01:18 GMT | Expires: Thu, 18 Aug 2050 2:01:19 GMT
            """
        )
        + [CacheRow("freshness-expires-present", .init(response: "Expires: @0 | Date: @0", pause: 0), .init())]

    /// The group age-parse: the first member of the first line counts; what is not a number is ignored.
    private static let ages: [CacheRow] = rows(
        "age-parse-",
        response: "Date: @0 | Cache-Control: max-age=3600 | Age: %",
        """
        nonnumeric        fresh    abc
        negative          fresh    -7200
        float             fresh    7200.0
        large-minus-one   network  2147483647
        large             network  2147483648
        larger            network  2147483649
        suffix            network  7200, 0
        prefix            fresh    0, 7200
        suffix-twoline    network  7200 | Age: 0
        prefix-twoline    fresh    0 | Age: 7200
        dup-0             fresh    0, 0
        dup-0-twoline     fresh    0 | Age: 0
        dup-old           fresh    1800 | Age: 1800
        parameter         fresh    7200;foo=bar
        numeric-parameter fresh    7200;foo=111
        """
    )

    /// The group cc-response.
    ///
    /// `no-cache` with names of fields counts as `no-cache`, which RFC 9111 §5.2.2.4 allows.
    private static let responseDirectives: [CacheRow] =
        rows(
            "cc-resp-",
            """
            private-private           fresh        Cache-Control: private, max-age=3600
            no-store                  network      Cache-Control: no-store
            no-store-case-insensitive network      Cache-Control: No-StOrE
            no-store-fresh            network      Cache-Control: max-age=10000, no-store | Expires: @10000 | Date: @0
            no-cache                  network      Cache-Control: max-age=10000, no-cache | Expires: @10000 | Date: @0
            no-cache-case-insensitive network      Cache-Control: max-age=10000, No-CaChE | Expires: @10000 | Date: @0
            no-cache-revalidate       confirmedTag Cache-Control: no-cache | ETag: "a"
            no-cache-revalidate-fresh confirmedTag Cache-Control: max-age=9000, no-cache | Expires: @9000 | ETag: "a"
            must-revalidate-fresh     fresh        Cache-Control: max-age=10000, must-revalidate | ETag: "a"
            immutable-fresh           fresh        Cache-Control: max-age=9, immutable || Cache-Control: max-age=0
            immutable-stale confirmedTag Cache-Control: max-age=2, immutable | ETag: "a" || Cache-Control: max-age=0
            """
        )
        + rows(
            "headers-omit-headers-listed-in-Cache-Control-",
            """
            no-cache-single network Cache-Control: no-cache="a" | a: 1 | b: 2 | Cache-Control: max-age=3600
            no-cache        network Cache-Control: no-cache="a, b" | a: 1 | c: 3 | Cache-Control: max-age=3600
            """
        )
        + [("new", "no-store"), ("max-age", "no-store, max-age=0")].map { id, directives -> CacheRow in
            CacheRow(
                "cc-resp-no-store-old-\(id)",
                .init(response: "Cache-Control: max-age=10000 | Expires: @10000 | Date: @0 | A: 1"),
                .init(response: "Cache-Control: \(directives) | Date: @0 | A: 2", gets: .fresh),
                .init(gets: .fresh)
            )
        }
        + [
            CacheRow(
                "cc-resp-must-revalidate-stale",
                .init(response: "Cache-Control: max-age=2, must-revalidate | ETag: \"a\"", pause: 0),
                .init(gets: .fresh),
                .init(gets: .confirmedTag)
            )
        ]

    /// The groups cc-request and pragma.
    ///
    /// `no-store` in a request is about its own response (RFC 9111 §5.2.1.5), `Pragma` in a response has no meaning
    /// (§5.4).
    private static let requestDirectives: [CacheRow] =
        rows(
            "",
            """
            ccreq-ma0                 network       \(fresh) || Cache-Control: max-age=0
            ccreq-ma1                 network       \(fresh) || Cache-Control: max-age=1
            ccreq-magreaterage        network       \(fresh) | Age: 1800 || Cache-Control: max-age=600
            ccreq-max-stale           stale         \(short) || Cache-Control: max-stale=1000
            ccreq-max-stale-age       stale         \(short) | Age: 500 || Cache-Control: max-stale=1000
            ccreq-min-fresh           network       Cache-Control: max-age=1500 || Cache-Control: min-fresh=2000
            ccreq-min-fresh-age       network       \(fresh) | Age: 90000 || Cache-Control: min-fresh=20000
            ccreq-no-cache            network       Cache-Control: max-age=3600 || Cache-Control: no-cache
            ccreq-no-cache-lm         confirmedDate \(fresh) | Last-Modified: @-10000 || Cache-Control: no-cache
            ccreq-no-cache-etag       confirmedTag  \(fresh) | ETag: "a" || Cache-Control: no-cache
            ccreq-no-store            fresh         \(fresh) || Cache-Control: no-store
            pragma-request-no-cache   network       \(fresh) || Pragma: no-cache
            pragma-request-extension  fresh         \(fresh) || Pragma: unrecognised-extension
            pragma-response-no-cache  fresh         Cache-Control: max-age=3600 | Pragma: no-cache
            pragma-response-no-cache-heuristic fresh Date: @0 | Last-Modified: @-10000 | Pragma: no-cache
            pragma-response-extension fresh         Cache-Control: max-age=3600 | Pragma: unrecognised-extension
            """
        )
        // The client throws an error instead of making up the response 504 that the suite expects.
        + [CacheRow("ccreq-oic", .init(sends: "Cache-Control: only-if-cached", gets: .notInCache))]

    /// The group heuristic: a tenth of the time since the modification, for statuses that allow it, or with `public`.
    private static let heuristic: [CacheRow] =
        [200, 203, 204, 404, 405, 410, 414, 501, 201, 202, 403, 502, 503, 504, 599].map { status -> CacheRow in
            let isFresh = [200, 203, 204, 404, 405, 410, 414, 501].contains(status)
            return CacheRow(
                "heuristic-\(status)-\(isFresh ? "cached" : "not_cached")",
                .init(status: status, response: "Last-Modified: @-86400 | Date: @0"),
                .init(status: status, gets: isFresh ? .fresh : .network)
            )
        }
        + [
            CacheRow(
                "heuristic-599-cached",
                .init(status: 599, response: "Last-Modified: @-86400 | Date: @0 | Cache-Control: public"),
                .init(gets: .fresh)
            )
        ]
        + [5, 10, 30, 60, 300, 600, 1_200, 1_800, 3_600, 43_200, 86_400].flatMap { seconds -> [CacheRow] in
            let outcome: CacheOutcome = seconds > 30 ? .fresh : .network
            return rows("heuristic-delta-", "\(seconds) \(outcome) Last-Modified: @-\(seconds) | Date: @0")
        }

    /// The group status: a lifetime that is stated counts, whatever the status is.
    private static let statuses: [CacheRow] =
        [200, 203, 204, 299, 301, 302, 303, 307, 308, 400, 404, 410, 499, 500, 502, 503, 504, 599].flatMap {
            status -> [CacheRow] in
            [
                CacheRow("status-\(status)-fresh", .init(status: status, response: fresh), .init(gets: .fresh)),
                CacheRow(
                    "status-\(status)-stale",
                    .init(status: status, response: "Expires: @-5000 | Last-Modified: @-100000 | Date: @0"),
                    .init()
                ),
            ]
        }
        + [200, 599].map { status -> CacheRow in
            CacheRow(
                "status-\(status)-must-understand",
                .init(status: status, response: "Cache-Control: max-age=3600, no-store, must-understand"),
                .init(gets: status == 200 ? .fresh : .network)
            )
        }

    /// The group stale: without a permission of the server, an error is the error.
    private static let stale: [CacheRow] =
        [
            ("close", "", CacheOutcome.connectionLost), ("sie-close", ", stale-if-error=60", .staleOnError),
            ("close-must-revalidate", ", must-revalidate", .connectionLost),
            ("close-no-cache", ", no-cache", .connectionLost),
            ("503", "", .network), ("sie-503", ", stale-if-error=60", .staleOnError),
        ].map { id, directive, outcome -> CacheRow in
            CacheRow(
                "stale-\(id)",
                .init(response: "Cache-Control: max-age=2\(directive)"),
                .init(status: 503, disconnects: id.contains("close"), gets: outcome)
            )
        }
        + [
            CacheRow(
                "stale-while-revalidate",
                .init(response: "Cache-Control: max-age=1, stale-while-revalidate=3600 | ETag: \"abc\""),
                .init(gets: .stale, requests: 1)
            ),
            CacheRow(
                "stale-while-revalidate-window",
                .init(response: "Cache-Control: max-age=1, stale-while-revalidate=4 | ETag: \"abc\""),
                .init(response: "Cache-Control: no-cache | ETag: \"def\"", gets: .stale, requests: 1),
                .init()
            ),
        ]
}
