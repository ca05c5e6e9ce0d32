// expect: a path has no place for a missing value: unwrap the optional first
import Foundation
import NetworkUtilities

func optionalInAPath(url: URL) throws {
    let id: Int? = 42
    _ = try URLRequest.builder(baseURL: url).get(path: "/users/\(id)")
}
