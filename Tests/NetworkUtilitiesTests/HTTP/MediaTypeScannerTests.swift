import Testing

@testable import NetworkUtilities

struct MediaTypeScannerTests {
    /// Each parameter as `[name]value`, as they stand in the text.
    private func parameters(_ text: String) -> [String] {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            var scanner = MediaTypeScanner(bytes)
            var found: [String] = []
            while let parameter = scanner.next() {
                found.append("[\(scanner.text(parameter.name))]\(scanner.unquoted(parameter.value))")
            }
            return found
        }
    }

    @Test(arguments: [
        (#"a/b; x=a\;y=b"#, [#"[x]a\"#, "[y]b"]), (#"a/b; \;y=b"#, [#"[]"#, "[y]b"]),
        (#"a/b; x=\";c=d";y=b"#, [#"[x]\";c=d""#, "[y]b"]),
    ])
    func aBackslashOutsideQuotesEscapesNothing(text: String, expected: [String]) {
        #expect(parameters(text) == expected)
    }

    @Test(arguments: [
        (#"a/b; x="a\";y=b"; z=c"#, [#"[x]a";y=b"#, "[z]c"]), (#"a/b; x="a\\";y=b"#, [#"[x]a\"#, "[y]b"]),
        (#"a/b; x="a\"#, [#"[x]"a\"#]),
    ])
    func aBackslashInQuotesEscapesTheNextByte(text: String, expected: [String]) {
        #expect(parameters(text) == expected)
    }

    @Test(arguments: ["a/b", "a/b;", "a/b; ;\t; ", ";", ""])
    func findsNothingWhereNothingIs(text: String) {
        #expect(parameters(text).isEmpty)
    }
}
