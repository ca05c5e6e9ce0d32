import BenchmarkHarness
import Foundation
import NetworkUtilities

/// Measures the speed of percent-encoding, compared with Foundation's function and a plain copy.
struct EscapingBenchmark: Benchmark {
    let name = "escaping"
    let summary = "Percent-encoding of one long value, in GB of the value a second."

    func run(_ options: Options, _ report: Report) async throws {
        let bytes = try options.number("bytes", quick: 64_000, full: 64_000)
        let comparison = Comparison(
            rounds: try options.number("rounds", quick: 9, full: 61),
            operations: try options.number("operations", quick: 20, full: 100)
        )
        report.note(
            "\(comparison.rounds) interleaved rounds of \(comparison.operations) times \(bytes) bytes; medians. The "
                + "library escapes them as a field of a form; the dictionary of one field and the copy of the result "
                + "into `Data` are included, as is making a `String` for Foundation."
        )
        var table = Table("text", "library", "Foundation", "memcpy", "library to Foundation", "library to memcpy")
        var ratios: [Double] = []
        for kind in EscapedText.allCases {
            let text = kind.text(bytes: bytes)
            try requireSameEscapes(text, "\(kind)", report)
            let measured = try await comparison.measure(Self.variants(text))
            let speeds = measured.map { Double(text.utf8.count) / $0.median }
            ratios.append(speeds[0] / speeds[1])
            let cells = speeds.map { Figures.number($0, digits: 3) + " GB/s" }
            let comparisons = [speeds[0] / speeds[1], speeds[0] / speeds[2]].map { Figures.number($0, digits: 2) }
            table.add(["\(kind)"] + cells + comparisons)
        }
        report.table(table)
        report.note("")
        for (kind, ratio) in zip(EscapedText.allCases, ratios) {
            let found = Figures.number(ratio, digits: 2)
            report.goal(ratio >= 5, "\(kind): at least 5 × as fast as addingPercentEncoding", found)
        }
    }

    private func requireSameEscapes(_ text: String, _ kind: String, _ report: Report) throws {
        let escaped = try DefaultFormEncoder().percentEncodedString(params: ["q": text])
        let expected = text.addingPercentEncoding(withAllowedCharacters: EscapedText.bareInForms) ?? ""
        report.require(
            escaped == "q=" + expected,
            "\(kind): both write the same escapes",
            "\(escaped.utf8.count) bytes"
        )
    }

    private static func variants(_ text: String) -> [Variant] {
        let bytes = Array(text.utf8)
        let destination = Locked([UInt8](repeating: 0, count: bytes.count))
        return [
            Variant("library") { count in
                for _ in 0..<count { Kept.look(try DefaultFormEncoder().encode(["q": text])) }
            },
            Variant("Foundation") { count in
                for _ in 0..<count {
                    Kept.look(text.addingPercentEncoding(withAllowedCharacters: EscapedText.bareInForms))
                }
            },
            Variant("memcpy") { count in
                destination.withLock { destination in
                    for _ in 0..<count { Kept.copy(bytes, into: &destination) }
                }
            },
        ]
    }
}

/// A text to escape, by the bytes that need escaping.
enum EscapedText: String, CaseIterable, Sendable {
    /// ASCII without a byte that needs escaping.
    case bare

    /// ASCII in which every tenth byte needs escaping.
    case mixed

    /// Greek letters: all bytes need escaping.
    case greek

    /// The characters that a form doesn't escape (WHATWG URL), for Foundation's function, which has no such set.
    static let bareInForms = CharacterSet(
        charactersIn: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*-._"
    )

    /// Returns a text of the given number of UTF-8 bytes, which must be a multiple of 10, so that no letter is cut.
    func text(bytes: Int) -> String {
        let pattern =
            switch self {
            case .bare: "abcdeFGH19"
            case .mixed: "abcde&GH19"
            case .greek: "Αθήνα"
            }
        return String(repeating: pattern, count: bytes / 10)
    }
}
