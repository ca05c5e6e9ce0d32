@testable import NetworkClient
import NetworkClientTesting
import NetworkUtilities

/// Operations that would take minutes if their time grew with the square of the length.
struct LinearTimeTests {
    private func compact(_ json: String) -> String? {
        RedactedJSON.render(Array(json.utf8), redaction: .sensitive, isPretty: false)
            .map { String(decoding: $0.text, as: UTF8.self) }
    }

    @Test(.longComputation) func aLongMediaTypeIsParsedInLinearTime() throws {
        let long = String(repeating: "x", count: 1_000_000)
        expect(try MediaType(parsing: "a/\(long); b=\"\(long)\"").parameter("b"), long)
        #expect(throws: MediaTypeError.self) { try MediaType(parsing: String(repeating: ";", count: 1_000_000)) }
    }

    @Test(
        .longComputation,
        arguments: [
            "password ", "password=", "password:\n", "password:\n ", "<token", "<token>", "<token><!--", "<a<token ",
            "token\\\\\\", "\\", "\"token\":{", "\"token\":\\\"", "token: \"\"\"", "'", "//", "//a", "%2", "%2+",
            "&amp;", "&quot;",
            "Bearer ", "basic a", "?token=", "[", "token:[", " ", "\n",
        ]
    )
    func maskingTextTakesLinearTime(piece: String) {
        let text = String(repeating: piece, count: 60_000 / piece.utf8.count)
        #expect(!LogRedaction.sensitive.maskedText(text).isEmpty)
        #expect(!LogRedaction.sensitive.maskedText("\"token\": \"x\" <token>" + text).isEmpty)
    }

    @Test(.longComputation) func jsonOfAnyDepthIsMasked() throws {
        let deep = String(repeating: "[", count: 200_000)
        #expect(compact(deep + String(repeating: "]", count: 200_000)) != nil)
        let text = Array((deep + "1").utf8)
        let pretty = RedactedJSON.render(text, redaction: .sensitive, isPretty: true, limit: 5_000)
        expect(pretty?.text.count, 5_000)
    }

    @Test(
        .longComputation,
        arguments: [
            (#"{"value":"#, "1", #","name":"pin"}"#, #"{"value":"***","name":"pin"}"#),
            (#"{"value":1,"a":"#, #"{"value":1,"name":"pin"}"#, "}", nil),
        ] as [(String, String, String, String?)]
    )
    func entriesOfAnyDepthAreMasked(start: String, inner: String, end: String, masked: String?) {
        let count = 5_000
        let json = String(repeating: start, count: count) + inner + String(repeating: end, count: count)
        #expect(compact(json) == masked ?? json.replacingOccurrences(of: inner, with: #"{"value":"***","name":"pin"}"#))
    }

    @Test(
        .longComputation,
        arguments: [
            ", ", ",", "a=\", ", "a=\"x, b=\"x, ", ";", "; Expires=, ", ", a", "=", "\"", "a=1; Expires=Wed, ", " ",
            "a=\"\" , ",
        ]
    )
    func splittingSetCookieFieldsTakesLinearTime(part: String) {
        let joined = String(repeating: part, count: (1 << 18) / part.utf8.count)
        #expect(SetCookieSplitter.split(joined).count <= joined.utf8.count)
    }

    @Test(.longComputation) func aFieldLongerThanACookieSetsNoCookie() {
        let name = String(repeating: "n", count: 96)
        #expect(SetCookie(name + "=" + String(repeating: "v", count: 4000)) != nil)
        #expect(SetCookie(name + "=" + String(repeating: "v", count: 4001)) == nil)
        #expect(SetCookie(name + "=" + String(repeating: "é", count: 2001)) == nil)
        #expect(SetCookie("a=" + String(repeating: "v", count: 1 << 20)) == nil)
        #expect(SetCookie("a=1" + String(repeating: ";", count: 1 << 20) + "Secure")?.isSecure == true)
    }

    @Test func thousandsOfFieldsAreReadInLinearTime() throws {
        let date = "Fri, 15 Jan 2027 08:00:02 GMT"
        let fields = ResponseFields(
            [ResponseFields.Field](repeating: .init(name: "Retry-After", value: date), count: 42_000)
        )
        let place = url("https://api.example.com/")
        let response = try #require(ReceivedResponse(url: place, status: 503, fields: fields, metrics: nil))
        let clock = TestClock(date: Date(timeIntervalSince1970: 1_800_000_000))
        expect(ServerDelay.seconds(in: response, on: clock), 2)
        let joined = [String](repeating: date, count: 42_000).joined(separator: ", ")
        expect(ServerDelay.seconds(in: .made(503, headers: ["Retry-After": joined]), on: clock), 2)
    }

    @Test(.longComputation) func aStoreSurvivesTenThousandCookiesInOneResponseAndHostsOfManyLabels() {
        let store = CookieStore()
        store.receive(
            (0..<10_000).map { "n\($0)=v; Path=/" },
            from: url("http://www.example.com/"),
            on: SystemTimeSource()
        )
        #expect(store.cookies.map(\.name) == (9_950..<10_000).map { "n\($0)" })
        store.receive(
            (0..<10_000).map { "n\($0)=v; Domain=example.com" },
            from: url("https://www.example.com/"),
            on: SystemTimeSource()
        )
        #expect(store.cookies.count == 100)
        store.removeAll()
        let labels = Array(repeating: "a", count: 126).joined(separator: ".")
        for depth in 0..<126 {
            let domain = String(labels.dropFirst(depth * 2))
            store.receive(
                (0..<60).map { "n\($0)=v; Domain=\(domain)" },
                from: url("https://\(labels)/"),
                on: SystemTimeSource()
            )
        }
        #expect(store.cookies.count == 3000)
        #expect(store.cookies(for: url("https://\(labels)/")).count == 3000)
        #expect(store.cookies(for: url("https://\(labels).\(labels)/")).isEmpty)
    }
}
