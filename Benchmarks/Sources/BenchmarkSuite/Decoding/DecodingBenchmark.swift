import Foundation
import NetworkClient

/// Measures decoding JSON, compared with `JSONDecoder`, and with the date strategies of Foundation.
struct DecodingBenchmark: Benchmark {
    let name = "decoding"
    let summary = "Decoding 10 KB of JSON with twenty dates, texts of five kinds, and bodies of large APIs, in µs."

    func run(_ options: Options, _ report: Report) async throws {
        try await measureDates(options, report)
        try await measureCases(options, report)
    }

    private func measureDates(_ options: Options, _ report: Report) async throws {
        let comparison = try Comparison(options, rounds: (21, 201), operations: (20, 50))
        let (json, library, iso, formatter) = (Post.json, DefaultDecoder(), JSONDecoder(), JSONDecoder())
        iso.dateDecodingStrategy = .iso8601
        formatter.dateDecodingStrategy = .formatted(Self.formatter)
        let posts: [Post] = try library.decode(data: json)
        let others = try iso.decode([Post].self, from: json)
        report.require(posts == others && posts.count == 10, "both decode the same values", "\(posts.count) posts")
        let measured = try await comparison.measure([
            Variant("DefaultDecoder") { count in
                for _ in 0..<count { keep(try library.decode(data: json) as [Post]) }
            },
            Variant("JSONDecoder with .iso8601") { count in
                for _ in 0..<count { keep(try iso.decode([Post].self, from: json)) }
            },
            Variant("JSONDecoder with a DateFormatter") { count in
                for _ in 0..<count { keep(try formatter.decode([Post].self, from: json)) }
            },
        ])
        report.note(
            "\(comparison.rounds) interleaved rounds of \(comparison.operations) times \(json.count) bytes with "
                + "twenty dates such as 2024-01-02T03:04:05Z; medians."
        )
        let ratios = measured.map { $0.median / measured[0].median }
        let rows = zip(measured, ratios).map { [$0.name, format($0.median / 1000), format($1, digits: 2)] }
        report.table(["decoder", "µs", "to the library"], rows)
        report.goal(ratios[1] >= 1, "at least as fast as JSONDecoder with .iso8601", format(ratios[1], digits: 2))
        report.goal(ratios[2] >= 5, "at least 5 × as fast as with a DateFormatter", format(ratios[2], digits: 2))
    }

    /// Compares the library with `JSONDecoder` for texts of different kinds.
    private func measureCases(_ options: Options, _ report: Report) async throws {
        let comparison = try Comparison(options, rounds: (7, 21), operations: (5, 20))
        var rows: [[String]] = []
        var ratios: [Double] = []
        let cases = DecodingCase.plain + (try DecodingCase.payloads())
        for each in cases {
            report.require(try each.isSame(), "both decode the same \(each.name)", "\(each.byteCount) bytes")
            let times = try await comparison.measure(each.variants).map(\.median)
            ratios.append(times[1] / times[0])
            let cells = times.map { format($0 / 1000) } + [format(times[1] / times[0], digits: 2)]
            rows.append([each.name, "\(each.byteCount)"] + cells)
        }
        report.table(["text", "bytes", "DefaultDecoder, µs", "JSONDecoder, µs", "times as fast"], rows)
        for (each, ratio) in zip(cases, ratios) {
            let goal = "\(each.name) at least \(format(each.goal)) × as fast as JSONDecoder"
            report.goal(ratio >= each.goal, goal, format(ratio, digits: 2))
        }
    }

    private static var formatter: DateFormatter {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssXXXXX"
        return formatter
    }
}

private struct Post: Decodable, Equatable {
    var id: Int
    var title: String
    var text: String
    var tags: [String]
    var stars: Double
    var created: Date
    var changed: Date

    /// Ten posts of about a kilobyte, each with two dates.
    static let json: Data = {
        let text = String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 20)
        let posts = (0..<10).map { index in
            """
            {"id":\(index),"title":"Post \(index)","text":"\(text)","tags":["a","b"],"stars":4.5,\
            "created":"2024-01-0\(index % 9 + 1)T03:04:05Z","changed":"2024-02-0\(index % 9 + 1)T13:14:15Z"}
            """
        }
        return Data("[\(posts.joined(separator: ","))]".utf8)
    }()
}
