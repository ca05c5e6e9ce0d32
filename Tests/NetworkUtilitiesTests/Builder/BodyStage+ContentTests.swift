import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct BodyStageContentTests {
    private let stage = URLRequest.post(url: url("https://api.example.com/create"))

    /// A body of the user's own.
    private struct Note: RequestBody {
        let text: String
        var mediaType: MediaType? = MediaType("application/xml")
        func content() -> RequestContent { .data(Data(text.utf8)) }
    }

    private func type(of request: URLRequest) -> String? {
        request.value(forHTTPHeaderField: "Content-Type")
    }

    @Test(.spec(42)) func sendsData() {
        let request = stage.bodyData(Data([1, 2, 3])).build()
        #expect(request.httpBody == Data([1, 2, 3]))
        #expect(type(of: request) == "application/octet-stream")
        #expect(type(of: stage.bodyData(Data([1]), type: .json).build()) == "application/json")
    }

    @Test(.spec(42)) func sendsDataThatMayBeAbsent() {
        let present: Data? = Data([1, 2, 3])
        let request = stage.bodyData(present).build()
        #expect(request.httpBody == Data([1, 2, 3]))
        #expect(type(of: request) == "application/octet-stream")
        let absent = stage.bodyData(nil).build()
        #expect(absent.httpBody == nil)
        #expect(type(of: absent) == nil)
    }

    @Test(.spec(43)) func sendsText() {
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
    func sendsAFile(name: String, expected: String) throws {
        let directory = try TemporaryDirectory()
        let file = try directory.file(name, "content")
        let request = try stage.bodyFile(at: file).build()
        #expect(request.httpBody == nil)
        let stream = try #require(request.httpBodyStream as? BodyInputStream)
        #expect(try stream.source.bytes() == Data("content".utf8))
        #expect(type(of: request) == expected)
        #expect(type(of: try stage.bodyFile(at: file, type: .plainText).build()) == "text/plain; charset=utf-8")
    }

    @Test func sendsASequence() throws {
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

    @Test func sendsASequenceOnceHoweverManyRequestsAreBuilt() throws {
        let step = stage.bodyStream(AsyncStream<Data> { $0.finish() })
        let bodies = try [step.build(), step.build()].map {
            try #require($0.httpBodyStream as? SequenceInputStream).body
        }
        #expect(bodies[0].claim() != nil)
        #expect(bodies[1].claim() == nil)
    }

    @Test func refusesAFileThatIsNotThere() {
        let file = URL(fileURLWithPath: "/nonexistent/file")
        #expect(throws: BodySourceError.fileMissing(url: file)) { try stage.bodyFile(at: file) }
    }

    @Test(.spec(48)) func sendsABodyOfTheUsersOwn() throws {
        let request = try stage.body(Note(text: "<note/>")).build()
        #expect(request.httpBody == Data("<note/>".utf8))
        #expect(type(of: request) == "application/xml")
        let bare = try stage.body(Note(text: "<note/>", mediaType: nil)).build()
        #expect(type(of: bare) == nil)
        let absent = try stage.body(nil as Note?).build()
        #expect(absent.httpBody == nil)
        #expect(type(of: absent) == nil)
    }

    @Test(.spec(48)) func sendsASourceOfTheUsersOwn() throws {
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

    @Test func passesOnWhatABodyThrows() {
        struct Stop: Error {}
        struct Failing: RequestBody {
            var mediaType: MediaType? { nil }
            func content() throws -> RequestContent { throw Stop() }
        }
        #expect(throws: Stop.self) { try stage.body(Failing()) }
    }

    @Test(.spec(29)) func theMediaTypeIsOnlyADefault() throws {
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

    @Test(.spec(56, 60, 62)) func sendsAFormThatWasMadeElsewhere() throws {
        let form = MultipartForm { MultipartPart(name: "k", text: "v") }
        let requests = [stage.bodyMultipart(form).build(), try stage.body(form).build()]
        for request in requests {
            #expect(type(of: request) == "multipart/form-data; boundary=\(form.boundary)")
            #expect(try request.httpBody == form.content().bytes)
        }
    }
}
