@testable import NetworkUtilities

/// Paths as Python's `urllib.parse` reads them.
struct RequestPathRoundTripTests {
    private static let script = """
        import json, sys, urllib.parse
        def read(line):
            parts = urllib.parse.urlsplit(line)
            names = [urllib.parse.unquote(each, errors="strict") for each in parts.path.split("/")]
            items = urllib.parse.parse_qsl(parts.query, keep_blank_values=True, strict_parsing=True)
            return [parts.netloc] + names + [value for _, value in items]
        print(json.dumps([read(line) for line in sys.stdin.read().split("\\n")]))
        """

    private static func text(_ generator: inout SeededGenerator) -> String {
        let text = Python.hostileText(upTo: 8, using: &generator)
        return [".", ".."].contains(text) ? "..." : text
    }

    @Test(
        .spec(19),
        .python,
        arguments: [1, 2, 3] as [UInt64]
    )
    func anyTextStaysInItsPlaceOfAPath(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var lines: [String] = []
        var expected: [[String]] = []
        for index in 0..<200 {
            let values = (0..<4).map { _ in Self.text(&generator) }
            let variables: Params = ["0": values[0], "list": [values[1], values[2]], "q": values[3]]
            let paths: [RequestPath] = [
                "/a/\(values[0])/\(segments: [values[1], values[2]])/b?q=\(values[3])",
                try .template("/a/{0}{/list*}/b{?q}", variables: variables),
                try .template("{/0}{/list*}/b{?q}", variables: variables),
                try .template("{0}/{list}/b{?q}", variables: ["0": values[0], "list": values[1], "q": values[3]]),
            ]
            let segments = [
                ["a", values[0], values[1], values[2], "b"], ["a", values[0], values[1], values[2], "b"],
                [values[0], values[1], values[2], "b"], [values[0], values[1], "b"],
            ]
            let path = paths[index % paths.count]
            lines.append(try path.resolved(against: url("https://h:8443/v1")).absoluteString)
            expected.append(["h:8443", "", "v1"] + segments[index % paths.count] + [values[3]])
        }
        let input = Data(lines.joined(separator: "\n").utf8)
        let read: [[String]] = try Python.run(Self.script, input: input)
        // By bytes, since Swift takes texts that are canonically equivalent for equal.
        expect(read.map { $0.map { Array($0.utf8) } }, expected.map { $0.map { Array($0.utf8) } })
    }

    /// One part of a random template, and the segments that it promises; nil for a value that is missing.
    private static func part(_ index: Int, _ generator: inout SeededGenerator) -> (String, Params, [String]?) {
        let values = ["", ".", "..", "a/b", "é", "x", "%2e"]
        let value = Bool.random(using: &generator) ? values.randomElement(using: &generator) : nil
        let other = values.randomElement(using: &generator) ?? ""
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: return ("/lit", [:], ["lit"])
        case 1: return ("/{v\(index)}", ["v\(index)": value as Any], [value ?? ""])
        case 2: return ("/p{v\(index)}", ["v\(index)": value as Any], ["p\(value ?? "")"])
        case 3: return ("{/v\(index)}", ["v\(index)": value as Any], value.map { [$0] } ?? [])
        case 4: return ("{/v\(index),w}", ["v\(index)": value as Any, "w": "w"], (value.map { [$0] } ?? []) + ["w"])
        default:
            let list = value.map { [$0, other] } ?? []
            return ("{/v\(index)*}", ["v\(index)": list], list)
        }
    }

    @Test(.spec(180), arguments: [1, 2, 3] as [UInt64])
    func aResolvedURLHasEverySegmentThatItsTemplatePromises(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let parts = (0..<Int.random(in: 1...4, using: &generator)).map { Self.part($0, &generator) }
            let template = parts.map(\.0).joined()
            let variables = parts.map(\.1).reduce(into: [:]) { $0.merge($1) { first, _ in first } }
            let segments = parts.compactMap(\.2).flatMap { $0 }
            let path = try RequestPath.template(template, variables: variables)
            let isRefused = segments.isEmpty || segments.contains { ["", ".", ".."].contains($0) }
            guard !isRefused else {
                #expect(throws: RequestPathError.self, "\(template) \(variables)") {
                    try path.resolved(against: url("https://h/v1"))
                }
                continue
            }
            let text = try path.resolved(against: url("https://h/v1")).absoluteString
            let read = text.components(separatedBy: "/").dropFirst(4).map { $0.removingPercentEncoding }
            expect(read, segments, "\(template) \(variables)")
        }
    }
}
