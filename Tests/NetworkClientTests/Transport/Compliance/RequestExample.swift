import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// A request, and what a server receives of it at `/items`, whatever the transport.
struct RequestExample: Sendable {
    private typealias Framing = NetworkTestSupport.BodyFraming

    /// Where a request goes, and where its files are.
    struct Place {
        let url: URL
        let directory: TemporaryDirectory
    }

    let name: String
    private let method: String
    private let target: String
    /// The fields that the request holds, in their spelling.
    private let fields: [String: String]
    /// The possible framings; those of a request without a body depend on its method and on the transport.
    private let framings: [Framing]
    private let body: Data
    let make: @Sendable (Place) throws -> URLRequest

    /// The fields that transports add; `Expect` and `Content-Type` are not among them.
    private static let added: Set = [
        "Accept", "Accept-Encoding", "Accept-Language", "Connection", "Content-Length", "Host", "Transfer-Encoding",
        "User-Agent",
    ]

    /// Creates an example; without framings, that of the body's length, or none with GET.
    private init(
        _ name: String,
        _ method: String,
        target: String = "/items",
        fields: [String: String] = [:],
        body: Data = Data(),
        framings: [Framing] = [],
        _ make: @escaping @Sendable (Place) throws -> URLRequest
    ) {
        self.name = name
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
        self.framings = framings.isEmpty ? [method == "GET" ? .none : .contentLength(body.count)] : framings
        self.make = make
    }

    static let all: [RequestExample] = methods + targets + headers + bodies + files + streams + sources

    /// Every method without a body: those that usually have one state the length 0 (RFC 9110 §8.6), others may.
    private static let methods: [RequestExample] = [
        "GET", "HEAD", "TRACE", "OPTIONS", "DELETE", "POST", "PUT", "PATCH", "PROPFIND", "QUERY", "CONNECT", "patch",
        "Query", "x",
    ].map { (token: String) in
        let framings: [Framing] =
            switch token {
            case "GET", "HEAD": [.none]
            case "POST", "PUT", "PATCH": [.contentLength(0)]
            default: [.none, .contentLength(0)]
            }
        return RequestExample("without a body", token, framings: framings) {
            URLRequest.build().method(try HTTPMethod(token), url: $0.url).noBody().build()
        }
    }

    private static let targets: [RequestExample] = [
        RequestExample(
            "a path and a query behind a base URL",
            "GET",
            target: "/items/users/a%2Fb%3F%C3%A9%25:x/posts?q=1%2B1%20%3D2%26%3B%23%C3%A9&t=jpg%2Cpng"
        ) {
            try URLRequest.builder(baseURL: $0.url).get(path: "/users/\("a/b?é%:x")/posts")
                .add(query: "q", value: "1+1 =2&;#é").add(query: "t", value: "jpg,png").build()
        },
        RequestExample("a presigned URL", "GET", target: "/items/p%2fq?sig=a%2Bb%2Fc%3D&X=%7e~,:@!$'()*;&x=1") {
            let presigned = url($0.url.absoluteString + "/p%2fq?sig=a%2Bb%2Fc%3D&X=%7e~,:@!$'()*;#frag")
            return URLRequest.get(url: presigned).add(query: "x", value: "1").build()
        },
        RequestExample(
            "line ends in the URL",
            "GET",
            target: "/items/%0D%0AX-Evil:%201?%20HTTP/1.1%0D%0AX-Evil%3A%201%0D%0A%0D%0A=1"
        ) {
            let evil = url($0.url.absoluteString + "/%0D%0AX-Evil:%201")
            return URLRequest.get(url: evil).add(query: " HTTP/1.1\r\nX-Evil: 1\r\n\r\n", value: "1").build()
        },
    ]

    private static let headers: [RequestExample] = [
        RequestExample(
            "header fields in their spelling",
            "GET",
            fields: [
                "X-API-Key": "k", "x-lower_1": "1", "X-Tag": "v1,v2", "X-Accent": "é", "Accept": "application/json",
                "User-Agent": "App/1 (x)", "Authorization": "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
                "If-None-Match": "\"a\", W/\"b\"", "Accept-Language": "el-GR, en;q=0.9",
            ]
        ) {
            try URLRequest.get(url: $0.url).headers {
                HeaderField.custom(name: "X-API-Key", value: "k")
                HeaderField.custom(name: "x-lower_1", value: "1")
                for tag in ["v1", "v2"] { HeaderField.custom(name: "X-Tag", value: tag) }
                HeaderField.custom(name: "X-Accent", value: "é")
                HeaderField.custom(name: "X-None", value: nil)
                HeaderField.accept(type: .json)
                HeaderField.userAgent(value: "App/1 (x)")
                try HeaderField.authorization(.basic(user: "Aladdin", password: "open sesame"))
                HeaderField.ifNoneMatch([try EntityTag("a"), try EntityTag("b", isWeak: true)])
                HeaderField.languages(["el-GR", "en"])
            }.build()
        },
        RequestExample("a header field without text", "GET", fields: ["X-Empty": ""]) {
            URLRequest.get(url: $0.url).set(header: .custom(name: "X-Empty", value: "")).build()
        },
        RequestExample(
            "line ends in header fields",
            "GET",
            fields: ["X-A": "1  X-Evil: 1", "X-C": "1 2", "Authorization": "t  X-Evil: 1"]
        ) {
            URLRequest.get(url: $0.url)
                .set(header: .custom(name: "X-A", value: "1\r\nX-Evil: 1"))
                .set(header: .custom(name: "X-B\r\nX-Evil", value: "1"))
                .set(header: .custom(name: "X-C", value: "1\u{0}2\n"))
                .set(header: .authorisation(auth: "t\r\nX-Evil: 1"))
                .build()
        },
    ]

    private static let json = Data(#"{"name":"é"}"#.utf8)
    private static let form = ["Content-Type": "application/x-www-form-urlencoded"]

    private static let bodies: [RequestExample] = [
        RequestExample("JSON", "DELETE", target: "/items?a=b", fields: ["Content-Type": "application/json"], body: json)
        {
            try URLRequest.build().method(.delete, url: $0.url).bodyJson(of: ["name": "é"]).add(query: "a", value: "b")
                .build()
        },
        RequestExample("JSON of another type", "PROPFIND", fields: ["content-type": "c/d"], body: json) {
            try URLRequest.build().method(HTTPMethod("PROPFIND"), url: $0.url).bodyJson(of: ["name": "é"])
                .set(header: .custom(name: "content-type", value: "c/d")).build()
        },
        RequestExample("a form", "PUT", fields: form, body: Data("%C3%A9=a+b".utf8)) {
            try URLRequest.put(url: $0.url).bodyForm(params: ["é": "a b"]).build()
        },
        RequestExample("an empty form", "PUT", fields: form) {
            try URLRequest.put(url: $0.url).bodyForm(params: [:]).build()
        },
        RequestExample("text", "PATCH", fields: ["Content-Type": "text/plain; charset=utf-8"], body: Data("é".utf8)) {
            URLRequest.patch(url: $0.url).bodyText("é").build()
        },
        RequestExample("bytes without a type", "POST", body: Data([1, 2, 3])) {
            var request = URLRequest(url: $0.url)
            request.method = .post
            request.httpBody = Data([1, 2, 3])
            return request
        },
        RequestExample("no bytes", "POST", fields: ["Content-Type": "application/octet-stream"]) {
            URLRequest.post(url: $0.url).bodyData(Data()).build()
        },
    ]

    private static let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

    /// A form with a text and a file.
    private static let parts: Data = {
        let head = """
            --B\r
            Content-Disposition: form-data; name="description"\r
            \r
            My file\r
            --B\r
            Content-Disposition: form-data; name="file"; filename="photo.jpg"\r
            Content-Type: image/jpeg\r
            \r\n
            """
        return Data(head.utf8) + bytes + Data("\r\n--B--\r\n".utf8)
    }()

    private static let files: [RequestExample] = [
        RequestExample(
            "a form with a file",
            "POST",
            fields: ["Content-Type": "multipart/form-data; boundary=B"],
            body: parts
        ) {
            let photo = try $0.directory.file("photo.jpg", bytes)
            return try URLRequest.post(url: $0.url).bodyMultipart(boundary: MultipartBoundary("B")) { builder in
                builder.add(key: "description", value: "My file")
                try builder.add(key: "file", file: .init(file: photo))
            }.build()
        },
        RequestExample("a file", "PUT", fields: ["Content-Type": "application/json"], body: bytes) {
            try URLRequest.put(url: $0.url).bodyFile(at: $0.directory.file("a.json", bytes)).build()
        },
        RequestExample("an empty file", "PUT", fields: ["Content-Type": "text/csv"]) {
            try URLRequest.put(url: $0.url).bodyFile(at: $0.directory.file("é.csv", "")).build()
        },
    ]

    private static let streams: [RequestExample] = [nil, 0, 5, 300_000].map { (length: Int?) in
        let body = bytes.prefix(length ?? 300_000)
        let framing = length.map { Framing.contentLength($0) } ?? Framing.chunked
        return RequestExample("a stream", "PUT", body: body, framings: [framing]) {
            var request = URLRequest(url: $0.url)
            request.method = .put
            request.httpBodyStream = InputStream(data: body)
            if let length { request.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
            return request
        }
    }

    private static let sources: [RequestExample] = [0, 1, 4 << 20].map { (length: Int) in
        RequestExample("a custom source of \(length) bytes", "POST", body: Data(count: length)) {
            try URLRequest.post(url: $0.url).body(ZerosBody(length: length)).build()
        }
    }

    /// Checks what a server received of the request.
    func check(_ received: RecordedRequest, from transport: TransportUnderTest, to server: LoopbackServer) {
        let row = "\(method) \(name)"
        let upper = target.replacingOccurrences(of: "%2f", with: "%2F")
        expect(received.method, method, row)
        expect(received.target, transport.has(.writesEscapesInUpperCase) ? upper : target, row)
        expect(received.body, body, row)
        #expect(framings.contains(received.framing), "\(row)")
        expect(received.headers.values(for: "Host"), ["127.0.0.1:\(server.port)"], row)
        let own = received.headers.filter { fields[$0.name] != nil }
        expect(Dictionary(grouping: own, by: \.name).mapValues { $0.map(\.value) }, fields.mapValues { [$0] }, row)
        expect(Set(received.headers.map(\.name)).subtracting(fields.keys).subtracting(Self.added), [], row)
    }
}

/// A custom body without a type, which is read from a custom source of zeros.
struct ZerosBody: RequestBody, BodySource {
    let length: Int
    /// How many bytes there are more, or fewer, than announced.
    var surplus = 0
    var mediaType: MediaType? { nil }

    func makeContent() -> RequestContent { .source(self) }
    func open() -> any BodyReader { Reader(remaining: length + surplus) }

    final class Reader: BodyReader {
        private var remaining: Int

        init(remaining: Int) {
            self.remaining = remaining
        }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
            let count = min(buffer.count, remaining)
            for index in 0..<count { buffer[index] = 0 }
            remaining -= count
            return count
        }

        func close() {
            remaining = 0
        }
    }
}
