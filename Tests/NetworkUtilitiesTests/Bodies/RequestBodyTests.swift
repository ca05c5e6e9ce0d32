@testable import NetworkUtilities

struct RequestBodyTests {
    @Test(.spec(62)) func aContentIsInMemoryOrReadAgainFromTheStartOfItsFile() throws {
        let directory = try TemporaryDirectory()
        let data = RequestContent.data(Data("content".utf8))
        let file = try RequestContent.file(at: directory.file("f", "content"))
        expect([data.isInMemory, file.isInMemory], [true, false])
        for content in [data, file] {
            expect(content.length, 7)
            for _ in 0..<2 { expect(try content.text, "content") }
        }
        let missing = URL(fileURLWithPath: "/nonexistent/file")
        #expect(throws: BodySourceError.fileMissing(url: missing)) { try RequestContent.file(at: missing) }
    }

    @Test func aContentOfASourceMustHaveALengthAndKeepIt() throws {
        let content = RequestContent.source(AnnouncedBody(length: 5, bytes: Data([1])))
        expect(content.length, 5)
        #expect(throws: BodySourceError.endedEarly(expectedLength: 5, actualLength: 1)) { try content.bytes }
        for length in [0, 1] {
            expect(try RequestContent.source(AnnouncedBody(length: length)).checked().length, length)
        }
        let negative = RequestContent.source(AnnouncedBody(length: -5))
        #expect(throws: BodySourceError.invalidLength(-5)) { try negative.checked() }
    }

    @Test(.spec(37, 38, 39, 41)) func aFormIsMadeOfPairsItemsParametersOrProperties() throws {
        let forms = [
            URLEncodedForm(pairs: ["z": "1 2", "a": "é", "z": nil]),
            URLEncodedForm(items: [URLQueryItem(name: "flag", value: nil)]),
            try URLEncodedForm(params: ["b": [1, 2], "a": true]),
            try URLEncodedForm(of: ["b": [1, 2]], style: FormStyle(arrays: .comma)),
        ]
        let requests = try forms.map { try URLRequest.post(url: url("https://h")).body($0).build() }
        expect(requests.map(\.bodyText), ["z=1+2&a=%C3%A9", "flag=", "a=true&b%5B%5D=1&b%5B%5D=2", "b=1,2"])
        expect(Set(requests.map(\.contentType)), ["application/x-www-form-urlencoded"])
        #expect(throws: BodyEncodingError.self) { try URLEncodedForm(params: ["a": Data()]) }
        #expect(throws: BodyEncodingError.self) { try URLEncodedForm(of: [Double.infinity]) }
    }
}
