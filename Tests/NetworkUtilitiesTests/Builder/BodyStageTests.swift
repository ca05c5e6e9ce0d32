@testable import NetworkUtilities

struct BodyStageTests {
    private struct Payload: Encodable { let name: String }

    /// A custom body.
    private struct Note: RequestBody {
        let text: String
        var mediaType: MediaType? = MediaType("application/xml")
        func makeContent() -> RequestContent { .data(Data(text.utf8)) }
    }

    private let stage = URLRequest.post(url: url("https://api.example.com/create"))
    private let form = "application/x-www-form-urlencoded"
    private let json = "application/json"
    private let text = "text/plain; charset=utf-8"

    private func expectBodies(_ rows: [(URLRequest, String?, String?)], at place: SourceLocation = #_sourceLocation) {
        for (index, (request, body, type)) in rows.enumerated() {
            expect(request.bodyText, body, "row \(index)", sourceLocation: place)
            expect(request.contentType, type, "row \(index)", sourceLocation: place)
            expect(request.httpBodyStream, nil, "row \(index)", sourceLocation: place)
        }
    }

    @Test(.spec(34, 37, 38, 47))
    func aJSONOrFormBodyIsEncodedWithItsContentType() throws {
        let payload: Payload? = Payload(name: "a")
        let items = [("b", "hello world"), ("a", "1"), ("b", "x&y=z"), ("é", ""), ("flag", nil)]
            .map { URLQueryItem(name: $0, value: $1) }
        let params: Params = ["page": 1, "name": "viktor"]
        let queried = try stage.bodyJson(of: [1]).add(query: "grant_type", value: "x").build()
        expectBodies([
            (try stage.bodyJson(of: Payload(name: "Alice")).build(), #"{"name":"Alice"}"#, json),
            (try stage.bodyJson(of: payload).build(), #"{"name":"a"}"#, json),
            (queried, "[1]", json),
            (try stage.bodyForm(params: params).build(), "name=viktor&page=1", form),
            (try stage.bodyFormUtf8(params: params).build(), "name=viktor&page=1", form + "; charset=utf-8"),
            (try stage.bodyForm(of: Payload(name: "a b")).build(), "name=a+b", form),
            (try stage.bodyForm(of: payload).build(), "name=a", form),
            (stage.bodyForm(items: items).build(), "b=hello+world&a=1&b=x%26y%3Dz&%C3%A9=&flag=", form),
            (stage.bodyForm(items: []).build(), "", form),
            (
                stage.bodyForm(pairs: ["b": "x y", "a": "é&", "b": "2", "c": nil]).build(), "b=x+y&a=%C3%A9%26&b=2",
                form
            ),
        ])
        expect(queried.query, "grant_type=x")
    }

    @Test(.spec(42, 43, 48)) func aBodyOfDataTextOrACustomTypeHasItsBytesAndContentType() throws {
        let data: Data? = Data("123".utf8)
        expectBodies([
            (stage.bodyData(Data("123".utf8)).build(), "123", "application/octet-stream"),
            (stage.bodyData(data).build(), "123", "application/octet-stream"),
            (stage.bodyData(Data("1".utf8), type: .json).build(), "1", json),
            (stage.bodyText("Hello, World!").build(), "Hello, World!", text),
            (stage.bodyText("é" as String?).build(), "é", text),
            (stage.bodyText("é\r\u{0}", type: MediaType("text/html")).build(), "é\r\u{0}", "text/html"),
            (stage.bodyText(42).build(), "42", text), (try stage.bodyText(2.5).build(), "2.5", text),
            (stage.bodyText(true).build(), "true", text), (try stage.bodyText(Float(-1)).build(), "-1.0", text),
            (stage.bodyText(1, type: .json).build(), "1", json),
            (try stage.body(Note(text: "<note/>")).build(), "<note/>", "application/xml"),
            (try stage.body(Note(text: "<note/>", mediaType: nil)).build(), "<note/>", nil),
        ])
        expect(stage.bodyText("é").build().httpBody, Data([0xC3, 0xA9]))
        let infinite = BodyEncodingError.text(reason: "is not a finite number")
        #expect(throws: infinite) { try stage.bodyText(Double.infinity) }
    }

    @Test(.spec(34, 36)) func parametersOfSeveralTypesAreAJSONObject() throws {
        enum Kind: String { case big }
        let params: Params = [
            "page": 1, "name": "a", "isNew": true, "since": Date(timeIntervalSince1970: 0), "none": Int?.none as Any,
            "some": Int?.some(2) as Any, "kind": Kind.big, "list": [1, "b", [2.5]] as [Any],
            "userName": ["first": "a", "age": 3] as Params,
        ]
        let snake = URLRequestBuilderOptions(encoder: DefaultJsonEncoder(keyEncodingStrategy: .convertToSnakeCase))
        let text =
            #"{"isNew":true,"kind":"big","list":[1,"b",[2.5]],"name":"a","page":1,"#
            + #""since":"1970-01-01T00:00:00Z","some":2,"userName":{"age":3,"first":"a"}}"#
        for options in [URLRequestBuilderOptions(), snake] {
            let begun = URLRequest.builder(options: options).post(url: url("https://h/"))
            expectBodies([(try begun.bodyJson(params: params).build(), text, json)])
        }
        struct Closure {}
        let error = BodyEncodingError.json(path: "a[1]", reason: "is of type Closure and has no JSON form")
        #expect(throws: error) { try stage.bodyJson(params: ["a": [1, Closure()] as [Any]]) }
        let bridged: Params = ["a": NSNull(), "b": [NSNumber(value: true), NSNumber(value: 1.5), NSNumber(value: 3)]]
        let slices: Params = ["c": "text".prefix(2), "d": ["s" as NSString], "e": AnyHashable(1)]
        expectBodies([
            (try stage.bodyJson(params: bridged).build(), #"{"a":null,"b":[true,1.5,3]}"#, json),
            (try stage.bodyJson(params: slices).build(), #"{"c":"te","d":["s"],"e":1}"#, json),
        ])
        struct Endless: RawRepresentable {
            var rawValue: Endless { self }
            init() {}
            init?(rawValue: Endless) { nil }
        }
        func nested(_ levels: Int) -> Params { (1..<levels).reduce(["x": 1]) { params, _ in ["x": params] } }
        expect(try stage.bodyJson(params: nested(64)).build().httpBody?.count, 64 * 6 + 1)
        for params in [nested(65), nested(10_000), ["x": Endless()]] {
            let error = #expect(throws: BodyEncodingError.self) { try stage.bodyJson(params: params) }
            expect(error.map { "\($0)".contains("is nested deeper than 64 levels") }, true)
        }
        let nan = BodyEncodingError.json(path: "a", reason: "is a number that is not finite")
        #expect(throws: nan) { try stage.bodyJson(params: ["a": Double.nan]) }
        expect(try stage.bodyJson(params: nil).build().httpBody, nil)
    }

    @Test(.spec(321)) func whatAFormCanWriteJSONCanWriteToo() throws {
        let params: Params = [
            "a": Character("é"), "b": MediaType("text/x"), "c": [1: true as Any], "d": Set([AnyHashable("x")]),
            "e": Set(1...9),
        ]
        let digits = (1...9).map { "&e%5B%5D=\($0)" }.joined()
        expectBodies([
            (
                try stage.bodyJson(params: params).build(),
                #"{"a":"é","b":"text/x","c":{"1":true},"d":["x"],"e":[1,2,3,4,5,6,7,8,9]}"#, json
            ),
            (try stage.bodyForm(params: params).build(), "a=%C3%A9&b=text%2Fx&c%5B1%5D=true&d%5B%5D=x" + digits, form),
        ])
    }

    @Test(.spec(230)) func aParameterThatIsNilIsLeftOutOfABody() throws {
        let params: Params = [
            "a": Int??.some(nil) as Any, "b": ["c": String?.none as Any, "d": NSNull()] as Params,
            "e": [1, nil] as [Int?], "f": ["g": nil] as [String: Int?], "h": 1,
        ]
        expectBodies([
            (try stage.bodyJson(params: params).build(), #"{"b":{"d":null},"e":[1,null],"f":{},"h":1}"#, json),
            (try stage.bodyForm(params: params).build(), "e%5B%5D=1&h=1", form),
        ])
    }

    @Test(.spec(16)) func aBodyThatIsNilOrNoneSendsNoBytesAndNoContentType() throws {
        let payload: Payload? = nil
        let params: Params? = nil
        let none = stage.noBody().add(query: "param", value: "value").build()
        expect(none.query, "param=value")
        let requests = [
            none, try stage.bodyJson(of: payload).build(), try stage.bodyForm(of: payload).build(),
            try stage.bodyForm(params: params).build(), try stage.bodyFormUtf8(params: params).build(),
            stage.bodyForm(items: nil).build(), stage.bodyText(nil).build(), stage.bodyText(nil as Int?).build(),
            stage.bodyData(nil).build(), try stage.body(nil as Note?).build(),
        ]
        expectBodies(requests.map { ($0, nil, nil) })
    }

    @Test(.spec(321)) func anEmptyMediaTypeIsNoField() {
        for request in [stage.bodyData(Data(), type: "").build(), stage.bodyText("a", type: "").build()] {
            expect(request.value(forHTTPHeaderField: "Content-Type"), nil)
        }
    }

    @Test(.spec(56, 60, 62)) func aMultipartBodyHasItsBoundaryInTheContentType() throws {
        let form = MultipartForm(boundary: try MultipartBoundary("B")) { MultipartPart(name: "k", text: "v") }
        let body = "--B\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\nv\r\n--B--\r\n"
        let requests = [
            stage.bodyMultipart(form).build(), try stage.body(form).build(),
            stage.bodyMultipart(boundary: form.boundary) { $0.add(key: "k", value: "v") }.build(),
        ]
        expectBodies(requests.map { ($0, body, "multipart/form-data; boundary=B") })
        let boundaries = try (0..<100).map { _ in
            let request = stage.bodyMultipart { $0.add(key: "k", value: "v") }.build()
            let boundary = try #require(MediaType(request.contentType ?? "").parameter("boundary"))
            expect(request.bodyText, body.replacingOccurrences(of: "--B", with: "--\(boundary)"))
            return boundary
        }
        expect(Set(boundaries).count, 100)
    }

    @Test(.spec(58)) func aFileBodyIsStreamedWithTheMediaTypeOfItsName() throws {
        let directory = try TemporaryDirectory()
        for (name, type) in [
            "a.json": "application/json", "a.b.PDF": "application/pdf", "a": "application/octet-stream",
        ] {
            let file = try directory.file(name, "content")
            let request = try stage.bodyFile(at: file).build()
            expect(request.httpBody, nil)
            let stream = try #require(request.httpBodyStream as? BodyInputStream)
            expect(try stream.source.bytes(), Data("content".utf8))
            expect(request.contentType, type)
            expect(try stage.bodyFile(at: file, type: .plainText).build().contentType, text)
        }
    }

    @Test(.spec(48)) func aSequenceOrACustomSourceIsStreamedWithItsLength() throws {
        let custom = try stage.body(AnnouncedBody(length: 5, bytes: Data(count: 5))).build()
        expect(try (custom.httpBodyStream as? BodyInputStream)?.source.bytes(), Data(count: 5))
        expect(custom.contentType, "application/x-custom")
        #expect(throws: BodySourceError.invalidLength(-1)) { try stage.body(AnnouncedBody(length: -1)) }
        let texts = stage.bodyStream(AsyncStream<[UInt8]> { $0.finish() }, length: 5)
        let slices = AsyncThrowingStream<ArraySlice<UInt8>, any Error> { $0.finish() }
        let requests = [texts.build(), stage.bodyStream(slices, type: .json).build(), texts.build()]
        expect(requests.map(\.httpBody), [nil, nil, nil])
        expect(requests.map(\.contentType), ["application/octet-stream", json, "application/octet-stream"])
        let bodies = try requests.map { try #require($0.httpBodyStream as? SequenceInputStream).body }
        expect(bodies.map(\.length), [5, nil, 5])
        // Two requests of one step share the sequence, which can be sent once.
        expect(bodies.map { $0.claim() != nil }, [true, true, false])
    }

    @Test(.spec(36)) func aBodyStepFailsWithTheErrorOfItsBody() {
        struct Stop: Error {}
        struct Failing: RequestBody {
            var mediaType: MediaType? { nil }
            func makeContent() throws -> RequestContent { throw Stop() }
        }
        #expect(throws: Stop.self) { try stage.body(Failing()) }
        #expect(throws: Stop.self) { try stage.bodyMultipart { _ in throw Stop() } }
        let error = BodyEncodingError.json(path: "prices[1]", reason: "is a number that is not finite")
        #expect(throws: error) { try stage.bodyJson(of: ["prices": [1, Double.infinity]]) }
        let file = URL(fileURLWithPath: "/nonexistent/file")
        #expect(throws: BodySourceError.fileMissing(url: file)) { try stage.bodyFile(at: file) }
    }

    @Test(.spec(29)) func theMediaTypeOfAnyBodyIsOnlyADefault() throws {
        let directory = try TemporaryDirectory()
        let type = MediaType("application/merge-patch+json")
        let stages = [
            try stage.bodyJson(of: [1]), try stage.bodyForm(params: ["a": 1]), stage.bodyData(Data([1])),
            stage.bodyText("{}"), try stage.bodyFile(at: directory.file("a.json", "{}")),
            try stage.body(Note(text: "")), stage.bodyMultipart(MultipartForm(parts: [])),
        ]
        for stage in stages {
            let name = "content-TYPE"
            expect(stage.set(header: .content(type: type)).build().fields, ["Content-Type": type.value])
            expect(stage.add(header: .content(type: type)).build().fields, ["Content-Type": type.value])
            expect(stage.set(header: .custom(name: name, value: type.value)).build().fields, [name: type.value])
            expect(stage.set(header: .custom(name: name, value: nil)).build().fields, [:])
        }
    }
}
