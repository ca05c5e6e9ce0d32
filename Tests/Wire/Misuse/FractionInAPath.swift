// expect: a path takes what has exactly one text: make the value a String first
import Foundation
import NetworkUtilities

func fractionInAPath(url: URL) throws {
    _ = try URLRequest.builder(baseURL: url).get(path: "/prices/\(1.5)")
}
