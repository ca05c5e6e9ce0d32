/// More rows of the suite: which stored response is meant, and what of a response is stored, changed and removed.
extension CacheRow {
    /// The groups vary and vary-parse; each response varies by the column in the middle.
    static let vary: [CacheRow] =
        rows(
            "vary-",
            response: "Cache-Control: max-age=5000 | Last-Modified: @-3000 | Date: @0 | Vary: %",
            """
            match                fresh   Foo: 1 || Foo || Foo: 1
            no-match             network Foo: 1 || Foo || Foo: 2
            omit-stored          network || Foo || Foo: 1
            omit                 network Foo: 1 || Foo ||
            cache-key            fresh   Foo: 1 | Other: 2 || Foo || Foo: 1 | Other: 3
            2-match              fresh   Foo: 1 | Bar: abc || Foo, Bar || Foo: 1 | Bar: abc
            2-no-match           network Foo: 1 | Bar: abc || Foo, Bar || Foo: 2 | Bar: abc
            2-match-omit         network Foo: 1 | Bar: abc || Foo, Bar ||
            3-match              fresh   Foo: 1 | Bar: abc | Baz: 789 || Foo, Bar, Baz || Foo: 1 | Bar: abc | Baz: 789
            3-no-match           network Foo: 1 | Bar: abc | Baz: 789 || Foo, Bar, Baz || Foo: 2 | Bar: abc | Baz: 789
            3-order              network Foo: 1 | Bar: abc | Baz: 789 || Foo, Bar, Baz || Foo: 1 | Baz: 789 | Bar: abcde
            3-omit               fresh   Foo: 1 | Baz: 789 || Foo, Bar, Baz || Foo: 1 | Baz: 789
            star                 network Foo: 1 | Baz: 789 || * || Foo: 1 | Baz: 789
            syntax-star          network Foo: 1 | Baz: 789 || * || Foo: 1 | Baz: 789
            syntax-star-star     network Foo: 1 | Baz: 789 || *, * || Foo: 1 | Baz: 789
            syntax-star-star-lines network Foo: 1 | Baz: 789 || * | Vary: * || Foo: 1 | Baz: 789
            syntax-empty-star    network Foo: 1 | Baz: 789 || , * || Foo: 1 | Baz: 789
            syntax-star-foo      network Foo: 1 | Baz: 789 || *, Foo || Foo: 1 | Baz: 789
            syntax-foo-star      network Foo: 1 | Baz: 789 || Foo, * || Foo: 1 | Baz: 789
            normalise-combine    fresh   Foo: 1, 2 || Foo || Foo: 1 | Foo: 2
            normalise-space      fresh   Foo: 1,2 || Foo || Foo:  1, 2
            normalise-lang-case  fresh   Accept-Language: en, de || Accept-Language || Accept-Language: eN, De
            normalise-lang-space fresh   Accept-Language: en, de || Accept-Language || Accept-Language:  en ,   de
            """
        )
        // Decided against the suite: the order may matter to the server, and the cache does not negotiate languages.
        + rows(
            "vary-normalise-lang-",
            response: "Cache-Control: max-age=5000 | Content-Language: de | Vary: Accept-Language",
            """
            order  network Accept-Language: en, de || || Accept-Language: de, en
            select network Accept-Language: en, de || || Accept-Language: fr;q=0.5, de;q=1.0
            """
        )
        + [
            CacheRow(
                "vary-syntax-empty-star-lines",
                without: .isStrictWithHeaders,
                .init(response: "\(fresh) | Vary:  | Vary: *"),
                .init()
            ),
            CacheRow(
                "vary-invalidate",
                .init(sends: "Foo: 1", response: "\(fresh) | Vary: Foo"),
                .init(sends: "Foo: 2", response: "\(fresh) | Vary: Foo"),
                .init(sends: "Foo: 1", gets: .fresh),
                .init(sends: "Foo: 2", gets: .fresh, from: 2)
            ),
        ]

    /// The part of the group conditional-inm where the cache makes the condition.
    static let conditional: [CacheRow] =
        rows(
            "conditional-etag-",
            """
            vary-headers             confirmedTag Abc: 1 || Expires: @1 | ETag: "a" | Date: @0 | Vary: Abc || Abc: 1
            strong-generate          confirmedTag \(short) | ETag: "abcdef"
            weak-generate-weak       confirmedTag \(short) | ETag: W/"abcdef"
            strong-generate-unquoted confirmedTag \(short) | ETag: abcdef
            """
        )
        + [
            CacheRow(
                "conditional-etag-vary-headers-mismatch",
                .init(sends: "Abc: 1", response: "Expires: @10000 | ETag: \"a\" | Date: @0 | Vary: Abc"),
                .init(sends: "Abc: 2", forwards: "If-None-Match: \"a\"")
            ),
            CacheRow("conditional-etag-forward", .init(sends: "If-None-Match: \"abcdef\"")),
            CacheRow("conditional-etag-forward-unquoted", .init(sends: "If-None-Match: abcdef")),
        ]

    /// The groups conditional-lm and conditional-inm where the request has a condition.
    ///
    /// Decided against the suite: such a request goes to the server unchanged, since its 304 or 200 is what the caller
    /// asks for.
    static let ownConditions: [CacheRow] = rows(
        "conditional-",
        response: "\(fresh) | %",
        """
        etag-strong-respond                 network ETag: "a"    || If-None-Match: "a"
        etag-weak-respond                   network ETag: W/"a"  || If-None-Match: W/"a"
        etag-strong-respond-multiple-first  network ETag: "a"    || If-None-Match: "a", "1", "2"
        etag-strong-respond-multiple-second network ETag: "a"    || If-None-Match: "1", "a", "2"
        etag-strong-respond-multiple-last   network ETag: "a"    || If-None-Match: "1", "2", "a"
        etag-strong-respond-obs-text        network ETag: "ü"    || If-None-Match: "ü"
        etag-quoted-respond-unquoted        network ETag: "a"    || If-None-Match: a
        etag-unquoted-respond-unquoted      network ETag: a      || If-None-Match: a
        etag-unquoted-respond-quoted        network ETag: a      || If-None-Match: "a"
        etag-weak-respond-lowercase         network ETag: w/"a"  || If-None-Match: w/"a"
        etag-weak-respond-backslash         network ETag: W\\"a" || If-None-Match: W\\"a"
        etag-weak-respond-omit-slash        network ETag: W"a"   || If-None-Match: W"a"
        304-etag                            network ETag: "a"    || If-None-Match: "a"
        etag-precedence network Last-Modified: @-5000 | ETag: "a" || If-None-Match: "a" | If-Modified-Since: @-10000
        lm-fresh                            network Last-Modified: @-3000 || If-Modified-Since: @-3003
        lm-fresh-earlier                    network Last-Modified: @-3000 || If-Modified-Since: @-2003
        lm-stale     network Cache-Control: max-age=2 | Last-Modified: @-3000 || If-Modified-Since: @-3003
        lm-fresh-no-lm                      network A: 1 || If-Modified-Since: @-3000
        lm-fresh-rfc850 network Last-Modified: @-3000 || If-Modified-Since: Wednesday, 31-Dec-25 23:10:00 GMT
        """
    )

    /// Fields that are stored, each with two values.
    private static let fields = [
        ("Test-Header", "a", "b"), ("X-Test-Header", "a", "b"), ("Content-Foo", "a", "b"), ("X-Content-Foo", "a", "b"),
        ("Cache-Control", "max-age=1", "max-age=3600"), ("Content-Encoding", "identity", "none"),
        ("Content-Length", "10", "36"), ("Content-Location", "/foo", "/bar"), ("Content-MD5", "cg==", "c3M="),
        ("Content-Range", "a", "b"), ("Content-Security-Policy", "default-src 'self'", "default-src 'none'"),
        ("Content-Type", "text/plain", "text/plain;charset=utf-8"), ("Clear-Site-Data", "cache", "cookies"),
        ("ETag", "\"a\"", "\"b\""), ("Expires", "@3600", "@7200"), ("Public-Key-Pins", "a", "b"),
        ("Set-Cookie", "a=b", "a=c"), ("Set-Cookie2", "a=b", "a=c"), ("X-Frame-Options", "deny", "sameorigin"),
        ("X-XSS-Protection", "1", "1; mode=block"),
    ]

    /// The group headers: all fields are stored but those of the connection (RFC 9111 §3.1).
    static let storedFields: [CacheRow] =
        fields.map { name, first, second -> CacheRow in
            CacheRow(
                "headers-store-\(name)",
                .init(
                    response: "Date: @0 | \(name): \(name == "Content-Length" ? first : second)"
                        + (name == "Cache-Control" ? "" : " | Cache-Control: max-age=3600")
                ),
                .init(gets: .fresh)
            )
        }
        + [
            "Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authentication-Info", "Proxy-Authorization",
            "Proxy-Connection", "TE", "Transfer-Encoding", "Upgrade",
        ].map { name -> CacheRow in
            let value = name == "Transfer-Encoding" ? "chunked" : "a"
            return CacheRow(
                "headers-store-\(name)",
                .init(response: "\(fresh) | \(name): \(value)"),
                .init(gets: .fresh, has: "!\(name)")
            )
        }
        + [
            CacheRow(
                "headers-omit-headers-listed-in-Connection",
                .init(response: "\(fresh) | Connection: a, b | a: 1 | b: 2 | c: 3"),
                .init(gets: .fresh, has: "!Connection | !a | !b")
            )
        ]

    /// The group update304: the fields of a 304 replace the stored ones, except those that describe the stored body.
    static let updatedFields: [CacheRow] =
        fields.filter { $0.0 != "ETag" }.map { name, first, second -> CacheRow in
            let isOfTheBody = ["Content-Length", "Content-Encoding", "Content-Range"].contains(name)
            let rest = (name == "Cache-Control" ? "" : " | Cache-Control: max-age=2") + " | ETag: \"etag\""
            let kept = isOfTheBody ? "\(name): \(first)" : ""
            return CacheRow(
                "304-etag-update-response-\(name)",
                .init(response: "Date: @0 | \(name): \(first)\(rest)"),
                .init(response: "Date: @0 | \(name): \(second)\(rest)", pause: 0, gets: .confirmedTag, has: kept),
                .init(gets: .fresh, from: 2, has: kept)
            )
        }
        + [
            CacheRow(
                "304-lm-use-stored-Test-Header",
                .init(response: "\(short) | Last-Modified: Wed, 01 Jan 2020 00:00:00 GMT"),
                .init(response: "Date: @0", gets: .confirmedDate, has: "Template-A: 1")
            ),
            // A 304 with another ETag is about no stored response, so the request is sent again without a condition.
            CacheRow(
                "304-etag-update-response-ETag",
                .init(response: "\(short) | ETag: \"a\""),
                .init(response: "\(short) | ETag: \"b\"", confirms: true, pause: 0, requests: 2),
                .init(gets: .fresh, from: 2)
            ),
        ]

    /// The group updateHEAD.
    ///
    /// Without a validator, a HEAD changes nothing that is stored: bodies of one length may differ.
    static let heads: [CacheRow] =
        [
            CacheRow("head-writethrough", .init(response: short), .init(method: "HEAD")),
            CacheRow("head-200-retain", .init(response: short), .init(method: "HEAD", has: "!Template-A")),
        ]
        + [
            ("200-freshness-update", 200, "Cache-Control: max-age=1000"),
            ("200-update", 200, "Template-A: 2 | Cache-Control: max-age=1000"),
            ("410-update", 410, "Template-A: 2 | Cache-Control: max-age=1000"),
        ].map { id, status, response -> CacheRow in
            let head = CacheExchange(method: "HEAD", status: status, response: response)
            return CacheRow("head-\(id)", .init(response: short), head, .init())
        }

    /// The group invalidation.
    static let invalidation: [CacheRow] = ["POST", "PUT", "DELETE", "M-SEARCH"].flatMap { method -> [CacheRow] in
        [
            CacheRow("invalidate-\(method)", .init(response: fresh), .init(method: method), .init()),
            CacheRow(
                "invalidate-\(method)-failed",
                .init(response: fresh),
                .init(method: method, status: 500),
                .init(gets: .fresh)
            ),
        ]
            + [("location", "Location"), ("cl", "Content-Location")].map { id, field -> CacheRow in
                CacheRow(
                    "invalidate-\(method)-\(id)",
                    .init(path: "/target", response: "\(fresh) | Last-Modified: @0"),
                    .init(method: method, response: "\(field): target"),
                    .init(path: "/target")
                )
            }
    }

    /// The group partial.
    ///
    /// Decided against the suite: parts are neither stored nor cut from stored responses.
    static let partial: [CacheRow] =
        [
            ("reuse-partial", "Range: bytes=-5", "4-9"), ("reuse-partial-byterange", "Range: bytes=6-8", "4-9"),
            ("reuse-partial-absent", "Range: bytes=6-", "4-9"), ("reuse-partial-suffix", "Range: bytes=-1", "4-9"),
            ("complete", "", "0-4"),
        ].map { id, sends, part -> CacheRow in
            let response = "Cache-Control: max-age=3600 | Content-Range: bytes \(part)/10"
            return CacheRow(
                "partial-store-partial-\(id)",
                .init(sends: "Range: bytes=-5", status: 206, response: response),
                .init(sends: sends, forwards: sends.isEmpty ? "!Range" : "")
            )
        }
        + rows(
            "partial-",
            response: "Cache-Control: max-age=3600 | A: 1",
            """
            store-complete-reuse-partial         network || Range: bytes=0-1
            store-complete-reuse-partial-no-last network || Range: bytes=1-
            store-complete-reuse-partial-suffix  network || Range: bytes=-1
            use-headers                          network || Range: bytes=0-1
            use-stored-headers                   network || Range: bytes=0-1
            """
        )

    /// The groups method and other.
    ///
    /// Decided against the suite: only a GET is stored, and a response to a request with other cookies may be another
    /// person's.
    static let others: [CacheRow] =
        rows(
            "",
            """
            other-cookie                     network \(fresh) || Cookie: a=b
            other-date-update                fresh \(fresh)
            other-date-update-expires        fresh Expires: @2592000 | Date: @0
            other-date-update-expires-update fresh Expires: @2592000 | Date: @0
            other-set-cookie                 fresh \(fresh) | Set-Cookie: a=b
            other-fresh-content-disposition-attachment fresh \(fresh) | Content-Disposition: attachment; filename=a.txt
            other-heuristic-content-disposition-attachment fresh Last-Modified: @-9000 | Content-Disposition: attachment
            """
        )
        + [
            CacheRow("method-POST", .init(method: "POST", response: "\(fresh) | Content-Location: /"), .init()),
            CacheRow("other-age-gen", .init(response: fresh), .init(gets: .fresh, has: "Age: 3")),
            // The delay of a response is part of its age.
            CacheRow(
                "other-age-delay",
                .init(response: fresh, delay: 5, has: "!Age"),
                .init(gets: .fresh, has: "Age: 8")
            ),
            CacheRow(
                "other-age-update-expires",
                .init(response: "Expires: @2592000 | Date: @0 | Age: 30"),
                .init(gets: .fresh, has: "Age: 33")
            ),
            CacheRow(
                "other-age-update-max-age",
                .init(response: "\(fresh) | Age: 30"),
                .init(gets: .fresh, has: "Age: 33")
            ),
            CacheRow("query-args-different", .init(path: "/?a=1", response: fresh), .init(path: "/?a=2")),
            CacheRow("query-args-same", .init(path: "/?a=1", response: fresh), .init(path: "/?a=1", gets: .fresh)),
        ]
}
