import Foundation

extension DecodingCase {
    /// Bodies as large APIs send them, made up: with keys that are decoded as they are, and in snake case.
    static func payloads() throws -> [DecodingCase] {
        let rare: Set = ["retweetedStatus", "possiblySensitive", "media", "profileBannerUrl"]
        var cases = try both("statuses", Tweet.self, count: 100, rare: rare, goals: (3.5, 5))
        cases += try both("repositories", Repository.self, count: 30, goals: (3, 3))
        cases += try both("pull requests", PullRequest.self, count: 2, goals: (2.5, 3))
        cases += try both("charges", Charge.self, count: 25, goals: (4, 4))
        cases += try both("invoices", Invoice.self, count: 10, goals: (2.5, 3))
        cases += try both("one repository", Repository.self, count: 1, goals: (2, 2))
        cases.append(DecodingCase("UUIDs", [UUID].self, try MadeJSON.array(of: UUID.self, count: 500), goal: 4))
        cases.append(DecodingCase("coordinates", [[[Double]]].self, coordinates, goal: 5))
        return cases
    }

    private static func both<Value: Decodable & Equatable & SendableMetatype>(
        _ name: String,
        _ type: Value.Type,
        count: Int,
        rare: Set<String> = [],
        goals: (Double, Double)
    ) throws -> [DecodingCase] {
        let plain = try MadeJSON.array(of: type, count: count, .camelCase, rare: rare)
        let snake = try MadeJSON.array(of: type, count: count, .snakeCase, rare: rare)
        return [
            DecodingCase(name, [Value].self, plain, goal: goals.0),
            DecodingCase("\(name), snake case", [Value].self, snake, keys: .convertFromSnakeCase, goal: goals.1),
        ]
    }

    /// The borders of four areas, with a thousand points each.
    private static let coordinates: String = {
        let areas = (1...4).map { area in
            let points = (0..<1000).map { point in
                let (x, y) = (Double(point * area * 7919 % 99_991), Double(point * area * 104_729 % 999_983))
                return "[\(-65.5 - x / 100_000),\(43.25 + y / 1_000_000)]"
            }
            return "[\(points.joined(separator: ","))]"
        }
        return "[\(areas.joined(separator: ","))]"
    }()
}
