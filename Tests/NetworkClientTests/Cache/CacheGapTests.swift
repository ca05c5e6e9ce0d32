import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkClient

/// What http-tests/cache-tests does not check, by the numbers of the issues in which its author listed it (June 2026).
struct CacheGapTests {
    @Test(.spec(259), arguments: TransportUnderTest.all, CacheRow.gaps)
    func aGapOfTheSuiteIsClosed(transport: TransportUnderTest, row: CacheRow) async throws {
        try await CacheScene.play(row, on: transport)
    }

    /// Issue 177: a server must not be able to remove what another one has sent (RFC 9111 §4.4).
    @Test(.spec(259), arguments: ["Location", "Content-Location"])
    func aFieldWithTheURLOfAnotherOriginDoesNotInvalidateIt(field: String) async throws {
        let other = try LoopbackServer { _ in .respond(headers: ["Cache-Control": "max-age=60"]) }
        let server = try LoopbackServer { _ in
            let location = WireField(name: field, value: other.url("/a").absoluteString)
            return .respond(headers: WireFields([location]))
        }
        let client = NetworkClient(logging: .off, configuration: .init { $0.cache = ResponseCache() })
        try await client.fetch(request: URLRequest(url: other.url("/a")))
        try await client.fetch(request: URLRequest.post(url: server.url("/a")).noBody().build())
        expect(try await client.fetch(request: URLRequest(url: other.url("/a"))).cacheStatus, .fresh)
        expect(other.requestCount, 1)
    }

    /// A call that does not read the cache wants to know whether the server responds.
    @Test(.spec(259)) func aReloadGetsTheErrorOfTheServerInsteadOfAStoredResponse() async throws {
        let server = try LoopbackServer { request in
            let isFirst = request.value(forHeader: "Again") == nil
            return .respond(status: isFirst ? 200 : 503, headers: ["Cache-Control": "max-age=9, stale-if-error=60"])
        }
        let client = NetworkClient(logging: .off, configuration: .init { $0.cache = ResponseCache() })
        try await client.fetch(request: URLRequest(url: server.url))
        let request = URLRequest.get(url: server.url).set(header: .custom(name: "Again", value: "1"))
            .cachePolicy(.reloadIgnoringLocalCacheData).build()
        expect(await client.outcome(of: request), .refused(503))
    }
}

extension CacheRow {
    static let gaps: [CacheRow] = requestGaps + changeGaps + statusGaps + furtherGaps

    /// What is in no list of the suite.
    private static let furtherGaps: [CacheRow] =
        [
            CacheRow(
                "URL: no path is the path /",
                .init(path: "", response: fresh),
                .init(method: "POST"),
                .init(path: "")
            ),
            // So does nginx, which makes the ETag of a response weak when it compresses it, but not that of its 304.
            CacheRow(
                "304: the strong form of a weak ETag confirms the response",
                .init(response: "\(short) | ETag: W/\"a\""),
                .init(response: "ETag: \"a\"", confirms: true, gets: .confirmedTag, has: "ETag: W/\"a\"")
            ),
            CacheRow(
                "only-if-cached: nothing is sent while a stale response is used",
                .init(response: "Cache-Control: max-age=1, stale-while-revalidate=100 | ETag: \"a\""),
                .init(sends: "Cache-Control: only-if-cached", gets: .stale)
            ),
            CacheRow(
                "Connection: a response that forbids storing is not stored",
                .init(response: "Connection: Cache-Control | Cache-Control: no-store | Last-Modified: @-86400"),
                .init()
            ),
            CacheRow(
                "Connection: a response that varies still varies",
                .init(sends: "Foo: 1", response: "\(fresh) | Connection: Vary | Vary: Foo"),
                .init(sends: "Foo: 2")
            ),
            CacheRow(
                "HEAD: a 405 is not about the stored response",
                .init(response: fresh),
                .init(method: "HEAD", sends: "Cache-Control: no-cache", status: 405),
                .init(gets: .fresh)
            ),
        ]

    private static let requestGaps: [CacheRow] =
        [
            CacheRow(
                "179: only-if-cached uses a fresh response",
                .init(response: fresh),
                .init(sends: "Cache-Control: only-if-cached", gets: .fresh)
            ),
            CacheRow(
                "179: only-if-cached fails if the response is stale",
                .init(response: short),
                .init(sends: "Cache-Control: only-if-cached", gets: .notInCache)
            ),
            CacheRow(
                "179: only-if-cached uses a stale response that the request accepts",
                .init(response: short),
                .init(sends: "Cache-Control: only-if-cached, max-stale=10", gets: .stale)
            ),
            CacheRow(
                "183: max-stale without a number accepts any age",
                .init(response: short, pause: 1_000_000),
                .init(sends: "Cache-Control: max-stale", gets: .stale)
            ),
            CacheRow(
                "183: max-stale does not accept a higher age than its own",
                .init(response: short, pause: 1_003),
                .init(sends: "Cache-Control: max-stale=1000")
            ),
            CacheRow(
                "188: Vary compares names without case, and uses the response",
                .init(sends: "Foo: 1", response: "\(fresh) | Vary: FOO"),
                .init(sends: "fOO: 1", gets: .fresh)
            ),
            CacheRow(
                "188: Vary compares names without case, and does not use the response",
                .init(sends: "Foo: 1", response: "\(fresh) | Vary: FOO"),
                .init(sends: "Foo: 2")
            ),
        ]
        + [
            ("180", "If-Match: \"x\"", 412), ("180", "If-Unmodified-Since: @-10000", 412),
            ("180", "If-None-Match: *", 412), ("181", "If-Range: \"a\" | Range: bytes=0-1", 206),
            ("181", "If-Range: @-5000 | Range: bytes=0-1", 206), ("192", "Range: bytes=100-", 416),
        ].map { issue, sends, status -> CacheRow in
            CacheRow(
                "\(issue): a request with \(sends) goes to the server",
                .init(response: "\(fresh) | Last-Modified: @-5000 | ETag: \"a\""),
                .init(sends: sends, status: status),
                .init(gets: .fresh)
            )
        }

    private static let changeGaps: [CacheRow] =
        [
            CacheRow(
                "178: a GET that gets another response does not invalidate",
                .init(response: fresh),
                .init(sends: "If-None-Match: \"x\""),
                .init(gets: .fresh)
            ),
            CacheRow(
                "178: a HEAD does not invalidate",
                .init(response: fresh),
                .init(method: "HEAD", sends: "Cache-Control: no-cache"),
                .init(gets: .fresh)
            ),
            CacheRow(
                "178: OPTIONS does not invalidate",
                .init(response: fresh),
                .init(method: "OPTIONS"),
                .init(gets: .fresh)
            ),
            CacheRow(
                "184: a 200 to a conditional request is used and stored",
                .init(response: "\(short) | ETag: \"a\""),
                .init(response: "\(fresh) | ETag: \"b\"", forwards: "If-None-Match: \"a\""),
                .init(gets: .fresh, from: 2)
            ),
            CacheRow(
                "185: a 304 makes a response fresh again",
                .init(response: "\(short) | ETag: \"a\""),
                .init(response: "Cache-Control: max-age=3600 | Date: @0", pause: 3_000, gets: .confirmedTag),
                .init(pause: 1_000, gets: .fresh, from: 2),
                .init(response: "ETag: \"a\"", gets: .confirmedTag)
            ),
            CacheRow(
                "187: fields of one name are stored in their order",
                .init(response: "\(fresh) | X-Test: b | X-Test: a"),
                .init(gets: .fresh)
            ),
            CacheRow(
                "194: CDN-Cache-Control does not keep a response from being stored",
                .init(response: "CDN-Cache-Control: no-store | Cache-Control: max-age=3600"),
                .init(gets: .fresh)
            ),
            CacheRow(
                "194: CDN-Cache-Control does not make a response fresh",
                .init(response: "CDN-Cache-Control: max-age=3600"),
                .init()
            ),
        ]
        + [
            CacheRow(
                "186: a HEAD with the same ETag updates the stored response",
                .init(response: "\(short) | ETag: \"a\""),
                .init(method: "HEAD", response: "Template-A: 2 | Cache-Control: max-age=1000 | ETag: \"a\""),
                .init(gets: .fresh, from: 2)
            )
        ]
        + ["ETag: \"b\"", "Last-Modified: @-4000", "Content-Length: 36"].map { field -> CacheRow in
            CacheRow(
                "186: a HEAD with \(field) ends the freshness of the stored response",
                .init(response: "\(fresh) | Last-Modified: @-5000 | ETag: \"a\""),
                .init(method: "HEAD", sends: "Cache-Control: no-cache", response: "\(fresh) | \(field)"),
                .init(response: fresh),
                .init(gets: .fresh, from: 3)
            )
        }

    private static let statusGaps: [CacheRow] =
        [300, 301, 308].map { status -> CacheRow in
            CacheRow(
                "190: a \(status) without a lifetime is fresh for a while",
                .init(status: status, response: "Last-Modified: @-86400 | Date: @0"),
                .init(gets: .fresh)
            )
        }
        + [300, 405, 414, 451, 501].flatMap { status -> [CacheRow] in
            [
                CacheRow(
                    "191: a \(status) with a lifetime is used",
                    .init(status: status, response: fresh),
                    .init(gets: .fresh)
                ),
                CacheRow(
                    "191: a \(status) with a lifetime is not used after it",
                    .init(status: status, response: short),
                    .init()
                ),
            ]
        }
        + [301, 308].map { status -> CacheRow in
            CacheRow(
                "195: a stored \(status) has its Location",
                .init(status: status, response: "\(fresh) | Location: /there"),
                .init(gets: .fresh, has: "Location: /there")
            )
        }
}
