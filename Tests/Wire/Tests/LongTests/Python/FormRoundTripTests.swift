@testable import NetworkUtilities

/// Forms as Python's `urllib.parse` reads them.
struct FormRoundTripTests {
    private static let script = """
        import json, sys, urllib.parse
        fields = urllib.parse.parse_qsl(sys.stdin.read(), keep_blank_values=True, strict_parsing=True)
        print(json.dumps(fields))
        """

    @Test(.spec(38), .python) func anyTextInAFormIsReadBackByPython() throws {
        var generator = SeededGenerator(seed: 38)
        let text = { Python.hostileText(using: &generator) }
        var params: Params = [:]
        var expected: [[String]] = []
        for index in 0..<500 {
            let name = "\(index) \(text())"
            switch index % 3 {
            case 0:
                let value = text()
                params[name] = value
                expected.append([name, value])
            case 1:
                let values = [text(), text()]
                params[name] = values
                expected += values.map { ["\(name)[]", $0] }
            default:
                let (key, value) = (text(), text())
                params[name] = ["k": [[key: value]]]
                expected.append(["\(name)[k][0][\(key)]", value])
            }
        }
        let body = try DefaultFormEncoder().encode(params)
        let fields: [[String]] = try Python.run(Self.script, input: body)
        // By bytes, since Swift takes texts that are canonically equivalent for equal.
        expect(Set(fields.map { $0.map { Array($0.utf8) } }), Set(expected.map { $0.map { Array($0.utf8) } }))
        expect(fields.count, expected.count)
    }
}

/// Queries as Python's `urllib.parse` reads them.
struct QueryRoundTripTests {
    /// Reads a query with Python's `urllib.parse`.
    private func read(_ stage: URLRequest.QueryBuilder) throws -> [[String]] {
        let script = """
            import json, sys, urllib.parse
            query = urllib.parse.urlsplit(sys.stdin.read()).query
            print(json.dumps(urllib.parse.parse_qsl(query, keep_blank_values=True, strict_parsing=True)))
            """
        return try Python.run(script, input: Data(try #require(stage.build().url?.absoluteString).utf8))
    }

    @Test(
        .spec(6, 7, 10),
        .python,
        arguments: [FormStyle.ArrayStyle.repeated, .brackets, .indices, .comma]
    )
    func anyTextInAQueryArrivesAtItsReader(style: FormStyle.ArrayStyle) throws {
        struct Filter: Encodable {
            let text = "a+b c&d=é%41"
            let sizes = [0.5, 2]
            let range = ["b&": 2, "a": 1]
        }
        var generator = SeededGenerator(seed: 3)
        let text = { Python.hostileText(using: &generator) }
        var stage = URLRequest.get(url: url("https://h/p?kept=%2B#fragment"))
        var expected = [["kept", "+"]]
        for index in 0..<150 {
            let (name, one, other) = ("\(index) \(text())", text(), text())
            stage = stage.add(query: name, value: [one, other], arrays: style)
            switch style {
            case .repeated: expected += [[name, one], [name, other]]
            case .brackets: expected += [["\(name)[]", one], ["\(name)[]", other]]
            case .indices: expected += [["\(name)[0]", one], ["\(name)[1]", other]]
            default: expected += [[name, "\(one),\(other)"]]
            }
        }
        let properties = [
            ["text", "a+b c&d=é%41"], ["sizes", "0.5"], ["sizes", "2.0"], ["range[a]", "1"], ["range[b&]", "2"],
        ]
        let fields = try read(stage.add(queryItems: Filter()))
        // By bytes, since Swift takes texts that are canonically equivalent for equal.
        expect(fields.map { $0.map { Array($0.utf8) } }, (expected + properties).map { $0.map { Array($0.utf8) } })
    }
}
