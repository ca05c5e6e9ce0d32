import Foundation
import NetworkTestSupport
import Testing

@testable import NetworkUtilities

/// Forms as Python's `urllib.parse` reads them.
struct FormRoundTripTests {
    private static let script = """
        import json, sys, urllib.parse
        fields = urllib.parse.parse_qsl(sys.stdin.read(), keep_blank_values=True, strict_parsing=True)
        print(json.dumps(fields))
        """

    private static let alphabet: [String] =
        (0..<128).map { String(UnicodeScalar(UInt8($0))) } + [
            "é", "ß", "😀", "\u{2028}", "\u{FFFD}", "[]", "%41", "a\u{301}",
        ]

    private func text() -> String {
        (0..<Int.random(in: 1...12)).compactMap { _ in Self.alphabet.randomElement() }.joined()
    }

    @Test(
        .spec(38),
        .enabled(if: Python.isAvailable, Comment(rawValue: Python.reason))
    )
    func anyTextArrives() throws {
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
        #expect(Set(fields.map(Bytes.init)) == Set(expected.map(Bytes.init)))
        #expect(fields.count == expected.count)
    }

    /// Texts by their bytes, since Swift takes texts that are canonically equivalent for equal.
    private struct Bytes: Hashable {
        let name: [UInt8]
        let value: [UInt8]

        init(_ field: [String]) {
            name = Array((field.first ?? "").utf8)
            value = Array((field.last ?? "").utf8)
        }
    }
}
