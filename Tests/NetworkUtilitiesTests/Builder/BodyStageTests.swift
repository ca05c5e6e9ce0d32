import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct BodyStageTests {
    private struct Payload: Encodable {
        let name: String
    }

    private let create = url("https://api.example.com/create")

    @Test(.spec(34)) func aJSONBodyIsEncodedWithItsContentType() throws {
        let request = try URLRequest.build().post(url: create).bodyJson(of: Payload(name: "Alice")).build()
        #expect(request.httpBody == Data(#"{"name":"Alice"}"#.utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/json")
    }

    @Test(.spec(37)) func aFormBodyIsEncodedWithItsContentType() throws {
        let stage = URLRequest.post(url: create)
        let form = try stage.bodyForm(params: ["page": 1, "name": "viktor"]).build()
        #expect(form.httpBody == Data("name=viktor&page=1".utf8))
        #expect(form.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        let marked = try stage.bodyFormUtf8(params: ["page": 1, "name": "viktor"]).build()
        #expect(marked.httpBody == Data("name=viktor&page=1".utf8))
        #expect(
            marked.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded; charset=utf-8"
        )
        #expect(try stage.bodyForm(of: Payload(name: "a b")).build().httpBody == Data("name=a+b".utf8))
    }

    @Test(.spec(37, 38)) func aFormOfQueryItemsKeepsTheirOrderAndRepeatedNames() throws {
        let items = [("b", "hello world"), ("a", "1"), ("b", "x&y=z"), ("é", ""), ("flag", nil)]
            .map { URLQueryItem(name: $0, value: $1) }
        let request = URLRequest.post(url: url("https://h")).bodyForm(items: items).build()
        #expect(request.httpBody == Data("b=hello+world&a=1&b=x%26y%3Dz&%C3%A9=&flag=".utf8))
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "application/x-www-form-urlencoded")
        #expect(URLRequest.post(url: url("https://h")).bodyForm(items: []).build().httpBody == Data())
    }

    @Test(.spec(16)) func noBodySendsNoBytesAndNoContentType() {
        let request = URLRequest.post(url: create).noBody().add(query: "param", value: "value").build()
        #expect(request.url?.query == "param=value")
        #expect(request.httpBody == nil)
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test(.spec(56, 60)) func aMultipartBodyHasItsBoundaryInTheContentType() throws {
        let request = URLRequest.post(url: create)
            .bodyMultipart(boundary: try MultipartBoundary("B")) { $0.add(key: "description", value: "My file") }
            .build()
        #expect(request.value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=B")
        let body = "--B\r\nContent-Disposition: form-data; name=\"description\"\r\n\r\nMy file\r\n--B--\r\n"
        #expect(request.httpBody == Data(body.utf8))
    }

    @Test(.spec(56, 60)) func eachMultipartBodyHasABoundaryOfItsOwn() throws {
        let stage = URLRequest.post(url: create)
        let boundaries = try (0..<100).map { _ in
            let request = stage.bodyMultipart { $0.add(key: "k", value: "v") }.build()
            let type = try #require(request.value(forHTTPHeaderField: "Content-Type"))
            let boundary = try #require(MediaType(type).parameter("boundary"))
            let body = try #require(request.httpBody)
            #expect(String(decoding: body, as: UTF8.self).hasPrefix("--\(boundary)\r\n"))
            #expect(String(decoding: body, as: UTF8.self).hasSuffix("\r\n--\(boundary)--\r\n"))
            return boundary
        }
        #expect(Set(boundaries).count == 100)
    }

    @Test(.spec(29)) func aHeaderStepOverridesTheContentTypeOfTheBody() throws {
        let patch = URLRequest.patch(url: create)
        let type = MediaType("application/merge-patch+json")
        for request in [
            try patch.bodyJson(of: [1]).set(header: .content(type: type)).build(),
            try patch.bodyJson(of: [1]).add(header: .content(type: type)).build(),
            try patch.bodyJson(of: [1]).set(header: .custom(name: "content-TYPE", value: type.value)).build(),
        ] {
            #expect(request.value(forHTTPHeaderField: "Content-Type") == type.value)
            #expect(request.allHTTPHeaderFields?.count == 1)
        }
    }

    @Test func aHeaderStepCanRemoveTheContentTypeOfTheBody() throws {
        let request = try URLRequest.post(url: create).bodyJson(of: [1])
            .set(header: .custom(name: "Content-Type", value: nil)).build()
        #expect(request.value(forHTTPHeaderField: "Content-Type") == nil)
    }

    @Test func aMultipartBodyRethrowsTheErrorOfItsClosure() {
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try URLRequest.post(url: create).bodyMultipart { _ in throw Stop() }
        }
    }

    @Test(.spec(36)) func aJSONBodyNamesThePathOfAValueThatCannotBeEncoded() {
        let error = BodyEncodingError.json(path: "prices[1]", reason: "is a number that is not finite")
        #expect(throws: error) {
            try URLRequest.post(url: create).bodyJson(of: ["prices": [1, Double.infinity]])
        }
    }

    @Test(.spec(47)) func aRequestCanHaveABodyAndAQuery() throws {
        let request = try URLRequest.post(url: create).bodyJson(of: [1]).add(query: "grant_type", value: "x").build()
        #expect(request.url?.query == "grant_type=x")
        #expect(request.httpBody == Data("[1]".utf8))
    }

    private let stage = URLRequest.post(url: url("https://api.example.com/create"))

    /// A custom body.
    private struct Note: RequestBody {
        let text: String
        var mediaType: MediaType? = MediaType("application/xml")
        func content() -> RequestContent { .data(Data(text.utf8)) }
    }

    private func type(of request: URLRequest) -> String? {
        request.value(forHTTPHeaderField: "Content-Type")
    }

    @Test(.spec(42)) func aDataBodySendsItsBytes() {
        let request = stage.bodyData(Data([1, 2, 3])).build()
        #expect(request.httpBody == Data([1, 2, 3]))
        #expect(type(of: request) == "application/octet-stream")
        #expect(type(of: stage.bodyData(Data([1]), type: .json).build()) == "application/json")
    }

    @Test(.spec(42)) func aDataBodyThatIsNilSendsNoBody() {
        let present: Data? = Data([1, 2, 3])
        let request = stage.bodyData(present).build()
        #expect(request.httpBody == Data([1, 2, 3]))
        #expect(type(of: request) == "application/octet-stream")
        let absent = stage.bodyData(nil).build()
        #expect(absent.httpBody == nil)
        #expect(type(of: absent) == nil)
    }

    @Test(.spec(43)) func aTextBodyIsSentInUTF8() {
        let request = stage.bodyText("Hello, World!").build()
        #expect(request.httpBody?.count == 13)
        #expect(request.httpBody == Data("Hello, World!".utf8))
        #expect(type(of: request) == "text/plain; charset=utf-8")
        let page = stage.bodyText("é\r\u{0}", type: MediaType("text/html")).build()
        #expect(page.httpBody == Data([0xC3, 0xA9, 0x0D, 0x00]))
        #expect(type(of: page) == "text/html")
    }

    @Test(
        .spec(58),
        arguments: [("a.json", "application/json"), ("a.b.PDF", "application/pdf"), ("a", "application/octet-stream")]
    )
    func aFileBodyIsStreamedWithTheMediaTypeOfItsName(name: String, expected: String) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file(name, "content")
        let request = try stage.bodyFile(at: file).build()
        #expect(request.httpBody == nil)
        let stream = try #require(request.httpBodyStream as? BodyInputStream)
        #expect(try stream.source.bytes() == Data("content".utf8))
        #expect(type(of: request) == expected)
        #expect(type(of: try stage.bodyFile(at: file, type: .plainText).build()) == "text/plain; charset=utf-8")
    }

    @Test func aSequenceBodyIsStreamedWithItsLength() throws {
        let texts = AsyncStream<[UInt8]> { $0.finish() }
        let request = stage.bodyStream(texts, length: 5).build()
        #expect(request.httpBody == nil)
        #expect(try #require(request.httpBodyStream as? SequenceInputStream).body.length == 5)
        #expect(type(of: request) == "application/octet-stream")
        let slices = AsyncThrowingStream<ArraySlice<UInt8>, any Error> { $0.finish() }
        let typed = stage.bodyStream(slices, type: .json).build()
        #expect(try #require(typed.httpBodyStream as? SequenceInputStream).body.length == nil)
        #expect(type(of: typed) == "application/json")
    }

    @Test func aSequenceBodyIsSentOnceHoweverManyRequestsAreBuilt() throws {
        let step = stage.bodyStream(AsyncStream<Data> { $0.finish() })
        let bodies = try [step.build(), step.build()].map {
            try #require($0.httpBodyStream as? SequenceInputStream).body
        }
        #expect(bodies[0].claim() != nil)
        #expect(bodies[1].claim() == nil)
    }

    @Test func aFileBodyRefusesAMissingFile() {
        let file = URL(fileURLWithPath: "/nonexistent/file")
        #expect(throws: BodySourceError.fileMissing(url: file)) { try stage.bodyFile(at: file) }
    }

    @Test(.spec(48)) func aCustomBodyIsSentWithItsMediaType() throws {
        let request = try stage.body(Note(text: "<note/>")).build()
        #expect(request.httpBody == Data("<note/>".utf8))
        #expect(type(of: request) == "application/xml")
        let bare = try stage.body(Note(text: "<note/>", mediaType: nil)).build()
        #expect(type(of: bare) == nil)
        let absent = try stage.body(nil as Note?).build()
        #expect(absent.httpBody == nil)
        #expect(type(of: absent) == nil)
    }

    @Test(.spec(48)) func aCustomSourceIsStreamed() throws {
        struct Zeros: RequestBody, BodySource {
            let length: Int
            var mediaType: MediaType? { .octetStream }
            func content() -> RequestContent { .source(self) }
            func open() -> any BodyReader { DataBodySource(Data(count: max(0, length))).open() }
        }
        let stream = try stage.body(Zeros(length: 5)).build().httpBodyStream as? BodyInputStream
        #expect(try #require(stream).source.bytes() == Data(count: 5))
        #expect(throws: BodySourceError.invalidLength(-1)) { try stage.body(Zeros(length: -1)) }
    }

    @Test func aCustomBodyPassesOnItsError() {
        struct Stop: Error {}
        struct Failing: RequestBody {
            var mediaType: MediaType? { nil }
            func content() throws -> RequestContent { throw Stop() }
        }
        #expect(throws: Stop.self) { try stage.body(Failing()) }
    }

    @Test(.spec(29)) func theMediaTypeOfAnyBodyIsOnlyADefault() throws {
        let directory = try TemporaryDirectory()
        let type = MediaType("application/merge-patch+json")
        let stages = [
            stage.bodyData(Data([1])), stage.bodyText("{}"), try stage.bodyFile(at: directory.file("a.json", "{}")),
            try stage.body(Note(text: "")), stage.bodyMultipart(MultipartForm(parts: [])),
        ]
        for stage in stages {
            let request = stage.set(header: .content(type: type)).build()
            #expect(request.allHTTPHeaderFields == ["Content-Type": type.value])
            let bare = stage.set(header: .custom(name: "content-type", value: nil)).build()
            #expect(bare.allHTTPHeaderFields ?? [:] == [:])
        }
    }

    @Test(.spec(56, 60, 62)) func anExistingMultipartFormIsSentAsABody() throws {
        let form = MultipartForm { MultipartPart(name: "k", text: "v") }
        let requests = [stage.bodyMultipart(form).build(), try stage.body(form).build()]
        for request in requests {
            #expect(type(of: request) == "multipart/form-data; boundary=\(form.boundary)")
            #expect(try request.httpBody == form.content().bytes)
        }
    }
}
