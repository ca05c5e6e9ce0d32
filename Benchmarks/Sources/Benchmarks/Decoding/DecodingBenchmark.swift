import BenchmarkHarness
import Foundation
import NetworkClient

/// Measures decoding a body of JSON with dates, compared with the date strategies of Foundation.
struct DecodingBenchmark: Benchmark {
    let name = "decoding"
    let summary = "Decoding 10 KB of JSON with twenty dates, and texts of five kinds, in µs."

    func run(_ options: Options, _ report: Report) async throws {
        let comparison = Comparison(
            rounds: try options.number("rounds", quick: 21, full: 201),
            operations: try options.number("operations", quick: 20, full: 50)
        )
        let json = Self.json
        try requireSameDates(json, report)
        report.note(
            "\(comparison.rounds) interleaved rounds of \(comparison.operations) times \(json.count) bytes with "
                + "twenty dates such as 2024-01-02T03:04:05Z; medians."
        )
        var table = Table("decoder", "µs", "to the library")
        let measured = try await comparison.measure(Self.variants(json))
        let times = measured.map(\.median)
        for (name, time) in zip(Self.names, times) {
            let ratio = Figures.number(time / times[0], digits: 2)
            table.add([name, Figures.number(time / 1000, digits: 1), ratio])
        }
        report.table(table)
        report.note("")
        try await measureCases(options, report)
        let (ofISO8601, ofFormatter) = (times[1] / times[0], times[2] / times[0])
        report.goal(
            ofISO8601 >= 1,
            "at least as fast as JSONDecoder with .iso8601",
            Figures.number(ofISO8601, digits: 2)
        )
        report.goal(
            ofFormatter >= 5,
            "at least 5 × as fast as with a DateFormatter",
            Figures.number(ofFormatter, digits: 2)
        )
    }

    /// Compares the library with `JSONDecoder` for texts of different kinds.
    private func measureCases(_ options: Options, _ report: Report) async throws {
        let comparison = Comparison(
            rounds: try options.number("rounds", quick: 7, full: 21),
            operations: try options.number("operations", quick: 5, full: 20)
        )
        var table = Table("text", "bytes", "DefaultDecoder, µs", "JSONDecoder, µs", "times as fast")
        var goals: [(DecodingCase, Double)] = []
        for each in DecodingCase.all {
            report.require(try each.isSame(), "both decode the same \(each.name)", "\(each.byteCount) bytes")
            let times = try await comparison.measure(each.variants).map(\.median)
            let ratio = times[1] / times[0]
            let texts = times.map { Figures.number($0 / 1000, digits: 1) }
            table.add([each.name, "\(each.byteCount)", texts[0], texts[1], Figures.number(ratio, digits: 2)])
            goals.append((each, ratio))
        }
        report.table(table)
        report.note("")
        for (each, ratio) in goals {
            let goal = Figures.number(each.goal, digits: 1)
            let text = "\(each.name) at least \(goal) × as fast as JSONDecoder"
            report.goal(ratio >= each.goal, text, Figures.number(ratio, digits: 2))
        }
    }

    private static let names = ["DefaultDecoder", "JSONDecoder with .iso8601", "JSONDecoder with a DateFormatter"]

    private func requireSameDates(_ json: Data, _ report: Report) throws {
        let posts: [Post] = try DefaultDecoder().decode(data: json)
        let others = try Self.isoDecoder.decode([Post].self, from: json)
        report.require(posts == others && posts.count == 10, "both decode the same values", "\(posts.count) posts")
    }

    private static func variants(_ json: Data) -> [Variant] {
        let library = DefaultDecoder()
        let (iso, formatter) = (isoDecoder, formatterDecoder)
        return [
            Variant(names[0]) { count in
                for _ in 0..<count { Kept.look(try library.decode(data: json) as [Post]) }
            },
            Variant(names[1]) { count in
                for _ in 0..<count { Kept.look(try iso.decode([Post].self, from: json)) }
            },
            Variant(names[2]) { count in
                for _ in 0..<count { Kept.look(try formatter.decode([Post].self, from: json)) }
            },
        ]
    }

    private static var isoDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    private static var formatterDecoder: JSONDecoder {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssXXXXX"
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .formatted(formatter)
        return decoder
    }

    /// Ten posts of about a kilobyte, each with two dates.
    private static let json: Data = {
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

private struct Post: Decodable, Equatable {
    var id: Int
    var title: String
    var text: String
    var tags: [String]
    var stars: Double
    var created: Date
    var changed: Date
}
