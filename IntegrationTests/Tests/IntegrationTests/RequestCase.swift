import Foundation
import NetworkClient
import Testing

/// A request as the library builds it, and its description for httpx and curl.
struct RequestCase: Sendable, CustomTestStringConvertible {
    /// The description, as `peers.py` reads it.
    struct Peer: Encodable, Sendable {
        var method: String
        var url = ""
        var query: [[String]] = []
        var fields: [[String]] = []
        var cookies: [[String]] = []
        var basic: [String]?
        var bearer: String?
        var body: Body?
        var follows = false
        var command: String?
    }

    struct Body: Encodable, Sendable {
        var kind: String
        var text: String?
        var bytes: String?
        var type: String?
        var pairs: [[String]]?
        var parts: [Part]?
    }

    struct Part: Encodable, Sendable {
        var name: String
        var text: String
        var file: String?
        var type: String?
    }

    /// A difference that the standards allow.
    enum Choice: Sendable {
        /// Which characters of a query are escaped, and how a space is written (WHATWG URL, RFC 3986 §2.3).
        case spellingOfTheQuery
        /// The same for a form: Python's `urlencode` escapes `*`, and not `~`.
        case spellingOfTheForm
        /// httpx spells JSON without escapes, and in its own order of members (RFC 8259 §4, §7).
        case spellingOfJSON
        /// The boundary, and whether a text part has a type (RFC 7578 §4.1, §4.4).
        case multipart
        /// httpx escapes more of a URL than it is given, and removes dot segments (RFC 3986 §6.2.2).
        case urlOfHTTPX
        /// curl sends no length for a method without a body (RFC 9110 §8.6: SHOULD, for methods that expect one).
        case lengthOfCurl
        /// RFC 9110 §15.4.2–3 lets a client change POST; curl keeps a method that it was told, httpx only HEAD.
        case methodAfterRedirect
    }

    let name: String
    var path: String = "/anything"
    let peer: Peer
    var choices: [Choice] = []
    let build: @Sendable (URL) throws -> URLRequest

    var testDescription: String { name }
}

extension RequestCase {
    static let all = methods + queries + targets + fields + credentials + forms + json + multipart

    // MARK: - Methods and bodies

    private static let methods: [RequestCase] = [
        "GET", "POST", "PUT", "PATCH", "DELETE", "QUERY", "PROPFIND", "OPTIONS",
    ]
    .flatMap { method in
        var rows: [RequestCase] = [
            RequestCase(name: "\(method) without a body", peer: Peer(method: method), choices: [.lengthOfCurl]) {
                URLRequest.method(try HTTPMethod(method), url: $0).noBody().build()
            }
        ]
        guard method != "GET" else { return rows }
        let bodies: [(String, Data, MediaType)] = [
            ("text", Data("Grüße, 世界\r\n".utf8), .plainText), ("bytes", Data(0...255), .octetStream),
            ("XML", Data("<a/>".utf8), MediaType("application/xml")),
            ("100 KB", Data(repeating: 0x61, count: 100_000), .octetStream),
            ("a patch", Data(#"{"a":null}"#.utf8), MediaType("application/merge-patch+json")),
            ("CSV", Data("a;b\n1;2".utf8), MediaType("text/csv; charset=utf-8; header=present")),
        ]
        for (name, data, type) in bodies {
            let body = Body(kind: "bytes", bytes: data.base64EncodedString(), type: type.value)
            rows.append(
                RequestCase(name: "\(method) with \(name)", peer: Peer(method: method, body: body)) {
                    URLRequest.method(try HTTPMethod(method), url: $0).bodyData(data, type: type).build()
                }
            )
        }
        return rows
    }

    // MARK: - URLs

    private static let queries: [RequestCase] = [
        [["a", "1"]], [["a", "1"], ["b", "2"]], [["a", "1"], ["a", "2"]], [["a", ""]], [["", "v"]], [["a b", "c d"]],
        [["a+b", "c+d"]], [["a&b=c", "d&e=f"]], [["q", "50%"]], [["q", "%41"]], [["q", "é"]], [["ключ", "значение"]],
        [["q", "😀"]], [["q", "a\u{301}"]], [["q", "#fragment"]], [["q", "?"]], [["q", "/path/../x"]], [["q", ";"]],
        [["q", "'\"`"]], [["q", "<>{}|\\^"]], [["q", "[0]"]], [["a[]", "1"], ["a[]", "2"]], [["q", "line\nbreak"]],
        [["q", "\ttab"]], [["q", "~*-._"]], [["q", "!$'()*,:@"]], [["q", "http://h/?a=b&c=d"]],
        [["z", "1"], ["a", "2"], ["m", "3"]], [["q", String(repeating: "x", count: 4_000)]],
    ].map { pairs in
        RequestCase(
            name: "query \(String("\(pairs)".prefix(40)))",
            peer: Peer(method: "GET", query: pairs),
            choices: [.spellingOfTheQuery, .lengthOfCurl]
        ) { url in
            URLRequest.get(url: url).add(queryItems: pairs.map { URLQueryItem(name: $0[0], value: $0[1]) }).build()
        }
    }

    /// Targets whose bytes must not change, with what httpx is free to change.
    private static let targets: [RequestCase] = [
        ("/a%2Fb", []), ("/a%2fb", []), ("/%C3%A9", []), ("/%c3%a9", []), ("/a;b=c", []), ("/a:b", []), ("/a@b", []),
        ("/a+b", []), ("/a,b", []), ("/~user", []), ("/a//b", []), ("/a/", []), ("/!$&'()*", []), ("/a%20b", []),
        ("/%25", []), ("/%00", []), ("/a/../b", [.urlOfHTTPX]), ("/./a", [.urlOfHTTPX]), ("?", [.urlOfHTTPX]),
        ("?a", []), ("?a=", []), ("?=b", []), ("?a=b=c", []), ("?a=%2B+%20", []), ("?a&a", []), ("?&&", []),
        ("?sig=a%2Bb%2Fc%3D", []), ("?a=1;b=2", []), ("?a=[1]", [.urlOfHTTPX]), ("?a=/?:@", []),
        ("?a='", [.urlOfHTTPX]),
        ("?a=1#fragment", []), ("/%E0%A4%A", []), ("?x=%zz", []),
    ].map { path, choices in
        RequestCase(
            name: "target \(path)",
            path: "/anything" + path,
            peer: Peer(method: "GET"),
            choices: choices + [.lengthOfCurl]
        ) { URLRequest.get(url: $0).build() }
    }

    // MARK: - Fields, credentials, cookies

    private static let fields: [RequestCase] = [
        ("Accept", "application/json;q=0.5, */*;q=0.1"), ("Accept-Language", "de-CH, el;q=0.8"), ("X-Empty", ""),
        ("x-lower-case", "v"), ("X-UPPER", "V"), ("X-Comma", "a,b, c"), ("X-Quoted", #""a\"b""#), ("X-Spaces", "a   b"),
        ("X-Colon", "a: b"), ("If-None-Match", "\"a\", W/\"b\""), ("Range", "bytes=0-"), ("Cache-Control", "no-cache"),
        ("User-Agent", "Tests/1.0 (a; b)"), ("Referer", "http://example.com/a?b#c"), ("DNT", "1"), ("X-1", "1"),
        ("Idempotency-Key", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\""), ("TE", "trailers"), ("X-Tab", "a\tb"),
        ("X!#$%&'*+-.^_`|~", "token"),
    ].map { name, value in
        RequestCase(
            name: "field \(name)",
            peer: Peer(method: "GET", fields: [[name, value]]),
            choices: [.lengthOfCurl]
        ) { URLRequest.get(url: $0).set(header: .custom(name: name, value: value)).build() }
    }

    private static let credentials: [RequestCase] =
        [
            ["user", "secret"], ["Aladdin", "open sesame"], ["user", ""], ["", "secret"], ["user", "a:b"],
            ["üser", "gehéim"],
        ]
        .map { pair in
            RequestCase(name: "basic \(pair)", peer: Peer(method: "GET", basic: pair), choices: [.lengthOfCurl]) {
                let credential = try Credential.basic(user: pair[0], password: pair[1])
                return URLRequest.get(url: $0).set(header: .authorization(credential)).build()
            }
        }
        + ["abc", "eyJh.eyJz.c2ln", "a+b/c==", "a~b-c._"].map { token in
            RequestCase(name: "bearer \(token)", peer: Peer(method: "GET", bearer: token), choices: [.lengthOfCurl]) {
                URLRequest.get(url: $0).set(header: .authorization(.bearer(token))).build()
            }
        }
        + [[["a", "1"]], [["a", "1"], ["b", "2"]], [["a", "x=y"]], [["a", "\"q\""]], [["a", ""]]].map { cookies in
            RequestCase(
                name: "cookies \(cookies)",
                peer: Peer(method: "GET", cookies: cookies),
                choices: [.lengthOfCurl]
            ) {
                let text = cookies.map { "\($0[0])=\($0[1])" }.joined(separator: "; ")
                return URLRequest.get(url: $0).set(header: .custom(name: "Cookie", value: text)).build()
            }
        }

    // MARK: - Forms, JSON, multipart

    private static let forms: [RequestCase] = [
        [["a", "1"]], [["a", "1"], ["b", "2"]], [["a", "1"], ["a", "2"]], [["a", "b c"]], [["a", "b+c"]],
        [["a&b=c", "x"]],
        [["a", "é"]], [["ü", "ö"]], [["a", "50%"]], [["a", ""]], [["a", "line\r\nbreak"]], [["a", "~*"]], [["a", "😀"]],
        [["grant_type", "authorization_code"], ["redirect_uri", "https://h/cb?x=1"]],
    ].map { pairs in
        let body = Body(kind: "form", pairs: pairs)
        return RequestCase(name: "form \(pairs)", peer: Peer(method: "POST", body: body), choices: [.spellingOfTheForm])
        {
            URLRequest.post(url: $0).bodyForm(items: pairs.map { URLQueryItem(name: $0[0], value: $0[1]) }).build()
        }
    }

    private static func json(_ text: String, _ value: some Encodable & Sendable) -> RequestCase {
        let body = Body(kind: "json", text: text)
        return RequestCase(name: "json \(text)", peer: Peer(method: "POST", body: body), choices: [.spellingOfJSON]) {
            try URLRequest.post(url: $0).bodyJson(of: value).build()
        }
    }

    private static let json: [RequestCase] = [
        json(#"{"name":"a"}"#, ["name": "a"]), json("[1,2,3]", [1, 2, 3]), json("[]", [Int]()),
        json("{}", [String: Int]()),
        json("\"text\"", "text"), json("1", 1), json("0.1", 0.1), json("true", true), json("[null]", [Int?.none]),
        json(#"{"a":{"b":["c"]}}"#, ["a": ["b": ["c"]]]), json(#""é😀\u2028""#, "é😀\u{2028}"), json(#""a/b""#, "a/b"),
        json(#""\"\\\n\u0001""#, "\"\\\n\u{1}"), json("9007199254740993", 9_007_199_254_740_993),
        json("1e300", 1e300), json("-0.5", -0.5),
    ]

    private static let multipart: [RequestCase] = [
        [Part(name: "a", text: "1")], [Part(name: "a", text: "1"), Part(name: "b", text: "é")],
        [Part(name: "a", text: "line\r\nbreak")], [Part(name: "naïve", text: "x")], [Part(name: "a", text: "")],
        [Part(name: "f", text: "content", file: "a.txt", type: "text/plain")],
        [Part(name: "f", text: "content", file: "füü bar.txt", type: "text/plain")],
        [Part(name: "f", text: "{}", file: "a.json", type: "application/json"), Part(name: "a", text: "1")],
        [Part(name: "f", text: "", file: "empty", type: "application/octet-stream")],
        [Part(name: "f", text: "--\r\n--x--", file: "a;b=c.txt", type: "text/plain")],
        [Part(name: "f", text: "quoted", file: #"a"b.txt"#, type: "text/plain")],
    ].map { (parts: [Part]) in
        let body = Body(kind: "multipart", parts: parts)
        let name = parts.map { "\($0.name) \($0.file ?? $0.text)" }.joined(separator: ", ")
        return RequestCase(name: "multipart \(name)", peer: Peer(method: "POST", body: body), choices: [.multipart]) {
            URLRequest.post(url: $0).bodyMultipart { form in
                for part in parts {
                    guard let file = part.file, let type = part.type else {
                        form.add(key: part.name, value: part.text)
                        continue
                    }
                    form.add(key: part.name, value: Data(part.text.utf8), filename: file, type: MediaType(type))
                }
            }.build()
        }
    }

    // MARK: - Redirects

    static let redirects: [RequestCase] = [301, 302, 303, 307, 308].flatMap { status in
        ["GET", "POST", "PUT", "PATCH", "DELETE"].map { method in
            let data = Data("body".utf8)
            let body = Body(kind: "bytes", bytes: data.base64EncodedString(), type: "text/plain")
            let peer = Peer(method: method, body: method == "GET" ? nil : body, follows: true)
            let isFree = status < 303 && !["GET", "POST"].contains(method)
            return RequestCase(
                name: "\(method) redirected by \(status)",
                path: "/redirect-to?status_code=\(status)&url=/anything/there",
                peer: peer,
                choices: [.lengthOfCurl] + (isFree ? [.methodAfterRedirect] : [])
            ) {
                URLRequest.method(try HTTPMethod(method), url: $0)
                    .bodyData(method == "GET" ? nil : data, type: MediaType("text/plain")).build()
            }
        }
    }
}
