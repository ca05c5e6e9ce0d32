import Foundation
import NetworkTestSupport
import Testing

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

    private static let alphabet: [String] =
        (0..<128).map { String(UnicodeScalar(UInt8($0))) } + [
            "é", "😀", "\u{2028}", "\u{FFFD}", "%2F", "%2e", "..", "://",
        ]

    private static func text(_ generator: inout SeededGenerator) -> String {
        let text = (0..<Int.random(in: 1...8, using: &generator))
            .compactMap { _ in alphabet.randomElement(using: &generator) }.joined()
        return [".", ".."].contains(text) ? "..." : text
    }

    @Test(
        .spec(19),
        .enabled(if: Python.isAvailable, Comment(rawValue: Python.reason)),
        arguments: [1, 2, 3] as [UInt64]
    )
    func anyTextStaysWhereItIsPut(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var lines: [String] = []
        var expected: [[String]] = []
        for index in 0..<200 {
            let values = (0..<4).map { _ in Self.text(&generator) }
            let path: RequestPath =
                index.isMultiple(of: 2)
                ? "/a/\(values[0])/\(segments: [values[1], values[2]])/b?q=\(values[3])"
                : try .template(
                    "/a/{0}{/list*}/b{?q}",
                    variables: ["0": values[0], "list": [values[1], values[2]], "q": values[3]]
                )
            lines.append(try path.resolved(against: url("https://h:8443/v1")).absoluteString)
            expected.append(["h:8443", "", "v1", "a", values[0], values[1], values[2], "b", values[3]])
        }
        let input = Data(lines.joined(separator: "\n").utf8)
        let read: [[String]] = try Python.run(Self.script, input: input)
        // By bytes, since Swift takes texts that are canonically equivalent for equal.
        #expect(read.map { $0.map { Array($0.utf8) } } == expected.map { $0.map { Array($0.utf8) } })
    }
}
