import Foundation
import NetworkTestSupport
import NetworkUtilities
import Testing

@testable import NetworkClient

/// A behaviour of the cache: exchanges in their order, each with its outcome.
///
/// Fields are written `Name: value | Name: value`; the value `@-10` is the date of ten seconds ago.
struct CacheRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let exchanges: [CacheExchange]
    /// The limitation with which a transport can't deliver the responses of the row.
    let limitation: Limitation?

    init(_ id: String, without limitation: Limitation? = nil, _ exchanges: CacheExchange...) {
        testDescription = id
        self.limitation = limitation
        self.exchanges = exchanges
    }

    /// Returns rows of two requests for one URL from a table.
    ///
    /// A line has the end of the id, the outcome of the second request, and up to three columns between `||`: the
    /// response to the first request; before it the fields of the first request, if there are three columns; behind it
    /// the fields of the second request. The response is inserted in place of `%`.
    static func rows(_ prefix: String, response: String = "%", _ table: String) -> [CacheRow] {
        table.split(separator: "\n").map { line -> CacheRow in
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            guard let outcome = CacheOutcome(rawValue: words[1]) else { preconditionFailure("\(line)") }
            let columns = (words.count > 2 ? words[2] : "").components(separatedBy: "||").map { column in
                column.trimmingCharacters(in: .whitespaces)
            }
            let first = columns.count == 3 ? columns[0] : ""
            let stored = response.replacingOccurrences(of: "%", with: columns[columns.count == 3 ? 1 : 0])
            let second = columns.count > 1 ? columns[columns.count - 1] : ""
            return CacheRow(
                prefix + words[0],
                .init(sends: first, response: stored),
                .init(sends: second, gets: outcome)
            )
        }
    }

    /// The index of the exchange whose body the caller gets with the exchange of an index.
    func source(of index: Int) -> Int {
        let exchange = exchanges[index]
        let isOwn = exchange.gets == .network && exchange.method != "HEAD"
        return isOwn || exchange.from > index ? index : source(of: exchange.from - 1)
    }

    /// Returns fields from their notation.
    static func fields(_ text: String, at now: Date) -> WireFields {
        let lines = text.components(separatedBy: " | ").filter { !$0.isEmpty }
        return WireFields(
            lines.map { line in
                let parts = line.components(separatedBy: ": ")
                let value = parts.dropFirst().joined(separator: ": ")
                let seconds = value.hasPrefix("@") ? TimeInterval(value.dropFirst()) : nil
                let date = seconds.flatMap { HTTPDate.text(of: now.addingTimeInterval($0)) }
                return WireField(name: parts[0], value: date ?? value)
            }
        )
    }
}

/// A request, the response that the server has for it, and the outcome for the caller.
struct CacheExchange: Sendable {
    var method = "GET"
    var path = "/"
    /// The fields of the request.
    var sends = ""
    var status = 200
    var response = ""
    /// Whether the server closes the connection instead of responding.
    var disconnects = false
    /// Whether the server responds to any condition with a 304, not only to the expected one.
    var confirms = false
    /// The seconds that the server takes for the response.
    var delay: TimeInterval = 0
    /// The seconds after the exchange.
    var pause: TimeInterval = 3
    var gets = CacheOutcome.network
    /// The number, from 1, of the exchange whose response the caller gets if it is a stored one.
    var from = 1
    /// Fields of the caller's response that differ from those of the response that is used; `!Name` is a field that
    /// must be missing.
    var has = ""
    /// Fields that the server must receive in addition to those of the request; `!Name` as above.
    var forwards = ""
    /// The number of requests that the server receives; nil if the outcome determines it.
    var requests: Int?

    /// The cache has no part in the responses to other methods, to conditions of the caller, and to ranges.
    var cacheStatus: CacheStatus? {
        let isPassedOn = !["GET", "HEAD"].contains(method) || sends.contains("If-") || sends.contains("Range: ")
        return isPassedOn ? nil : gets.status
    }

    var requestCount: Int { requests ?? ([.fresh, .stale, .notInCache].contains(gets) ? 0 : 1) }
}

/// What a caller gets.
enum CacheOutcome: String, Sendable {
    case network, fresh, stale, staleOnError
    /// The stored response, after the server has confirmed its ETag or its Last-Modified with a 304.
    case confirmedTag, confirmedDate
    case connectionLost, notInCache

    /// Nil for an error.
    fileprivate var status: CacheStatus? {
        switch self {
        case .network: .network
        case .fresh: .fresh
        case .stale: .stale
        case .staleOnError: .staleOnError
        case .confirmedTag, .confirmedDate: .revalidated
        case .connectionLost, .notInCache: nil
        }
    }

    /// The field that makes the request conditional, and the field of the stored response that has the same value.
    var condition: (field: String, validator: String)? {
        switch self {
        case .confirmedTag: ("If-None-Match", "ETag")
        case .confirmedDate: ("If-Modified-Since", "Last-Modified")
        default: nil
        }
    }
}
