/// A response that breaks a rule of HTTP, or demands too much of a client, and the outcomes that a caller may see.
///
/// These are the responses that once ended the process, hung it, or gave one request the response of another.
struct MisbehavingResponse: Sendable {
    private let name: String
    /// The permitted outcomes: `item`, `status`, or the reason of a failure.
    ///
    /// There may be several, since versions of libcurl differ in what they accept.
    private let outcomes: Set<String>
    /// Returns the bytes of the response, after which the server closes the connection.
    private let bytes: @Sendable (_ item: [UInt8], _ number: Int) -> [UInt8]

    private init(
        _ name: String,
        _ outcomes: Set<String>,
        _ bytes: @escaping @Sendable (_ item: [UInt8], _ number: Int) -> [UInt8]
    ) {
        self.name = name
        self.outcomes = outcomes
        self.bytes = bytes
    }

    /// A response with these fields, the length of the item, and the item.
    private init(_ name: String, _ outcomes: Set<String>, field: String) {
        self.init(name, outcomes) { item, _ in Self.head(field, "Content-Length: \(item.count)") + item }
    }

    static func of(_ number: Int) -> Self { all[number % all.count] }

    /// Returns the response in two parts, after which the server closes the connection.
    func parts(_ item: [UInt8], _ number: Int) -> [ResponsePart] {
        let bytes = bytes(item, number)
        let half = bytes.count / 2
        return [ResponsePart(bytes: Array(bytes[..<half])), ResponsePart(bytes: Array(bytes[half...])).closing]
    }

    func permits(_ outcome: SoakOutcome, _ number: Int) -> Bool {
        switch outcome {
        case .item(number): outcomes.contains("item")
        case .item: false
        case .status: outcomes.contains("status")
        case .failure(let reason): outcomes.contains(reason)
        }
    }

    private static let malformed: Set<String> = ["malformedResponse", "connectionLost"]

    private static let malformedOrItem = malformed.union(["item"])

    private static let all: [Self] = heads + framings + codings + redirects

    private static let heads = [
        Self("folded first field", malformedOrItem, field: " folded: x"),
        Self("field without a colon", malformedOrItem, field: "nothing"),
        Self("NUL in a field", malformed, field: "A: b\0c"),
        Self("CR in a field", malformedOrItem, field: "A: b\rc"),
        Self("a status of four digits", malformed) { item, _ in
            Array("HTTP/1.1 2000 Many\r\nContent-Length: \(item.count)\r\n\r\n".utf8) + item
        },
        Self("no HTTP", malformed) { _, _ in Array("SSH-2.0-OpenSSH_9.2p1\r\n\r\n".utf8) },
        Self("nothing", malformed) { _, _ in [] },
        Self("half a head", malformed) { _, _ in Array("HTTP/1.1 200 OK\r\nContent-Le".utf8) },
        Self("500 interim responses and no other", malformed) { _, _ in
            (0..<500).flatMap { _ in Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8) }
        },
        Self("a head of 700 KB", malformedOrItem, field: "A: " + String(repeating: "b", count: 700_000)),
        Self("another protocol", malformed.union(["status"])) { _, _ in
            Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n".utf8)
        },
    ]

    private static let framings = [
        Self("two lengths", malformed, field: "Content-Length: 2"),
        Self("a negative length", malformed) { item, _ in head("Content-Length: -2") + item },
        Self("a length beyond Int", malformed.union(["bodyTooLarge"])) { item, _ in
            head("Content-Length: 99999999999999999999") + item
        },
        Self("a response that no request asked for behind the right one", ["item"]) { item, _ in
            head("Content-Length: \(item.count)") + item + head("Content-Length: 15") + Array(#"{"number": -10}"#.utf8)
        },
        Self("a chunk size with 0x", malformed) { item, _ in
            head("Transfer-Encoding: chunked") + Array("0x\(String(item.count, radix: 16))\r\n".utf8) + item
        },
        Self("a chunk size beyond Int", malformed) { item, _ in
            head("Transfer-Encoding: chunked") + Array("fffffffffffffffff1\r\n".utf8) + item
        },
        Self("no last chunk", malformed) { item, _ in
            head("Transfer-Encoding: chunked") + ResponsePart.chunk(item)
        },
        Self("a trailer without a colon", malformedOrItem) { item, _ in
            head("Transfer-Encoding: chunked") + ResponsePart.chunk(item) + Array("0\r\nnothing\r\n\r\n".utf8)
        },
        Self("chunks of one byte", ["item"]) { item, _ in
            head("Transfer-Encoding: chunked") + item.flatMap { ResponsePart.chunk([$0]) }
                + ResponsePart.chunk([])
        },
        Self("an unknown transfer coding", malformed) { item, _ in head("Transfer-Encoding: cow") + item },
        Self("a body that ends with the connection", ["item"]) { item, _ in head("Connection: close") + item },
    ]

    private static let codings = [
        Self("three codings", malformed) { _, _ in
            head("Content-Encoding: gzip, gzip, gzip", "Content-Length: 20") + emptyMember
        },
        Self("2,000 empty gzip members", ["decodingError"]) { _, _ in
            head("Content-Encoding: gzip", "Content-Length: \(2_000 * emptyMember.count)")
                + (0..<2_000).flatMap { _ in emptyMember }
        },
        Self("a gzip body that is cut off", malformed) { _, _ in
            head("Content-Encoding: gzip", "Content-Length: 15") + emptyMember.prefix(15)
        },
        Self("a gzip body that is none", malformed, field: "Content-Encoding: gzip"),
        Self("a coding by the name of none", ["item"], field: "Content-Encoding: none"),
    ]

    private static let redirects = [
        Self("a redirect to itself", ["tooManyRedirects"]) { _, number in
            redirect(to: "/\(SoakKind.misbehaving.rawValue)/\(number)")
        },
        Self("a redirect to no URL", ["status", "redirectRefused"]) { _, _ in
            redirect(to: "http://[::1")
        },
        Self("a redirect to another protocol", ["status", "redirectRefused"]) { _, _ in
            redirect(to: "ftp://localhost/a")
        },
        Self("two locations", ["item"]) { _, number in
            Array("HTTP/1.1 302 Found\r\nLocation: /get/\(number)\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n".utf8)
        },
        Self("a redirect whose page breaks off", malformedOrItem) { _, number in
            Array("HTTP/1.1 302 Found\r\nLocation: /get/\(number)\r\nContent-Length: 100\r\n\r\nhalf".utf8)
        },
    ]

    /// An empty body, compressed by `gzip`.
    private static let emptyMember: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]

    private static func head(_ fields: String...) -> [UInt8] {
        Array("HTTP/1.1 200 OK\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n".utf8)
    }

    private static func redirect(to location: String) -> [UInt8] {
        Array("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n".utf8)
    }
}

extension MisbehavingResponse: CustomStringConvertible {
    var description: String { "\(name): \(outcomes.sorted().joined(separator: " or "))" }
}
