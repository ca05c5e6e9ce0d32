import NetworkClient
import NetworkTestSupport
import NetworkUtilities

extension Fault {
    private static func interim(_ status: String, count: Int = 1) -> String {
        String(repeating: "HTTP/1.1 \(status)\r\n\r\n", count: count)
    }

    private static func answer(_ status: String, _ body: String) -> [any WireBytes] {
        ["HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"]
    }

    private static let final = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let hints = "103 Early Hints\r\nLink: \(String(repeating: "x", count: 60_000))"

    /// Statuses that determine whether a body follows (RFC 9110 §15.2, RFC 9112 §6.3).
    static let ofStatuses = [
        Fault("100", [interim("100 Continue"), final], .answered(200, "ok")),
        Fault("103", [interim("103 Early Hints\r\nLink: </a>"), final], .answered(200, "ok")),
        Fault(
            "1xx of many kinds",
            [
                interim("100 Continue"), interim("102 Processing"), interim("103 Early Hints\r\nX-A: 1"),
                interim("199 x"), final,
            ],
            .answered(200, "ok")
        ),
        Fault(
            "a hundred interim responses",
            [interim("103 Early Hints\r\nLink: </a>", count: 100), final],
            .answered(200, "ok")
        ),
        Fault(
            "a flood of interim responses",
            [],
            then: [.repeat(interim(hints), count: 200), .close],
            .failed(.malformedResponse),
            except: [.mayTakeAnyHead: .either(.failed(.connectionLost))]
        ),
        Fault(
            "101 that nobody asked for",
            [interim("101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade"), "bytes"],
            then: [.close],
            .answered(101, "bytes")
        ),
        Fault("204 with a body", answer("204 No Content", "hello"), .answered(204)),
        Fault(
            "204 with chunks",
            ["HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"],
            .answered(204)
        ),
        Fault("205 with a body", answer("205 Reset Content", "hello"), .answered(205, "hello")),
        Fault("304 with a body", answer("304 Not Modified", "hello"), .answered(304)),
        Fault(
            "304 with a length",
            ["HTTP/1.1 304 Not Modified\r\nContent-Length: 999999\r\n\r\n"],
            .answered(304),
            headers: ["Content-Length": "999999"],
            bodyLimit: 10
        ),
        Fault(
            "HEAD with a length of 4 GB",
            method: .head,
            ["HTTP/1.1 200 OK\r\nContent-Length: 4294967296\r\n\r\n"],
            .answered(200),
            headers: ["Content-Length": "4294967296"]
        ),
        Fault("HEAD with a body", method: .head, answer("200 OK", "hello"), .answered(200)),
        Fault(
            "HEAD with chunks",
            method: .head,
            ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"],
            .answered(200)
        ),
        Fault("999", answer("999 Whatever", "hi"), .answered(999, "hi")),
        Fault("599", answer("599 Odd", "hi"), .answered(599, "hi")),
        Fault(
            "401 that asks for Basic",
            answer("401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"x\"", "who?"),
            .answered(401, "who?")
        ),
        Fault(
            "401 that asks for Digest",
            answer("401 Unauthorized\r\nWWW-Authenticate: Digest realm=\"x\", nonce=\"y\"", "who?"),
            .answered(401, "who?")
        ),
        Fault("401 that asks for nothing", answer("401 Unauthorized", "who?"), .answered(401, "who?")),
        Fault(
            "407",
            answer("407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"x\"", "who?"),
            .answered(407, "who?")
        ),
        Fault("300 without a place", answer("300 Multiple Choices", "these"), .answered(300, "these")),
        Fault(
            "302 without a place",
            answer("302 Found", "where?"),
            .answered(302, "where?"),
            except: [.dropsBodiesOfRedirects: .outcome(.answered(302))]
        ),
        Fault(
            "302 to an empty place",
            answer("302 Found\r\nLocation: ", "where?"),
            .answered(302, "where?"),
            except: [.dropsBodiesOfRedirects: .outcome(.answered(302))]
        ),
        Fault(
            "a second response behind the first",
            [final, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"],
            .answered(200, "ok"),
            spoilsConnection: true
        ),
    ]
}
