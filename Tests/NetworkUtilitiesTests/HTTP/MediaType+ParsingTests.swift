import NetworkTestSupport
import Testing

@testable import NetworkUtilities

struct MediaTypeParsingTests {
    @Test(arguments: [
        "text/html", "text/html;charset=utf-8", "Text/HTML;Charset=\"utf-8\"", "text/html; charset=\"utf-8\"",
        "text/html ; a=b\t;\tc=d", "a/b;", "a/b; ;; ; c=d;", "*/*", "text/*", "a/b;c=\"\"", "a/b;c=\"x\\\"y;z\"",
        "a/b;c=\"é\t\\\\\"", "application/vnd.ms-excel.sheet.macroEnabled.12", "a/b+c", "!/~",
    ])
    func takesWhatTheGrammarAllows(text: String) throws {
        #expect(try MediaType(parsing: text).value == text)
        #expect(try MediaType(parsing: " \(text)\t").value == text)
    }

    @Test(arguments: [
        "", " ", "text", "text/", "/html", "/", "text html", "text/html/x", "te xt/html", "text /html", "text/ html",
        "text/html, text/css", "text/html charset=utf-8", "é/b", "a/é", "a/b\r\n", "a/\u{0}b", "a/b\u{7F}", "\"a/b\"",
        "a/b,", "a@b/c",
    ])
    func refusesWhatHasNoTypeAndSubtype(text: String) {
        #expect(throws: InvalidMediaType(text: text, reason: .essence)) { try MediaType(parsing: text) }
    }

    @Test(arguments: [
        "a/b;c", "a/b;=d", "a/b; c =d", "a/b;c d=e", "a/b;é=1", "a/b;c=d e", "a/b;c=d,", "a/b;c=\"d\"e", "a/b;\r\nX: 1",
        "a/b;c=d\r\nX: 1",
    ])
    func refusesAParameterThatIsNone(text: String) {
        #expect(throws: InvalidMediaType(text: text, reason: .parameter)) { try MediaType(parsing: text) }
    }

    @Test(arguments: [
        "a/b;c=", "a/b;c= d", "a/b;c=\"", "a/b;c=\"d", "a/b;c=\"d\\\"", "a/b;c=\"\\", "a/b;c=\"\r\n\"",
        "a/b;c=\"\\\u{0}\"",
        "a/b;c=é", "a/b;c=;", "a/b;c=(d)",
    ])
    func refusesAValueThatIsNone(text: String) {
        #expect(throws: InvalidMediaType(text: text, reason: .parameterValue)) { try MediaType(parsing: text) }
    }

    @Test(.longComputation) func isNotSlowOnLongText() throws {
        let long = String(repeating: "x", count: 1_000_000)
        #expect(try MediaType(parsing: "a/\(long); b=\"\(long)\"").parameter("b") == long)
        #expect(throws: InvalidMediaType.self) { try MediaType(parsing: String(repeating: ";", count: 1_000_000)) }
    }

    @Test func neverTrapsOnRandomText() {
        var generator = SeededGenerator(seed: 8)
        let pieces = ["a", "/", ";", "=", "\"", "\\", " ", "\t", "é", "\r", "*", "+", "q", "\u{0}"]
        for _ in 0..<3000 {
            let count = Int.random(in: 0...12, using: &generator)
            let text = (0..<count).compactMap { _ in pieces.randomElement(using: &generator) }.joined()
            let type = MediaType(text)
            _ = (type.essence, type.type, type.subtype, type.suffix, type.parameters, type.matches(.any))
            guard let parsed = try? MediaType(parsing: text) else { continue }
            #expect(parsed.parameters.allSatisfy { !$0.name.isEmpty })
            let again = try? MediaType(type: parsed.type, subtype: parsed.subtype, parameters: parsed.parameters)
            #expect(again?.parameters == parsed.parameters)
            #expect(again.map { $0.matches(parsed) && parsed.matches($0) } == true || hasRepeatedName(parsed))
        }
    }

    @Test func isMadeOfItsParts() throws {
        let parameters = [("charset", "utf-8"), ("Title", "a \"b\" \\c"), ("e", "")].map {
            MediaType.Parameter(name: $0, value: $1)
        }
        let type = try MediaType(type: "text", subtype: "html", parameters: parameters)
        #expect(type.value == #"text/html; charset=utf-8; title="a \"b\" \\c"; e="""#)
        #expect(try MediaType(parsing: type.value).parameters == parameters)
        #expect(try MediaType(type: "image", subtype: "png").value == "image/png")
    }

    @Test(
        arguments: [
            ("", "b", [], .essence), ("a", "", [], .essence), ("a/b", "c", [], .essence), ("a", "b;c", [], .essence),
            ("a", "b", [("c d", "1")], .parameter), ("a", "b", [("", "1")], .parameter),
            ("a", "b", [("c", "s3cret\r\n")], .parameterValue), ("a", "b", [("c", "\u{0}")], .parameterValue),
        ] as [(String, String, [(String, String)], InvalidMediaType.Reason)]
    )
    func refusesPartsThatAreNone(
        type: String,
        subtype: String,
        parameters: [(String, String)],
        reason: InvalidMediaType.Reason
    ) {
        #expect(throws: InvalidMediaType(text: "\(type)/\(subtype)", reason: reason)) {
            let parameters = parameters.map { MediaType.Parameter(name: $0, value: $1) }
            return try MediaType(type: type, subtype: subtype, parameters: parameters)
        }
    }

    private func hasRepeatedName(_ type: MediaType) -> Bool {
        Set(type.parameters.map(\.name)).count != type.parameters.count
    }
}
