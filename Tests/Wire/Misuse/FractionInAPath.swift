// expect: a value in a path must have exactly one text: convert it to a String
import Foundation
import NetworkUtilities

func fractionInAPath(url: URL) throws {
    _ = try URLRequest.builder(baseURL: url).get(path: "/prices/\(1.5)")
}
