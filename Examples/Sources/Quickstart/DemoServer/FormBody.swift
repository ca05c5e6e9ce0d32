import Foundation

/// The fields of an `application/x-www-form-urlencoded` body.
struct FormBody {
    private let fields: [String: String]

    init(_ data: Data) {
        let pairs = String(decoding: data, as: UTF8.self).split(separator: "&")
        fields = pairs.reduce(into: [:]) { fields, pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            fields[Self.decoded(halves[0])] = halves.count > 1 ? Self.decoded(halves[1]) : ""
        }
    }

    subscript(name: String) -> String? { fields[name] }

    private static func decoded(_ text: Substring) -> String {
        let spaced = text.replacingOccurrences(of: "+", with: " ")
        return spaced.removingPercentEncoding ?? spaced
    }
}
