@testable import NetworkUtilities

struct MediaTypeParametersTests {
    @Test(arguments: [
        ("text/plain; charset=UTF-8", "UTF-8"), ("text/plain;a=1;Charset=\"x;y\\\"z\"; b=2", "x;y\"z"),
        ("text/plain; charset =  latin1 ", "latin1"), ("text/plain; charset=", ""), ("text/plain", nil),
        ("text/plain; a=\"charset=b\"", nil), ("text/plain; charset=\"", ""), ("", nil), (";;;", nil),
        ("a/b; charset", nil), ("a/b; =x", nil), ("a/b; charset=x; charset=y", "x"),
        ("a/b; charset=\"a\\\\b\"", "a\\b"),
        ("a/b; charset=\"é\"", "é"), ("a/b; a=\"x\\\"; charset=y\"; charset=z", "z"), ("a/b; a=\"\\", nil),
        ("a/b; charset=\"\\\"", "\""), ("a/b; charset=\"utf-8", "utf-8"), ("a/b; charset=\"x\"y\"", "x"),
        ("a/b; charset=\"x\\", "x\\"), ("a/b; charset=x=y", "x=y"), ("a/b; xcharset=x", nil),
    ])
    func aParameterOfAMediaTypeIsFoundByName(value: String, charset: String?) {
        expect(MediaType(value).parameter("CHARSET"), charset)
    }

    /// The Kelvin sign is a `k` in Unicode's lower case.
    @Test func onlyTheCaseOfASCIILettersIsIgnoredInTheNameOfAParameter() {
        let type = MediaType("a/b; \u{212A}ey=1")
        expect(["key", "\u{212A}EY"].map { type.parameter($0) }, [nil, "1"])
        expect(type.parameters, [MediaType.Parameter(name: "\u{212A}Ey", value: "1")])
        expect(type.setting(parameter: "key", to: "2").value, "a/b; \u{212A}ey=1; key=2")
        #expect(type.matches(type))
    }

    @Test func theParametersOfAMediaTypeKeepTheirOrderIfTheyHaveNames() {
        let expected = [("z", "1"), ("b", "2;3"), ("a", ""), ("z", "4")].map {
            MediaType.Parameter(name: $0, value: $1)
        }
        expect(MediaType("a/b;Z=1; b=\"2;3\";; c ; a=;z=4").parameters, expected)
        for text in ["a/b", "a/b; =x; y"] {
            expect(MediaType(text).parameters, [])
            expect(MediaType(text).parameter(""), nil)
        }
    }

    @Test(
        arguments: [
            ("a/b", "charset", "utf-8", "a/b; charset=utf-8"), ("a/b", "t", "x y", "a/b; t=\"x y\""),
            ("a/b", "t", "", "a/b; t=\"\""), ("a/b", "t", "\"\\", "a/b; t=\"\\\"\\\\\""),
            ("a/b", "t", "é", "a/b; t=\"é\""),
            ("a/b;T=1;u=2", "t", "3", "a/b; t=3; u=2"), ("a/b; t=1; u=2; T=3", "t", "4", "a/b; t=4; u=2"),
            ("a/b; t=1; u=2; T=3", "t", nil, "a/b; u=2"), ("a/b", "t", nil, "a/b"), ("a/b", "t t", "1", "a/b"),
            ("a/b", "", "1", "a/b"), ("a/b", "t\r\nX", "1", "a/b"), ("a/b", "t", "1\r\nX: 2", "a/b; t=\"1  X: 2\""),
            ("A/B; flag", "t", "1", "A/B; flag; t=1"), ("", "t", "1", "; t=1"),
            ("a/b; u=\"x", "t", "1", "a/b; u=\"x\"; t=1"), ("a/b; u=\"", "t", "1", "a/b; u=\"\"; t=1"),
            ("a/b; u=\"x\\", "t", "1", "a/b; u=\"x\\\\\"; t=1"), ("a/b; t=\"x", "t", "1", "a/b; t=1"),
            ("a/b; u=\"x; t=2", "t", "1", "a/b; u=\"x; t=2\"; t=1"),
        ] as [(String, String, String?, String)]
    )
    func aParameterIsSetInPlaceOfOthersOfItsName(value: String, name: String, to new: String?, result: String) {
        expect(MediaType(value).setting(parameter: name, to: new).value, result)
    }

    @Test(arguments: ["", "a", "a b", "\"", "\\", "a;b=c", "\\\"\\", "é", " ", "=", ","])
    func aParameterThatWasSetIsReadBack(value: String) throws {
        for start in ["text/plain; a=1", "text/plain; a=\"x", "text/plain; a=\"x\\"] {
            let type = MediaType(start).setting(parameter: "b", to: value)
            expect(type.parameter("b"), value)
            expect(try MediaType(parsing: type.value).parameter("b"), value)
        }
    }

    /// Each parameter as `[name]value`, as they stand in the text.
    private func parameters(_ text: String) -> [String] {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            var scanner = MediaType.Scanner(bytes)
            var found: [String] = []
            while let parameter = scanner.next() {
                found.append("[\(scanner.text(parameter.name))]\(scanner.unquoted(parameter.value))")
            }
            return found
        }
    }

    @Test func aBackslashInAMediaTypeEscapesTheNextByteInQuotesOnly() {
        let rows: [(String, [String])] = [
            (#"a/b; x=a\;y=b"#, [#"[x]a\"#, "[y]b"]), (#"a/b; \;y=b"#, [#"[]"#, "[y]b"]),
            (#"a/b; x=\";c=d";y=b"#, [#"[x]\";c=d""#, "[y]b"]),
            (#"a/b; x="a\";y=b"; z=c"#, [#"[x]a";y=b"#, "[z]c"]), (#"a/b; x="a\\";y=b"#, [#"[x]a\"#, "[y]b"]),
            (#"a/b; x="a\"#, [#"[x]a\"#]), ("a/b", []), ("a/b;", []), ("a/b; ;\t; ", []), (";", []), ("", []),
        ]
        for (text, expected) in rows { expect(parameters(text), expected, text) }
    }

    @Test func aValidMediaTypeIsParsed() throws {
        for text in [
            "text/html", "text/html;charset=utf-8", "Text/HTML;Charset=\"utf-8\"", "text/html; charset=\"utf-8\"",
            "text/html ; a=b\t;\tc=d", "a/b;", "a/b; ;; ; c=d;", "*/*", "text/*", "a/b;c=\"\"", "a/b;c=\"x\\\"y;z\"",
            "a/b;c=\"é\t\\\\\"", "application/vnd.ms-excel.sheet.macroEnabled.12", "a/b+c", "!/~",
        ] {
            expect(try MediaType(parsing: text).value, text)
            expect(try MediaType(parsing: " \(text)\t").value, text)
        }
    }

    @Test(
        arguments: [
            (
                .essence,
                [
                    "", " ", "text", "text/", "/html", "/", "text html", "text/html/x", "te xt/html", "text /html",
                    "text/ html", "text/html, text/css", "text/html charset=utf-8", "é/b", "a/é", "a/b\r\n", "a/\u{0}b",
                    "a/b\u{7F}", "\"a/b\"", "a/b,", "a@b/c",
                ]
            ),
            (.parameter, ["a/b;c", "a/b;=d", "a/b; c =d", "a/b;c d=e", "a/b;é=1", "a/b;\r\nX: 1"]),
            (
                .parameterValue,
                [
                    "a/b;c=", "a/b;c= d", "a/b;c=\"", "a/b;c=\"d", "a/b;c=\"d\\\"", "a/b;c=\"\\", "a/b;c=\"\r\n\"",
                    "a/b;c=\"\\\u{0}\"", "a/b;c=é", "a/b;c=;", "a/b;c=(d)", "a/b;c=d e", "a/b;c=d,", "a/b;c=\"d\"e",
                    "a/b;c=d\r\nX: 1", "a/b;c=d\"e;f\"", "a/b;c=\"d\" \"e\"",
                ]
            ),
        ] as [(MediaTypeError.Reason, [String])]
    )
    func anInvalidMediaTypeIsRefusedWithTheReason(reason: MediaTypeError.Reason, texts: [String]) {
        for text in texts {
            #expect(throws: MediaTypeError(text: text, reason: reason)) { try MediaType(parsing: text) }
        }
    }

    @Test(arguments: ["a/b; c=\"x", "a/b; c=\"x\\", "a/b; c=\"x\"y", "a/b; c=\"x\\\""])
    func aNewParameterChangesNoParameterWithAnUnfinishedQuote(text: String) {
        let changed = MediaType(text).setting(parameter: "d", to: "\"\\")
        expect(changed.parameters, MediaType(text).parameters + [MediaType.Parameter(name: "d", value: "\"\\")])
    }

    @Test func noMediaTypeOfRandomTextTraps() {
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
            expect(again?.parameters, parsed.parameters)
            #expect(again.map { $0.matches(parsed) && parsed.matches($0) } == true || hasRepeatedName(parsed))
        }
    }

    @Test func aMediaTypeIsMadeOfItsParts() throws {
        let parameters = [("charset", "utf-8"), ("Title", "a \"b\" \\c"), ("e", "")].map {
            MediaType.Parameter(name: $0, value: $1)
        }
        let type = try MediaType(type: "text", subtype: "html", parameters: parameters)
        expect(type.value, #"text/html; charset=utf-8; title="a \"b\" \\c"; e="""#)
        expect(try MediaType(parsing: type.value).parameters, parameters)
        expect(try MediaType(type: "image", subtype: "png").value, "image/png")
        let invalid: [(String, String, [(String, String)], MediaTypeError.Reason)] = [
            ("", "b", [], .essence), ("a", "", [], .essence), ("a/b", "c", [], .essence), ("a", "b;c", [], .essence),
            ("a", "b", [("c d", "1")], .parameter), ("a", "b", [("", "1")], .parameter),
            ("a", "b", [("c", "s3cret\r\n")], .parameterValue), ("a", "b", [("c", "\u{0}")], .parameterValue),
        ]
        for (type, subtype, pairs, reason) in invalid {
            let parameters = pairs.map { MediaType.Parameter(name: $0, value: $1) }
            #expect(throws: MediaTypeError(text: "\(type)/\(subtype)", reason: reason)) {
                try MediaType(type: type, subtype: subtype, parameters: parameters)
            }
        }
    }

    private func hasRepeatedName(_ type: MediaType) -> Bool {
        Set(type.parameters.map(\.name)).count != type.parameters.count
    }

    @Test func anInvalidMediaTypeIsDescribedInOneSentence() {
        let rows: [(MediaTypeError.Reason, String)] = [
            (.essence, "it must begin with two tokens and a slash, as in text/plain."),
            (.parameter, "each parameter must be a token, an equals sign and a value."),
            (.parameterValue, "the value of a parameter must be a token, or in quotes and without control characters."),
        ]
        for (reason, problem) in rows {
            let error = MediaTypeError(text: "a/b;\r\n", reason: reason)
            expect(error.description, #"The media type "a/b;\r\n" is not valid: "# + problem)
        }
    }
}
